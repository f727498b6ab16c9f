import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { consoleSession, customerIdOf, sessionsOf } from '../../support/customers.ts';
import { exchange, logIn } from '../../support/onboarding.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';

const server = useApp();
const other = useApp({}, server);

describe('GET /sessions', () => {
  it('where customers are logged in, newest first: of one, at a partner, live, ended and over', async () => {
    const [here, there] = [await server.newPartner(), await server.newPartner()];
    const ada = await loggedIn(server, here);
    server.clock.advance(1000);
    const bola = await loggedIn(server, here);
    server.clock.advance(1000);
    const adaThere = await logInAt(server, there, ada);
    const customerId = await customerIdOf(server, ada.paytag);
    const ofAda = await sessionsOf(server, `customerId=${customerId}`);
    expect(ofAda).toMatchObject([
      { partnerId: there.id, paytag: ada.paytag, customerId, status: 'LIVE' },
      { partnerId: here.id, paytag: ada.paytag, customerId, status: 'LIVE' },
    ]);
    expect((await sessionsOf(server, `partnerId=${here.id}`)).map(({ paytag }) => paytag)).toEqual([
      bola.paytag,
      ada.paytag,
    ]);
    expect(await sessionsOf(server, `customerId=${customerId}&partnerId=${here.id}`)).toEqual([ofAda[1]]);

    const page = (await server.operate('GET', `/sessions?partnerId=${here.id}&limit=1`)).json();
    expect(page).toMatchObject({ count: 2, items: [{ paytag: bola.paytag }] });
    const rest = await sessionsOf(server, `partnerId=${here.id}&cursor=${page.nextCursor}`);
    expect(rest.map(({ paytag }) => paytag)).toEqual([ada.paytag]);

    await server.call('DELETE', '/v2/sso/token', { headers: adaThere.headers });
    const inStatus = async (status: string) =>
      (await sessionsOf(server, `customerId=${customerId}&status=${status}`)).map(({ partnerId }) => partnerId);
    expect([await inStatus('LIVE'), await inStatus('REVOKED')]).toEqual([[here.id], [there.id]]);
    server.clock.advance(1_800_000);
    expect([await inStatus('LIVE'), await inStatus('EXPIRED')]).toEqual([[], [here.id]]);
  });
});

describe('POST /sessions/{id}/end', () => {
  const end = (id: string, body: object = { reason: 'a lost phone' }) =>
    server.operate('POST', `/sessions/${id}/end`, body);

  it('its token is refused at once, in other processes after a second, and the customer’s other sessions go on', async () => {
    const [here, there] = [await server.newPartner(), await server.newPartner()];
    const ada = await loggedIn(server, here);
    const adaThere = await logInAt(server, there, ada);
    const statusOf = async (at: typeof server, { headers }: typeof ada) =>
      (await at.call('GET', '/v2/sso/wallet', { headers })).statusCode;
    expect([await statusOf(server, ada), await statusOf(other, ada)]).toEqual([200, 200]);
    const customerId = await customerIdOf(server, ada.paytag);
    const [session] = await sessionsOf(server, `customerId=${customerId}&partnerId=${here.id}`);
    const answer = await end(session?.id ?? '');
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ...session, status: 'REVOKED' }]);
    expect([await statusOf(server, ada), await statusOf(server, adaThere)]).toEqual([401, 200]);
    server.clock.advance(1000);
    expect(await statusOf(other, ada)).toBe(401);
  });
});

describe('POST /customers/{id}/sessions/end', () => {
  const end = (id: string, body: object = { reason: 'a lost phone' }) =>
    server.operate('POST', `/customers/${id}/sessions/end`, body);

  it('at one partner, or at all; a code that was not exchanged yet gives none any more', async () => {
    const [here, there] = [await server.newPartner(), await server.newPartner()];
    const ada = await loggedIn(server, here);
    const adaThere = await logInAt(server, there, ada);
    const id = await customerIdOf(server, ada.paytag);
    const statusOf = async ({ headers }: typeof ada) =>
      (await server.call('GET', '/v2/sso/wallet', { headers })).statusCode;
    expect((await end(id, { reason: 'a lost phone', partnerId: there.id })).json()).toEqual({ ended: 1 });
    expect([await statusOf(ada), await statusOf(adaThere)]).toEqual([200, 401]);

    const code = new URL((await logIn(server, here, ada.paytag)).body).searchParams.get('auth-code') ?? '';
    expect((await end(id)).json()).toEqual({ ended: 1 });
    expect(await statusOf(ada)).toBe(401);
    expect((await exchange(server, here, code)).statusCode).toBe(401);
    expect(await sessionsOf(server, `customerId=${id}&status=LIVE`)).toEqual([]);
    expect((await end(id)).json()).toEqual({ ended: 0 });
  });
});

describe('GET /operators/sessions', () => {
  const list = async (query = '') => (await server.operate('GET', `/operators/sessions?${query}`)).json();

  it('who is signed in now, newest first, root too; not who was disabled, whose token is new or whose time is over', async () => {
    const [ada, bola] = [await newOperator(server, 'viewer'), await newOperator(server, 'support')];
    const root = { id: '', token: OPERATOR_TOKEN };
    for (const who of [ada, root, bola]) {
      await consoleSession(server, who);
      server.clock.advance(1000);
    }
    const { items, count } = await list();
    expect(count).toBe(3);
    expect(items).toMatchObject([
      { operatorId: bola.id, operatorName: bola.name, role: 'support' },
      { operatorId: 'root', operatorName: 'root', role: 'admin' },
      { operatorId: ada.id, operatorName: ada.name, role: 'viewer' },
    ]);
    const first = await list('limit=2');
    expect((await list(`limit=2&cursor=${first.nextCursor}`)).items).toEqual([items[2]]);
    expect((await list(`operatorId=${ada.id}`)).items).toEqual([items[2]]);

    await server.operate('POST', `/operators/${ada.id}/disable`, { reason: 'has left' });
    await server.operate('POST', `/operators/${bola.id}/rotate`, {});
    expect((await list()).items).toEqual([items[1]]);
    server.clock.advance(8 * 3_600_000);
    expect((await list()).items).toEqual([]);
  });
});

describe('POST /operators/sessions/{id}/end', () => {
  const end = (id: string, body: object = { reason: 'left the desk' }) =>
    server.operate('POST', `/operators/sessions/${id}/end`, body);
  const page = async (at: typeof server, cookie: string) =>
    (await at.call('GET', '/console/partners', { headers: { accept: 'text/html', cookie } })).statusCode;

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
