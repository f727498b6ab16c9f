import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { actOn, customerIdOf, customerWithId } from '../../support/customers.ts';
import { logIn } from '../../support/onboarding.ts';
import { moveTag } from '../../support/tags.ts';
import { changeWallet, loggedIn, logInAt, moveMoney } from '../../support/wallets.ts';

const server = useApp();

describe('200', () => {
  it('wallets and PayTag are what they were before, and the customer logs in again', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner({ float: 100 })];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada);
    await changeWallet(server, adaThere.wallet, { status: 'PNC' });
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    const answer = await actOn(server, id, 'release');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'ACTIVE',
      paytagStatus: 'ACTIVE',
      sessions: [],
      wallets: [
        { reference: adaThere.wallet, status: 'PNC' },
        { reference: ada.wallet, status: 'Enabled' },
      ],
    });
    expect(answer.json().frozenAt).toBeUndefined();
    expect((await server.call('GET', '/v2/sso/wallet', { headers: ada.headers })).statusCode).toBe(401);
    expect((await logIn(server, here, ada.paytag)).statusCode).toBe(200);
    const debit = await moveMoney(server, here, ada.wallet, 'debit', { amount: 1, reference: 'fee-1' });
    expect(debit.statusCode).toBe(200);
  });

  it('what the operator has changed since the freeze stays as it is', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    await changeWallet(server, ada.wallet, { status: 'Blocked' });
    await moveTag(server, ada.paytag, 'close');
    expect((await actOn(server, id, 'release')).json()).toMatchObject({
      status: 'ACTIVE',
      paytagStatus: 'CLOSED',
      wallets: [{ reference: ada.wallet, status: 'Blocked' }],
    });
  });

  it('nothing but a release restores the PayTag of a frozen customer', async () => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    await actOn(server, id, 'freeze');
    const restored = await moveTag(server, person.paytag, 'restore');
    expect([restored.statusCode, restored.json().errorCode]).toEqual([409, 'TAG_STATUS_CONFLICT']);
    expect((await actOn(server, id, 'release')).json()).toMatchObject({ paytagStatus: 'ACTIVE' });
  });

  it('a PayTag that was suspended before the freeze stays suspended', async () => {
    const { person, id } = await customerWithId(server, await server.newPartner());
    await moveTag(server, person.paytag, 'suspend');
    server.clock.advance(1000);
    await actOn(server, id, 'freeze');
    expect((await actOn(server, id, 'release')).json()).toMatchObject({ paytagStatus: 'SUSPENDED' });
  });
});
