import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import { createSemaphore } from '#lib/semaphore.ts';
import { type Email, type EmailProvider, EmailProviderDown, EmailRefused } from './port.ts';

/** Connections to the mail server at once, and messages that wait for one. */
const LIMITS = { runningMax: 8, waitingMax: 256 };
/** One address, and nothing that a mail server could read as a second one or as a header. */
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}@<>()[\]\\,;:"]{1,253}$/u;

export interface SmtpOptions {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte. */
  url: string;
  /** `required`: nothing, and no password, is sent before STARTTLS. `none`: for a relay beside this server. */
  tls: 'required' | 'none';
  /** A certificate authority besides the public ones, PEM. */
  ca?: string | undefined;
  /** The sender, as `PayTag <no-reply@example.com>`. */
  from: string;
  /** For the whole of a message, the wait for its turn included. */
  timeoutMs: number;
}

/** E-mail by SMTP (RFC 5321), over TLS (RFC 3207, RFC 8314). What it throws names no address. */
export function smtpEmail({ url, tls, ca, from, timeoutMs }: SmtpOptions): EmailProvider {
  const { protocol, hostname, port, username, password } = new URL(url);
  const user = decodeURIComponent(username);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    secure,
    requireTLS: !secure && tls === 'required',
    ignoreTLS: !secure && tls === 'none',
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    ...(ca === undefined ? {} : { tls: { ca: [...rootCertificates, ca] } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const gate = createSemaphore(LIMITS);

  return {
    async send({ to, subject, text, html, attachments = [] }) {
      if (!ADDRESS.test(to)) throw new EmailRefused('not an address that mail can be sent to');
      const signal = AbortSignal.timeout(timeoutMs);
      const message = {
        from,
        to: { name: '', address: to },
        subject: oneLine(subject),
        text,
        ...(html === undefined ? {} : { html }),
        attachments: attachments.map((attachment) => ({ ...attachment, filename: oneLine(attachment.filename) })),
        signal,
      };
      await gate(async () => transport.sendMail(message)).catch((error: unknown) => {
        throw asOurs(error);
      });
    },
  };
}

const oneLine = (text: Email['subject']): string => text.replace(/\p{Cc}+/gu, ' ');

/** Commands whose refusal is about this message, and not about us. */
const ABOUT_THE_MESSAGE = /^(RCPT TO|DATA)$/;

/** Commands at which nothing of the message was sent yet. */
const BEFORE_THE_MESSAGE = /^(CONN|EHLO|HELO|STARTTLS|AUTH.*|MAIL FROM|RCPT TO)$/;
const isRefusal = (responseCode: number): boolean => responseCode >= 400;

/** Says which command failed with which code; what the mail server said of it may hold an address, and is dropped. */
function asOurs(error: unknown): EmailProviderDown | EmailRefused {
  const { code = 'failed', command = '', responseCode = 0 } = error as Partial<Record<string, string | number>>;
  const what = `${code} ${responseCode || ''} ${command}`.trim().replace(/\s+/g, ' ');
  const isForEver = Number(responseCode) >= 500 && ABOUT_THE_MESSAGE.test(String(command));
  if (isForEver) return new EmailRefused(`the mail server refused the message for good: ${what}`);
  const mayHaveSent = !BEFORE_THE_MESSAGE.test(String(command)) && !isRefusal(Number(responseCode));
  return new EmailProviderDown(`the mail server did not take the message: ${what}`, { mayHaveSent });
}
