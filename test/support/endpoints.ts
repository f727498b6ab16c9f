import { expect } from 'vitest';
import type { Answer, TestApp, TestPartner } from './app.ts';

/** Of the endpoints of a partner, by its own credentials. */
export const callEndpoints = (
  server: TestApp,
  { headers }: Pick<TestPartner, 'headers'>,
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST',
  path = '',
  payload?: object,
): Promise<Answer> =>
  server.call(method, `/v2/partner/webhook/endpoints${path}`, { headers, ...(payload && { payload }) });

/** Another endpoint of a partner; nobody answers there unless a URL is given. */
export async function newEndpoint(
  server: TestApp,
  partner: Pick<TestPartner, 'headers'>,
  chosen: object = {},
): Promise<string> {
  const answer = await callEndpoints(server, partner, 'POST', '', { url: 'http://127.0.0.1:9/other', ...chosen });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ id: string }>().id;
}
