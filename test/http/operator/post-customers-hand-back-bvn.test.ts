import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { approve } from '../../support/approvals.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';
import { actOn, customerIdOf, customerWithId, findCustomers, handedBack } from '../../support/customers.ts';
import { newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { moveTag } from '../../support/tags.ts';
import { changeWallet, loggedIn, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const ask = (id: string) => actOn(server, id, 'hand-back-bvn');
const frozen = async () => {
  const { id } = await customerWithId(server, await server.newPartner());
  await actOn(server, id, 'freeze');
  return id;
};

describe('202', () => {
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
});

describe('200', () => {
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
});

describe('409', () => {
  it('they were released before it was approved', async () => {
    const id = await frozen();
    const asked = (await ask(id)).json<{ id: string }>();
    await actOn(server, id, 'release');
    const approved = await approve(await newOperator(server, 'admin'), asked.id);
    expect(refusalOf(approved)).toEqual([409, 'CUSTOMER_STATUS_CONFLICT']);
  });
});

it('is a security event, of whose BVN it was', async () => {
  const id = await frozen();
  await handedBack(server, id);
  const events = server.logged.split('\n').filter((line) => line.includes('"bvn_handed_back"') && line.includes(id));
  expect(events).toHaveLength(1);
});
