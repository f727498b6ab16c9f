import { beforeAll } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { termii } from '../../support/provider.ts';
import { useReceiver } from '../../support/receiver.ts';

export interface TextMessage {
  channel: 'sms' | 'whatsapp';
  /** E.164. */
  to: string;
  text: string;
}

export interface Messages {
  /** The variables of a server that sends its messages here. */
  readonly env: Record<string, string>;
  /** All texts to phones so far but notices, the oldest first. */
  readonly texts: readonly TextMessage[];
  /** The addresses that were written to but for notices, the oldest first. */
  readonly mailedTo: readonly string[];
  /** The addresses to which notices went, the oldest first. */
  readonly noticesTo: readonly string[];
  /** The one-time password in the last message to a phone or an e-mail address, as its owner reads it. */
  codeAt(address: string): Promise<string>;
}

/** The phones and mailboxes of a test file: Termii's stand-in and a real SMTP server, on 127.0.0.1. */
export function useMessages(): Messages {
  const phones = useReceiver();
  const mail = useMailServer({ lacksStarttls: true });
  beforeAll(() => phones.answer(() => termii.sent));

  const isNotice = (text = ''): boolean => text.startsWith('PayTag notice: ');
  const mailed = () => mail.received.filter(({ mail: { text } }) => !isNotice(text));
  const sent = () =>
    phones.requests.map(({ body }): TextMessage => {
      const { channel, to, sms } = JSON.parse(body.toString()) as { channel: string; to: string; sms: string };
      return { channel: channel === 'whatsapp' ? 'whatsapp' : 'sms', to: `+${to}`, text: sms };
    });
  const texts = () => sent().filter(({ text }) => !isNotice(text));
  const lastAt = (address: string): string | undefined =>
    address.includes('@')
      ? mailed().findLast(({ to }) => to.includes(address))?.mail.text
      : texts().findLast(({ to }) => to === address)?.text;

  return {
    get env() {
      return {
        MESSAGING_PROVIDER: 'termii',
        MESSAGING_TERMII_URL: new URL(phones.url).origin,
        MESSAGING_TERMII_API_KEY: 'TL_of_the_tests',
        MESSAGING_TERMII_SENDER_ID: 'PayTag',
        EMAIL_PROVIDER: 'smtp',
        EMAIL_FROM: 'PayTag <no-reply@paytag.example>',
        EMAIL_SMTP_TLS: 'none',
        EMAIL_SMTP_URL: mail.url,
      };
    },
    get texts() {
      return texts();
    },
    get mailedTo() {
      return mailed().flatMap(({ to }) => to);
    },
    get noticesTo() {
      const written = mail.received.filter(({ mail: { text } }) => isNotice(text)).flatMap(({ to }) => to);
      return [
        ...sent()
          .filter(({ text }) => isNotice(text))
          .map(({ to }) => to),
        ...written,
      ];
    },
    codeAt: (address) =>
      eventually(() => {
        const [code] = /\b\d{6}\b/.exec(lastAt(address) ?? '') ?? [];
        if (code === undefined) throw new Error(`no code came to ${address}`);
        return code;
      }),
  };
}
