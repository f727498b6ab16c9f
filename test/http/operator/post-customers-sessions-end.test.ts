import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { customerIdOf } from '../../support/customers.ts';
import { sessionsOf } from '../../support/live-sessions.ts';
import { exchange, logIn } from '../../support/onboarding.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';

const server = useSharedApp();
const end = (id: string, body: object = { reason: 'a lost phone' }) =>
  server.operate('POST', `/customers/${id}/sessions/end`, body);

describe('200', () => {
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
