import { describe, expect, it } from 'vitest';
import { type Answer, useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { actOn, customerIdOf, customerWithId, findCustomers } from '../../support/customers.ts';
import { complete, logIn, newCustomer, validatedSession } from '../../support/onboarding.ts';
import { changeWallet, loggedIn, logInAt, pay } from '../../support/wallets.ts';

const server = useSharedApp();

const refusal = (answer: Answer) => {
  const { errorCode, errors } = answer.json<{ errorCode: string; errors: string[] }>();
  return [answer.statusCode, errorCode, errors];
};

describe('200', () => {
  it('wallets are revoked, the PayTag is closed, and a pseudonym is left; the books stay as they are', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada);
    const bola = await loggedIn(server, here);
    await pay(server, ada, { paytag: bola.paytag, amount: 40, reference: 'all' });
    const id = await customerIdOf(server, ada.paytag);
    const answer = await actOn(server, id, 'erase');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'ERASED',
      name: `Erased ${id.slice(0, 8)}`,
      paytagStatus: 'CLOSED',
      hasPassword: false,
      hasAddress: false,
      sessions: [],
      wallets: [
        { reference: adaThere.wallet, revokedAt: expect.any(String) },
        { reference: ada.wallet, revokedAt: expect.any(String) },
      ],
    });
    for (const gone of ['bvn', 'phone', 'email', 'yearOfBirth']) expect(answer.json()).not.toHaveProperty(gone);
    const { wallets, transactions } = (await actOn(server, id, 'export')).json().data;
    expect([wallets.length, transactions.count]).toEqual([2, 2]);
    expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
    const beneficiaries = await server.call('GET', '/v2/sso/beneficiary', { headers: bola.headers });
    expect(beneficiaries.json()).toMatchObject({ count: 0 });
    expect((await auditOf(server, id)).map(({ action }) => action)).toEqual(['customer.erase', 'customer.export']);
  });

  it('again it does nothing', async () => {
    const { id } = await customerWithId(server, await server.newPartner());
    const first = await actOn(server, id, 'erase');
    expect((await actOn(server, id, 'erase')).json()).toEqual(first.json());
    expect(await auditOf(server, id)).toHaveLength(1);
  });

  it('nobody finds them by PayTag, phone or BVN, and who asks by the account number sees no name', async () => {
    const partner = await server.newPartner();
    const ada = await loggedIn(server, partner);
    const id = await customerIdOf(server, ada.paytag);
    const { nuban } = (await server.operate('GET', `/wallets/${ada.wallet}`)).json();
    await actOn(server, id, 'erase');
    for (const by of [{ paytag: ada.paytag }, { phone: ada.phone }, { bvn: ada.bvn }]) {
      expect((await findCustomers(server, by)).json()).toEqual({ items: [] });
    }
    expect((await findCustomers(server, { nuban })).json()).toMatchObject({ items: [{ id, status: 'ERASED' }] });
    expect((await server.call('GET', `/api/v1/tags/${ada.paytag}`)).statusCode).toBe(404);
    expect((await logIn(server, partner, ada.paytag)).statusCode).toBe(404);
    const seen = await server.call('GET', `/v2/partner/wallet/${ada.wallet}`, { headers: partner.headers });
    expect(seen.json().PayTag).toEqual({ Name: `Erased ${id.slice(0, 8)}` });
  });

  it('the same person can onboard anew, with another PayTag: theirs is free after its ninety days', async () => {
    const partner = await server.newPartner();
    const { person, id } = await customerWithId(server, partner);
    await actOn(server, id, 'erase');
    const { paytag, ...known } = person;
    const session = await validatedSession(server, partner, known);
    expect((await complete(server, partner, session, { paytag })).json()).toMatchObject({ errorCode: 'PAYTAG_TAKEN' });
    expect((await complete(server, partner, session, { paytag: `${paytag}-anew` })).statusCode).toBe(200);
    expect(await customerIdOf(server, `${paytag}-anew`)).not.toBe(id);
  });
});

describe('409', () => {
  it('says what remains: money, holds, liens and what waits in suspense', async () => {
    const partner = await server.newPartner({ float: 100 });
    const ada = await loggedIn(server, partner, 40);
    const id = await customerIdOf(server, ada.paytag);
    await server.operate('POST', `/wallets/${ada.wallet}/liens`, { amount: 5, reason: 'a court asks for it' });
    await changeWallet(server, ada.wallet, { status: 'PNC' });
    const { nuban } = (await server.operate('GET', `/wallets/${ada.wallet}`)).json();
    const sender = { name: 'Bola Ade' };
    await server.operate('POST', '/transactions', { type: 'INBOUND', nuban, amount: 7, reference: 'late', sender });
    const wallet = `wallet ${ada.wallet}`;
    const remains = [`${wallet}: money`, `${wallet}: a lien`, `${wallet}: 1 in suspense`];
    expect(refusal(await actOn(server, id, 'erase'))).toEqual([409, 'CUSTOMER_NOT_EMPTY', remains]);
    expect((await server.operate('GET', `/customers/${id}`)).json()).toMatchObject({ status: 'ACTIVE' });
    expect(await auditOf(server, id)).toEqual([]);
  });
});

it('audited: the customer, each wallet and the PayTag', async () => {
  const partner = await server.newPartner();
  const person = await newCustomer(server, partner);
  const id = await customerIdOf(server, person.paytag);
  const { id: tag } = (await server.operate('GET', `/tags/${person.paytag}`)).json();
  const { wallets } = (await actOn(server, id, 'erase')).json();
  expect(await auditOf(server, id)).toMatchObject([
    { action: 'customer.erase', before: { status: 'ACTIVE' }, after: { status: 'ERASED' } },
  ]);
  expect(await auditOf(server, wallets[0].reference)).toMatchObject([{ action: 'wallet.revoke' }]);
  expect(await auditOf(server, tag)).toMatchObject([{ action: 'tag.close' }]);
});
