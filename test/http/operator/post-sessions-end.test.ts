import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { customerIdOf } from '../../support/customers.ts';
import { sessionsOf } from '../../support/live-sessions.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';

const server = useApp();
const other = useApp({}, server);
const end = (id: string, body: object = { reason: 'a lost phone' }) =>
  server.operate('POST', `/sessions/${id}/end`, body);

describe('200', () => {
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
