import { z } from 'zod';
import { randomDigits } from '#lib/random.ts';
import { NoAnswer, type ProviderClient, unusableBecause } from '../http-client.ts';
import { MessagingProviderDown, type PhoneMessenger } from './port.ts';

const acceptedShape = z.object({
  code: z.literal('ok').optional(),
  message_id: z.union([z.string().min(1), z.number()]),
});

/**
 * Termii's "Send Message". We make and check the codes; Termii's own one-time passwords are not used. A message costs
 * money, so none is sent twice.
 *
 * @see https://developers.termii.com/messaging-api
 */
export function termiiPhone(
  client: ProviderClient,
  options: { apiKey: string; senderId: string; whatsappDevice: string; route: 'dnd' | 'generic' },
): PhoneMessenger {
  return {
    newCode: () => randomDigits(6),
    async send({ channel, to, text }) {
      const isWhatsapp = channel === 'whatsapp';
      const json = {
        api_key: options.apiKey,
        to: to.replace(/^\+/, ''),
        from: isWhatsapp ? options.whatsappDevice : options.senderId,
        sms: text,
        type: 'plain',
        channel: isWhatsapp ? 'whatsapp' : options.route,
      };
      const answer = await client.ask({ method: 'POST', path: '/api/sms/send', json }).catch((cause: unknown) => {
        if (!(cause instanceof NoAnswer)) throw cause;
        throw new MessagingProviderDown(`Termii: ${cause.message}`, { mayHaveSent: cause.mayHaveArrived, cause });
      });
      if (answer.status === 200 && acceptedShape.safeParse(answer.body).success) return;
      throw new MessagingProviderDown(`Termii: ${unusableBecause(answer)}`);
    },
  };
}
