import { type Brand, signatureOf } from '#lib/brand.ts';
import { cleaned } from '#lib/text/output.ts';
import { phoneCountry } from '#lib/text/parse.ts';
import { type EmailProvider, EmailProviderDown, EmailRefused } from '../email/port.ts';
import {
  AddressRefused,
  type Channel,
  type MessagingProvider,
  MessagingProviderDown,
  type PhoneMessenger,
  type TextProvider,
} from './port.ts';

/**
 * Sends one-time passwords and other short messages: those for e-mail by `email`, all others by `phone`, to mobile numbers
 * of these countries alone. A number of another country is never sent to, because it could be a premium one. Mails are signed.
 */
export function messagingByChannel(
  phone: PhoneMessenger,
  email: EmailProvider,
  { countries, brand }: { countries: readonly string[]; brand: Brand },
): MessagingProvider & TextProvider {
  const send = async (
    channel: Channel,
    { to, subject, text }: { to: string; subject: string; text: string },
  ): Promise<void> => {
    if (channel !== 'email') {
      if (!countries.includes(phoneCountry(to) ?? '')) throw new AddressRefused('no messages go to this country');
      await phone.send({ channel, to, text: cleaned(text) });
      return;
    }
    await email.send({ to, subject, text: `${text}\n\n${signatureOf(brand)}\n` }).catch((cause: unknown) => {
      if (cause instanceof EmailRefused) throw new AddressRefused('no message can be mailed there', { cause });
      if (!(cause instanceof EmailProviderDown)) throw cause;
      throw new MessagingProviderDown('the message could not be mailed', { mayHaveSent: cause.mayHaveSent, cause });
    });
  };
  return {
    newCode: () => phone.newCode(),
    async sendOtp({ channel, to, code, about }) {
      const purpose = about === undefined ? '' : ` to ${about}`;
      const text = `${code} is your ${brand.name} code${purpose}. Nobody from ${brand.name} will ever ask you for it.`;
      await send(channel, { to, subject: `Your ${brand.name} code`, text });
    },
    sendText: ({ channel, ...message }) => send(channel, message),
  };
}
