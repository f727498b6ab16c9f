import { type EmailProvider, EmailProviderDown, EmailRefused } from '../email/port.ts';
import { AddressRefused, type MessagingProvider, MessagingProviderDown, type PhoneMessenger } from './port.ts';

/** Sends one-time passwords: those for e-mail by `email`, all others by `phone`. */
export function messagingByChannel(phone: PhoneMessenger, email: EmailProvider): MessagingProvider {
  return {
    newCode: () => phone.newCode(),
    async sendOtp({ channel, to, code, about }) {
      const purpose = about === undefined ? '' : ` to ${about}`;
      const text = `${code} is your PayTag code${purpose}. Nobody from PayTag will ever ask you for it.`;
      if (channel !== 'email') {
        await phone.send({ channel, to, text });
        return;
      }
      await email.send({ to, subject: 'Your PayTag code', text }).catch((cause: unknown) => {
        if (cause instanceof EmailRefused) throw new AddressRefused('the code cannot be mailed there', { cause });
        if (!(cause instanceof EmailProviderDown)) throw cause;
        throw new MessagingProviderDown('the code could not be mailed', { mayHaveSent: cause.mayHaveSent, cause });
      });
    },
  };
}
