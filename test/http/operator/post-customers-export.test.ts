import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { newClaim } from '../../support/claims.ts';
import { customerWithRequester } from '../../support/consent-page.ts';
import { startChange } from '../../support/contact-change.ts';
import { actOn, customerIdOf } from '../../support/customers.ts';
import { newPerson } from '../../support/onboarding.ts';
import { initiate, newSide, offer } from '../../support/switch.ts';
import { loggedIn, logInAt, pay } from '../../support/wallets.ts';

const server = useSharedApp();

describe('200', () => {
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
    expect(await auditOf(server, id)).toMatchObject([{ action: 'customer.export', reason: 'a test asks for it' }]);
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
