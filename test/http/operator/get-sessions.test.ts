import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { customerIdOf } from '../../support/customers.ts';
import { sessionsOf } from '../../support/live-sessions.ts';
import { loggedIn, logInAt } from '../../support/wallets.ts';

const server = useApp();

describe('200', () => {
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
