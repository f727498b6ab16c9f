import { describe, expect, it } from 'vitest';
import { type Answer, useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { newClaim } from '../../support/claims.ts';
import { customerWithRequester } from '../../support/consent-page.ts';
import { actOn, customerIdOf, customerWithId, findCustomers, handedBack } from '../../support/customers.ts';
import {
  complete,
  createPayTag,
  logIn,
  newCustomer,
  newPerson,
  startChange,
  validatedSession,
} from '../../support/onboarding.ts';
import { approve, auditOf, newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { initiate, newSide, offer } from '../../support/switch.ts';
import { moveTag } from '../../support/tags.ts';
import { changeWallet, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

const server = useApp();

describe('POST /customers/{id}/freeze', () => {
  it('every wallet of the customer pays nothing more, and takes what arrives', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner({ float: 100 })];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada, 30);
    await changeWallet(server, adaThere.wallet, { status: 'PNC' });
    const id = await customerIdOf(server, ada.paytag);
    const answer = await actOn(server, id, 'freeze');
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
    expect(refusalOf(debit)).toEqual([422, 'WALLET_PND']);
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
    expect(refusalOf(paid)).toEqual([422, 'PAYTAG_SUSPENDED']);
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
    expect(refusalOf(onboarding)).toEqual([409, 'BVN_ALREADY_REGISTERED']);
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
});

describe('POST /customers/{id}/release', () => {
  it('wallets and PayTag are what they were before, and the customer logs in again', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner({ float: 100 })];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada);
    await changeWallet(server, adaThere.wallet, { status: 'PNC' });
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    const answer = await actOn(server, id, 'release');
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
    expect(refusalOf(await moveTag(server, person.paytag, 'restore'))).toEqual([409, 'TAG_STATUS_CONFLICT']);
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

describe('POST /customers/{id}/hand-back-bvn', () => {
  const ask = (id: string) => actOn(server, id, 'hand-back-bvn');
  const frozen = async () => {
    const { id } = await customerWithId(server, await server.newPartner());
    await actOn(server, id, 'freeze');
    return id;
  };

  it('in every environment it waits for another admin, and until then the customer has the BVN', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    const asked = await ask(id);
    expect([asked.statusCode, asked.json()]).toEqual([
      202,
      expect.objectContaining({ operation: 'POST /customers/:id/hand-back-bvn', status: 'PENDING' }),
    ]);
    expect((await findCustomers(server, { bvn: ada.bvn })).json().items).toMatchObject([{ id }]);
    const finance = await newOperator(server, 'finance');
    expect(refusalOf(await approve(finance, asked.json().id))).toEqual([403, 'ROLE_REFUSED']);
    expect(refusalOf(await approve(server, asked.json().id))).toEqual([403, 'APPROVAL_OWN']);
    expect((await ask(id)).json().id).toBe(asked.json().id);
  });

  it('the customer is not found by the BVN, is not given it, and stays frozen with their money, to which what arrives is added', async () => {
    const partner = await server.newPartner({ float: 100 });
    const ada = await loggedIn(server, partner, 40);
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    const approved = await handedBack(server, id);
    expect(approved.json()).toMatchObject({ status: 'EXECUTED' });
    expect(approved.json().answer).toMatchObject({
      status: 'FROZEN',
      paytagStatus: 'SUSPENDED',
      bvnHandedBackAt: expect.any(String),
      bvn: `*******${ada.bvn.slice(-4)}`,
      wallets: [{ reference: ada.wallet, status: 'PND' }],
    });
    expect((await findCustomers(server, { bvn: ada.bvn })).json().items).toEqual([]);
    expect(refusalOf(await actOn(server, id, 'release'))).toEqual([409, 'CUSTOMER_STATUS_CONFLICT']);
    const credit = await moveMoney(server, partner, ada.wallet, 'credit', { amount: 5, reference: 'late' });
    expect(credit.statusCode).toBe(200);
    expect((await actOn(server, id, 'reveal', { fields: ['bvn'] })).json().bvn).toBe(ada.bvn);
    expect((await actOn(server, id, 'export')).body).not.toContain(ada.bvn);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('what the operator had opened since the freeze is shut again, and the PayTag is not restored', async () => {
    const ada = await loggedIn(server, await server.newPartner());
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    await changeWallet(server, ada.wallet, { status: 'Enabled' });
    await moveTag(server, ada.paytag, 'restore');
    expect((await handedBack(server, id)).json().answer).toMatchObject({
      paytagStatus: 'SUSPENDED',
      wallets: [{ reference: ada.wallet, status: 'PND' }],
    });
    expect(refusalOf(await moveTag(server, ada.paytag, 'restore'))).toEqual([409, 'TAG_STATUS_CONFLICT']);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a partner takes what it paid in back while the operator has opened the wallet, and the customer nothing', async () => {
    const partner = await server.newPartner({ float: 100 });
    const ada = await loggedIn(server, partner, 40);
    const id = await customerIdOf(server, ada.paytag);
    await actOn(server, id, 'freeze');
    await handedBack(server, id);
    await changeWallet(server, ada.wallet, { status: 'Enabled' });
    const undone = { partnerId: partner.id, reference: 'not-theirs', reason: 'ticket 901' };
    const reversal = await server.operate('POST', `/transactions/for-${ada.wallet}/reverse`, undone);
    expect([reversal.statusCode, reversal.json().Amount]).toEqual([200, 40]);
    expect((await server.call('GET', '/v2/sso/wallet', { headers: ada.headers })).statusCode).toBe(401);
    await changeWallet(server, ada.wallet, { status: 'PND' });
    const float = await server.call('GET', '/v2/partner/float', { headers: partner.headers });
    expect(float.json().items).toContainEqual(expect.objectContaining({ Currency: 'NGN', Balance: 100 }));
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('asked for again it answers at once how they stand, and audits nothing more', async () => {
    const id = await frozen();
    const first = await handedBack(server, id);
    server.clock.advance(1000);
    const second = await ask(id);
    expect([second.statusCode, second.json()]).toEqual([200, first.json().answer]);
    const entries = await auditOf(server, id);
    expect(entries.map(({ action }) => action)).toEqual(['customer.freeze', 'customer.hand-back-bvn']);
    expect(entries[1]).toMatchObject({ actor: expect.stringContaining('operator:root, approved by operator:') });
  });

  it('409: they were released before it was approved', async () => {
    const id = await frozen();
    const asked = (await ask(id)).json<{ id: string }>();
    await actOn(server, id, 'release');
    const approved = await approve(await newOperator(server, 'admin'), asked.id);
    expect(refusalOf(approved)).toEqual([409, 'CUSTOMER_STATUS_CONFLICT']);
  });

  it('is a security event, of whose BVN it was', async () => {
    const id = await frozen();
    await handedBack(server, id);
    const events = server.logged.split('\n').filter((line) => line.includes('"bvn_handed_back"') && line.includes(id));
    expect(events).toHaveLength(1);
  });
});

describe('POST /customers/{id}/export', () => {
  it('who they are, their money at every partner, and what was done to them', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner({ float: 100 })];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada, 30);
    const bola = await loggedIn(server, here);
    await pay(server, ada, { paytag: bola.paytag, amount: 5, reference: 'lunch', comment: 'for the lunch' });
    await server.call('POST', '/v2/sso/wallet/bank-account', {
      headers: ada.headers,
      payload: { accountNumber: '0123456789', bankCode: '057' },
    });
    const { nuban } = (await server.operate('GET', `/wallets/${ada.wallet}`)).json();
    const sender = { name: 'Chidi Okafor' };
    await server.operate('POST', '/transactions', { type: 'INBOUND', nuban, amount: 7, reference: 'bank-1', sender });
    await startChange(server, ada, { email: 'ada.anew@example.com' });
    const id = await customerIdOf(server, ada.paytag);
    const answer = await actOn(server, id, 'export');
    expect(answer.statusCode).toBe(200);
    const { bvn, phone, email, dateOfBirth, paytag } = ada;
    expect(answer.json()).toMatchObject({
      customerId: id,
      data: {
        profile: { firstName: 'Ada', lastName: 'Obi', bvn, phone, email, dateOfBirth, hasPassword: true },
        payTags: [{ handle: paytag, status: 'ACTIVE', subject: { displayName: 'Ada Obi' } }],
        wallets: [
          { reference: ada.wallet, nuban, total: 42, currency: 'NGN', partner: { id: here.id } },
          { reference: adaThere.wallet, total: 30, partner: { id: there.id } },
        ],
        transactions: { count: 4, isComplete: true },
        receivedFrom: { items: [{ type: 'INBOUND', senderName: 'Chidi Okafor', wallet: ada.wallet }] },
        beneficiaries: [{ partner: { id: here.id }, paytag: bola.paytag }],
        bankAccounts: [{ accountNumber: '0123456789', bankName: 'Zenith Bank' }],
        logins: { partners: [{ partner: { id: here.id } }, { partner: { id: there.id } }] },
        onboarding: expect.arrayContaining([expect.objectContaining({ email: 'ada.anew@example.com' })]),
        notices: expect.arrayContaining([expect.objectContaining({ recipient: email })]),
        changesByOperators: { items: [{ action: 'customer.find' }] },
      },
    });
    const { transactions } = answer.json().data;
    expect(transactions.items.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([30, 40, 5, 7]);
    expect(JSON.stringify(answer.json())).not.toContain(bola.phone);
    expect(await auditOf(server, id)).toMatchObject([
      { action: 'bank_account.link' },
      { action: 'customer.export', reason: 'a test asks for it' },
    ]);
  });

  it('what applications asked of their PayTag, and what others were offered', async () => {
    const sides = await customerWithRequester(server);
    await newClaim(server, sides);
    const [employer, other] = [await newSide(server), await newSide(server)];
    for (const reference of ['wages-may', 'wages-june'])
      expect((await initiate(server, employer, { receiverTag: sides.tag, amount: 5, reference })).statusCode).toBe(201);
    await offer(server, employer, other);
    const { claims, offers } = (await actOn(server, await customerIdOf(server, sides.tag), 'export')).json().data;
    expect(claims).toMatchObject([{ paytag: sides.tag, for: 'Bola Ade', state: 'PENDING' }]);
    expect(offers).toMatchObject({
      count: 2,
      isComplete: true,
      items: [
        { reference: 'wages-june', receiver: { tag: sides.tag } },
        { reference: 'wages-may', amount: 5 },
      ],
    });
  });

  it('an onboarding that was begun with their BVN, before anybody knew whose it was', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const { paytag, ...known } = person;
    const payload = { ...known, tag: paytag };
    const { headers } = partner;
    const begun = await server.call('POST', '/v2/sso/create-tag', {
      headers,
      payload: { ...known, email: 'old@example.com' },
    });
    expect(begun.statusCode).toBe(200);
    await server.call('POST', '/v2/partner/paytag', { headers, payload });
    const { onboarding } = (await actOn(server, await customerIdOf(server, paytag), 'export')).json().data;
    expect(onboarding).toMatchObject([{ kind: 'CREATION', bvn: person.bvn, email: 'old@example.com' }]);
  });
});

describe('POST /customers/{id}/erase', () => {
  const refusal = (answer: Answer) => {
    const { errorCode, errors } = answer.json<{ errorCode: string; errors: string[] }>();
    return [answer.statusCode, errorCode, errors];
  };

  it('wallets are revoked, the PayTag is closed, and a pseudonym is left; the books stay as they are', async () => {
    const [here, there] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const ada = await loggedIn(server, here, 40);
    const adaThere = await logInAt(server, there, ada);
    const bola = await loggedIn(server, here);
    await pay(server, ada, { paytag: bola.paytag, amount: 40, reference: 'all' });
    const id = await customerIdOf(server, ada.paytag);
    const answer = await actOn(server, id, 'erase');
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
    const said = ['wallet.primary', 'customer.erase', 'customer.export'];
    expect((await auditOf(server, id)).map(({ action }) => action)).toEqual(said);
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

  it('409: says what remains: money, holds, liens and what waits in suspense', async () => {
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
});
