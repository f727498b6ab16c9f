import type { TestApp } from './app.ts';

/** A customer's session as the operator lists it. */
export interface ListedSession {
  id: string;
  customerId: string;
  partnerId: string;
  paytag: string;
  status: string;
}

/** Sessions as the operator lists them. */
export const sessionsOf = async (server: TestApp, query: string): Promise<ListedSession[]> =>
  (await server.operate('GET', `/sessions?${query}`)).json<{ items: ListedSession[] }>().items;

/** Signs an operator in at the console. @returns the id of that session */
export async function consoleSession(
  server: TestApp,
  { id, token }: { id: string; token: string },
): Promise<{ id: string; cookie: string }> {
  const answer = await server.call('POST', '/console/sign-in', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const listed = await server.operate('GET', `/operators/sessions?operatorId=${id}`);
  return { id: listed.json<{ items: { id: string }[] }>().items[0]?.id ?? '', cookie };
}
