import { expect } from 'vitest';
import type { Answer, TestApp, TestPartner } from './app.ts';

/** The path of a link to the webhook pages of a partner. */
export async function portalPath(server: TestApp, { headers }: Pick<TestPartner, 'headers'>): Promise<string> {
  const answer = await server.call('POST', '/v2/partner/webhook/portal', { headers });
  expect(answer.statusCode).toBe(200);
  return new URL(answer.json<{ url: string }>().url).pathname;
}

/** The value of a field that a page hides. */
export const hiddenIn = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** What a browser says of a form of ours. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

export const postForm = (
  server: TestApp,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  server.call('POST', path, {
    headers: { ...FORM, ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

/** Who has opened the webhook pages of a partner, as a browser that keeps the cookie. */
export interface PortalVisitor {
  cookie: string;
  get(path?: string): Promise<Answer>;
  /** Presses the button of a form on a page. */
  press(path: string, on?: string): Promise<Answer>;
}

export const visitorWith = (server: TestApp, cookie: string): PortalVisitor => {
  const get = (path = '/webhooks') => server.call('GET', path, { headers: { cookie } });
  return {
    cookie,
    get,
    async press(path, on) {
      return postForm(server, path, { form: hiddenIn((await get(on)).body, 'form') }, { cookie });
    },
  };
};

/** Opens the link of a partner, as a person does. */
export async function enterPortal(server: TestApp, partner: Pick<TestPartner, 'headers'>): Promise<PortalVisitor> {
  const { body } = await server.call('GET', await portalPath(server, partner));
  const fields = { form: hiddenIn(body, 'form'), token: hiddenIn(body, 'token') };
  const opened = await postForm(server, '/webhooks/open', fields);
  expect([opened.statusCode, opened.headers['location']]).toEqual([303, '/webhooks']);
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
  return visitorWith(server, cookie);
}
