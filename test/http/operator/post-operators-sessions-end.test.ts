import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { consoleSession } from '../../support/live-sessions.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

const server = useApp();
const other = useApp({}, server);
const end = (id: string, body: object = { reason: 'left the desk' }) =>
  server.operate('POST', `/operators/sessions/${id}/end`, body);
const page = async (at: typeof server, cookie: string) =>
  (await at.call('GET', '/console/partners', { headers: { accept: 'text/html', cookie } })).statusCode;

describe('200', () => {
  it('the browser is signed out in every process, the token is as good as before', async () => {
    const ada = await newOperator(server, 'viewer');
    const { id, cookie } = await consoleSession(server, ada);
    expect([await page(server, cookie), await page(other, cookie)]).toEqual([200, 200]);
    const answer = await end(id);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { id, operatorId: ada.id, endedAt: expect.any(String) },
    ]);
    expect([await page(server, cookie), await page(other, cookie)]).toEqual([303, 303]);
    expect((await ada.operate('GET', '/operators/me')).statusCode).toBe(200);
  });

  it('root’s too', async () => {
    const { cookie } = await consoleSession(server, { id: '', token: OPERATOR_TOKEN });
    const { items } = (await server.operate('GET', '/operators/sessions')).json();
    expect((await end(items[0].id)).json()).toMatchObject({ operatorId: 'root' });
    expect(await page(server, cookie)).toBe(303);
  });
});
