import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { actOn, customerIdOf, customerWithId } from '../../support/customers.ts';
import { createPayTag, newPerson } from '../../support/onboarding.ts';
import { changeWallet, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

const server = useSharedApp();

describe('200', () => {
  it('every wallet of the customer pays nothing more, and takes what arrives', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner({ float: 100 })];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada, 30);
    await changeWallet(server, adaThere.wallet, { status: 'PNC' });
    const id = await customerIdOf(server, ada.paytag);
    const answer = await actOn(server, id, 'freeze');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'FROZEN',
      paytagStatus: 'SUSPENDED',
      frozenAt: expect.any(String),
      sessions: [],
      wallets: [
        { reference: adaThere.wallet, status: 'Blocked' },
        { reference: ada.wallet, status: 'PND' },
      ],
    });
    const debit = await moveMoney(server, here, ada.wallet, 'debit', { amount: 1, reference: 'fee-1' });
    expect([debit.statusCode, debit.json().errorCode]).toEqual([422, 'WALLET_PND']);
    const credit = await moveMoney(server, here, ada.wallet, 'credit', { amount: 5, reference: 'salary' });
    expect(credit.statusCode).toBe(200);
    const { nuban } = answer.json().wallets[1];
    const inbound = { type: 'INBOUND', nuban, amount: 7, reference: 'from-a-bank', sender: { name: 'Bola Ade' } };
    expect((await server.operate('POST', '/transactions', inbound)).json()).toMatchObject({ Status: 'Successful' });
    expect((await server.operate('GET', `/wallets/${ada.wallet}`)).json()).toMatchObject({ totalAmount: 52 });
  });

  it('nobody can pay their PayTag, and its page shows no profile', async () => {
    const partner = await server.newPartner({ float: 100 });
    const [ada, bola] = [await loggedIn(server, partner), await loggedIn(server, partner, 20)];
    await actOn(server, await customerIdOf(server, ada.paytag), 'freeze');
    const paid = await pay(server, bola, { paytag: ada.paytag, amount: 5, reference: 'lunch' });
    expect([paid.statusCode, paid.json().errorCode]).toEqual([422, 'PAYTAG_SUSPENDED']);
    const { data } = (await server.call('GET', `/api/v1/tags/${ada.paytag}`)).json();
    expect([data.status, data.canonicalOwner]).toEqual(['SUSPENDED', undefined]);
  });

  it('a customer whom a partner made can be frozen before they have a password', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const id = await customerIdOf(server, person.paytag);
    expect((await actOn(server, id, 'freeze')).json()).toMatchObject({ status: 'FROZEN', hasPassword: false });
    const { paytag: _, ...known } = person;
    const onboarding = await server.call('POST', '/v2/sso/create-tag', { headers: partner.headers, payload: known });
    expect([onboarding.statusCode, onboarding.json().errorCode]).toEqual([409, 'BVN_ALREADY_REGISTERED']);
  });
});

it('audited: the customer, each wallet whose status changed, and the PayTag', async () => {
  const { person, id } = await customerWithId(server, await server.newPartner());
  const { wallets } = (await actOn(server, id, 'freeze')).json();
  const { id: tag } = (await server.operate('GET', `/tags/${person.paytag}`)).json();
  expect(await auditOf(server, id)).toMatchObject([
    { action: 'customer.freeze', before: { status: 'ACTIVE' }, after: { status: 'FROZEN' } },
  ]);
  expect(await auditOf(server, wallets[0].reference)).toMatchObject([
    { action: 'wallet.change', before: { status: 'Enabled' }, after: { status: 'PND' } },
  ]);
  expect(await auditOf(server, tag)).toMatchObject([{ action: 'tag.suspend', after: { status: 'SUSPENDED' } }]);
});
