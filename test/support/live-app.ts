import { sendLetters } from '#modules/letters';
import { type TestApp, useApp } from './app.ts';
import type { MailServer } from './mail-server.ts';
import { liveEnv } from './variables.ts';

/** A server of the live environment in this process, which mails by this server. */
export const useLiveApp = (mail: MailServer, env: Record<string, string> = {}, on?: TestApp): TestApp =>
  useApp(() => ({ ...liveEnv, EMAIL_SMTP_URL: mail.url, EMAIL_SMTP_CA: mail.ca, ...env }), on);

/** Mails what waits, as a worker does. @returns the texts of what an address got by it, oldest first */
export async function mailedTo({ resources }: TestApp, mail: MailServer, address: string): Promise<string[]> {
  const before = mail.received.length;
  await sendLetters(resources);
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
