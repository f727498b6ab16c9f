import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email as Mail } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll } from 'vitest';
import { sendMails } from '#modules/clients';
import { listenLocally } from '../../src/embedded/port.ts';
import { type TestApp, useApp } from './app.ts';
import { eventually } from './eventually.ts';
import { selfSigned } from './self-signed.ts';
import { liveEnv } from './variables.ts';

/** A message as the mail server took it. */
export interface Received {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** It came over TLS. */
  readonly isSecure: boolean;
  /** Who logged in. */
  readonly user: string | undefined;
  readonly mail: Mail;
}

/** What a mail server does of its own will. */
export interface MailServerOptions {
  /** TLS from the first byte. */
  secure?: boolean;
  /** It does not know STARTTLS. */
  lacksStarttls?: boolean;
  /** Who may send; without it anybody may. */
  account?: { user: string; password: string };
}

export interface MailServer {
  /** As EMAIL_SMTP_URL has it, with the account in it. */
  readonly url: string;
  /** The authority of its certificate, PEM. */
  readonly ca: string;
  readonly received: readonly Received[];
  /** Logins that were tried, whether they succeeded or not. */
  readonly logins: readonly string[];
  /** Refuses with this code at this command from now on; without it takes everything again. */
  refuse(at?: 'MAIL' | 'RCPT' | 'DATA', code?: number): void;
  /** Does this with each message from now on, before it says that it took it; without it takes them at once again. */
  meanwhile(act?: () => Promise<unknown>): void;
  /** Resolves to the first message, past or coming, to this address. */
  waitFor(to: string): Promise<Received>;
}

/** A real SMTP server for this test file, on 127.0.0.1. What it says when it refuses quotes the address. */
export function useMailServer({ secure = false, lacksStarttls = false, account }: MailServerOptions = {}): MailServer {
  const received: Received[] = [];
  const logins: string[] = [];
  const { key, cert } = selfSigned('IP:127.0.0.1,DNS:localhost');
  let refused: { at: string; code: number } | undefined;
  let before: (() => Promise<unknown>) | undefined;
  let port = 0;

  const verdict = (at: string, quoted: string): Error | null => {
    if (refused?.at !== at) return null;
    return Object.assign(new Error(`<${quoted}>: no`), { responseCode: refused.code });
  };
  const server = new SMTPServer({
    key,
    cert,
    secure,
    hideSTARTTLS: lacksStarttls,
    disabledCommands: lacksStarttls ? ['STARTTLS'] : [],
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username = '', password }, _, done) => {
      logins.push(username);
      const isRight = username === account?.user && password === account?.password;
      if (isRight) done(null, { user: username });
      else done(Object.assign(new Error(`no login for ${username}`), { responseCode: 535 }));
    },
    onMailFrom: ({ address }, _, done) => done(verdict('MAIL', address)),
    onRcptTo: ({ address }, _, done) => done(verdict('RCPT', address)),
    onData: (stream, { envelope, secure: isSecure, user }, done) => {
      const to = envelope.rcptTo.map(({ address }) => address);
      const take = async () => {
        const raw = await buffer(stream).catch(() => undefined);
        if (raw === undefined) return; // a client that hangs up in the middle of a message has sent none
        await before?.();
        const no = verdict('DATA', to.join(' '));
        if (no === null) {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          received.push({ from, to, isSecure, user: user as string | undefined, mail: await PostalMime.parse(raw) });
        }
        done(no);
      };
      void take();
    },
  });
  server.on('error', () => {}); // a client that hangs up at a certificate it does not trust is expected

  beforeAll(async () => {
    port = await listenLocally(server.server);
  });
  afterAll(async () => {
    const closed = once(server.server, 'close');
    server.close();
    await closed;
  });

  return {
    get url() {
      const login = account && `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}@`;
      return `${secure ? 'smtps' : 'smtp'}://${login ?? ''}127.0.0.1:${port}`;
    },
    ca: cert,
    received,
    logins,
    refuse(at, code = 0) {
      refused = at && { at, code };
    },
    meanwhile(act) {
      before = act;
    },
    waitFor: (to) =>
      eventually(() => {
        const found = received.find((message) => message.to.includes(to));
        if (found === undefined) throw new Error(`no mail to ${to} among the ${received.length} received`);
        return found;
      }),
  };
}

/** A server of the live environment in this process, which mails by this server. */
export const useLiveApp = (mail: MailServer, env: Record<string, string> = {}, on?: TestApp): TestApp =>
  useApp(() => ({ ...liveEnv, EMAIL_SMTP_URL: mail.url, EMAIL_SMTP_CA: mail.ca, ...env }), on);

/** Mails what waits, as a worker does. @returns the texts of what an address got by it, oldest first */
export async function mailedTo({ resources }: TestApp, mail: MailServer, address: string): Promise<string[]> {
  const before = mail.received.length;
  await sendMails(resources);
  return mail.received
    .slice(before)
    .filter(({ to }) => to.includes(address))
    .map((one) => one.mail.text ?? '');
}

/** The path of the link in a mail. */
export function linkIn(text = ''): string {
  const [, path] = /https:\/\/pay\.example\.com(\/handover\/[\w-]+)/.exec(text) ?? [];
  if (path === undefined) throw new Error(`there is no link in: ${text}`);
  return path;
}

/** Opens a link, as a person does: the page, and then its button. */
export async function follow(server: TestApp, path: string): Promise<{ statusCode: number; body: string }> {
  const page = await server.call('GET', path);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)?.[1] ?? '';
  return press(server, { form: field('form'), token: path.slice('/handover/'.length) });
}

/** Presses the button of a page that was opened. */
export const press = (server: TestApp, fields: { form: string; token: string }) =>
  server.call('POST', '/handover', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams(fields).toString(),
  });
