import { lazyPackage } from '#lib/lazy.ts';
import { createSemaphore } from '#lib/semaphore.ts';
import { cleaned } from '#lib/text/output.ts';
import { type Email, type EmailProvider, EmailProviderDown, EmailRefused } from './port.ts';

const nodemailer = lazyPackage<typeof import('nodemailer')>('nodemailer');

/** Connections to the mail server at once, and messages that wait for one. */
const LIMITS = { runningMax: 8, waitingMax: 256 };
/** One address. Nothing in it can be read as a second address or as a header. */
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}@<>()[\]\\,;:"]{1,253}$/u;

export interface SmtpOptions {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte. */
  url: string;
  /** For smtp://. `required`: neither password nor message is sent before STARTTLS. `none`: both are sent in the clear. */
  tls: 'required' | 'none';
  /** The one certificate authority to trust, in PEM; absent: the public ones. */
  ca?: string | undefined;
  /** The sender, e.g. `PayTag <no-reply@example.com>`. */
  from: string;
  /** For one message, including the wait for a connection. */
  timeoutMs: number;
}

/** E-mail by SMTP (RFC 5321), over TLS (RFC 3207, RFC 8314). Its errors name no address. */
export function smtpEmail({ url, tls, ca, from, timeoutMs }: SmtpOptions): EmailProvider {
  const { protocol, hostname, port, username, password } = new URL(url);
  const user = decodeURIComponent(username);
  const secure = protocol === 'smtps:';
  const transport = nodemailer().createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    secure,
    requireTLS: !secure && tls === 'required',
    ignoreTLS: !secure && tls === 'none',
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const semaphore = createSemaphore(LIMITS);

  return {
    async send({ to, subject, text, html, attachments = [] }) {
      if (!ADDRESS.test(to)) throw new EmailRefused('not an address that mail can be sent to');
      const signal = AbortSignal.timeout(timeoutMs);
      const message = {
        from,
        to: { name: '', address: to },
        subject: oneLine(subject),
        text: cleaned(text),
        ...(html === undefined ? {} : { html }),
        attachments: attachments.map((attachment) => ({ ...attachment, filename: oneLine(attachment.filename) })),
        signal,
      };
      await semaphore
        .run(async () => transport.sendMail(message))
        .catch((error: unknown) => {
          throw toProviderError(error);
        });
    },
  };
}

const oneLine = (text: Email['subject']): string => cleaned(text).replace(/\s+/g, ' ');

/** Commands whose refusal concerns this message alone, and not our access to the server. */
const ABOUT_THE_MESSAGE = /^(RCPT TO|DATA)$/;

/** Commands before which nothing of the message is sent. */
const BEFORE_THE_MESSAGE = /^(CONN|EHLO|HELO|STARTTLS|AUTH.*|MAIL FROM|RCPT TO)$/;
const isRefusal = (responseCode: number): boolean => responseCode >= 400;

/** Names the command that failed and its code. The server's own words are dropped, because they may hold an address. */
function toProviderError(error: unknown): EmailProviderDown | EmailRefused {
  const { code = 'failed', command = '', responseCode = 0 } = error as Partial<Record<string, string | number>>;
  const what = `${code} ${responseCode || ''} ${command}`.trim().replace(/\s+/g, ' ');
  const isPermanent = Number(responseCode) >= 500 && ABOUT_THE_MESSAGE.test(String(command));
  if (isPermanent) return new EmailRefused(`the mail server refused the message for good: ${what}`);
  const mayHaveSent = !BEFORE_THE_MESSAGE.test(String(command)) && !isRefusal(Number(responseCode));
  return new EmailProviderDown(`the mail server did not take the message: ${what}`, { mayHaveSent });
}
