import { expect } from 'vitest';
import type { Answer, TestApp } from '../../support/app.ts';

export type Fields = Record<string, string | readonly string[]>;

/** A browser that is signed in at the console: it keeps its cookie, and sends the forms that it was shown. */
export interface TestConsole {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends the form of a page, with what is typed into it. */
  send(path: string, typed?: Fields, from?: string): Promise<Answer>;
  readonly cookie: string;
}

const form = 'application/x-www-form-urlencoded';

export const encoded = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString();

/** What a page holds in its hidden fields. */
export const hiddenIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

export const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']).split(';')[0] ?? '';

/** The text of a page, without markup. */
export const textOf = (answer: Answer): string =>
  answer.body
    .replaceAll(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

export async function signedIn(server: TestApp, token: string): Promise<TestConsole> {
  const answer = await server.call('POST', '/console/sign-in', {
    headers: { 'content-type': form },
    payload: encoded({ token }),
  });
  expect(answer.statusCode).toBe(303);
  const cookie = cookieOf(answer);
  let said = '';
  const keep = (given: Answer): Answer => {
    const cookies = [given.headers['set-cookie'] ?? []].flat();
    const done = cookies.find((one) => one.startsWith('paytag-console-done='));
    if (done !== undefined) said = done.includes('Max-Age=0') ? '' : `; ${done.split(';')[0]}`;
    return given;
  };
  const get: TestConsole['get'] = async (path, headers = {}) =>
    keep(await server.call('GET', path, { headers: { accept: 'text/html', ...headers, cookie: `${cookie}${said}` } }));
  return {
    cookie,
    get,
    async send(path, typed = {}, from = path) {
      const [action = ''] = path.split('?');
      const hidden = hiddenIn((await get(from)).body);
      const headers = { accept: 'text/html', 'content-type': form, cookie };
      return keep(await server.call('POST', action, { headers, payload: encoded({ ...hidden, ...typed }) }));
    },
  };
}
