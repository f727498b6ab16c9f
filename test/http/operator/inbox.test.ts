import { beforeAll, describe, expect, it } from 'vitest';
import { bookInbox, receiveAndBook } from '#modules/collections';
import { type TestPartner, useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { unknownCharge, unknownPayment } from '../../support/inbound.ts';
import { auditOf, newOperator } from '../../support/operators.ts';
import { forget } from '../../support/other-times.ts';
import { newReference, newWallet } from '../../support/wallets.ts';

const server = useApp({ APPROVAL_ABOVE: '99' });

describe('GET /inbox', () => {
  it('lists what providers told us, newest first, filtered, also as a file', async () => {
    const [first, second] = [await unknownPayment(server), await unknownPayment(server)];
    const all = (await server.operate('GET', '/inbox')).json();
    expect(all).toMatchObject({ items: [{ id: second }, { id: first }], count: 2, limit: 20, offset: 0 });
    const { reference } = all.items[1];
    const one = (await server.operate('GET', `/inbox?reference=${reference}&state=DIFFERENT&kind=CHARGE`)).json();
    expect(one).toMatchObject({ items: [{ id: first, difference: 'ACCOUNT_UNKNOWN' }], count: 1 });
    for (const none of ['state=BOOKED', 'provider=paystack', 'kind=TRANSFER', 'to=2020-01-01T00:00:00Z']) {
      expect((await server.operate('GET', `/inbox?${none}`)).json().items).toEqual([]);
    }
    const file = await server.operate('GET', '/inbox?format=csv');
    expect([file.headers['content-type'], file.body.split('\r\n').length]).toEqual(['text/csv; charset=utf-8', 4]);
  });

  it('hides from a viewer who sent money, and to which account', async () => {
    const id = await unknownPayment(server);
    const { token } = await newOperator(server, 'viewer');
    const url = `/operator/v1/inbox/${id}`;
    const seen = (await server.call('GET', url, { headers: { authorization: `Bearer ${token}` } })).body;
    expect(seen).not.toMatch(/Randall|Horton|9000000000/);
  });
});

describe('GET /inbox/{id}', () => {
  it('says what a provider told us, and what has become of it', async () => {
    const id = await unknownPayment(server);
    expect((await server.operate('GET', `/inbox/${id}`)).json()).toMatchObject({
      id,
      provider: 'simulator',
      origin: 'HOOK',
      kind: 'CHARGE',
      amount: 100,
      currency: 'NGN',
      accountNumber: '9000000000',
      senderName: 'Randall Horton',
      state: 'DIFFERENT',
      difference: 'ACCOUNT_UNKNOWN',
      attempts: 1,
    });
  });
});

describe('POST /inbox/{id}/retry', () => {
  const retry = (id: string) => server.operate('POST', `/inbox/${id}/retry`, { reason: 'the account is known now' });

  it('has it tried again at once, from the first interval on', async () => {
    const id = await unknownPayment(server);
    expect((await retry(id)).json()).toMatchObject({ id, state: 'RECEIVED', attempts: 0 });
  });
});

describe('POST /inbox/{id}/credit', () => {
  let partner: TestPartner;
  let walletReference: string;

  beforeAll(async () => {
    partner = await server.newPartner();
    ({ reference: walletReference } = await newWallet(server, partner));
  });

  const credit = (id: string, given: object = {}) =>
    server.operate('POST', `/inbox/${id}/credit`, { walletReference, reason: 'the sender’s bank says so', ...given });

  const open = useApp();

  it('credits the wallet, once', async () => {
    const id = await unknownPayment(open);
    const owner = await open.newPartner();
    const { reference: wallet } = await newWallet(open, owner);
    const body = { walletReference: wallet, reason: 'the sender’s bank says so' };
    const credited = (await open.operate('POST', `/inbox/${id}/credit`, body)).json();
    expect(credited).toMatchObject({ id, state: 'BOOKED', transactionId: expect.any(Number) });
    const now = await open.call('GET', `/v2/partner/wallet/${wallet}`, { headers: owner.headers });
    expect(now.json().Wallet.TotalAmount).toBe(100);
    expect((await open.operate('GET', '/ledger/check')).json().ok).toBe(true);
    const audited = (await open.operate('GET', `/audit?target=${id}`)).json();
    expect(audited.items[0]).toMatchObject({ action: 'inbox.credit', after: { wallet, amount: '10000' } });
  });

  it('stays in the books, whoever finds it unknown meanwhile', async () => {
    const reference = newReference();
    const id = await unknownPayment(open, reference);
    const { reference: wallet } = await newWallet(open, await open.newPartner());
    const locker = await open.owner.connect();
    await locker.query('begin');
    await locker.query('select 1 from inbox.message where id = $1 for no key update', [id]);
    const waiting = (count: number) =>
      eventually(async () => {
        const blocked = 'datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0';
        const { rows } = await open.owner.query(`select pid from pg_stat_activity where ${blocked}`);
        if (rows.length !== count) throw new Error(`${rows.length} wait`);
      });
    const credited = open.operate('POST', `/inbox/${id}/credit`, { walletReference: wallet, reason: 'theirs' });
    await waiting(1);
    const body = unknownCharge(reference);
    const found = receiveAndBook(open.resources, { origin: 'HOOK', provider: 'simulator', body });
    await waiting(2);
    await locker.query('rollback');
    locker.release();
    expect((await credited).json()).toMatchObject({ id, state: 'BOOKED' });
    await found;
    expect((await open.operate('GET', `/inbox/${id}`)).json().state).toBe('BOOKED');
  });

  it('waits for another operator above APPROVAL_ABOVE', async () => {
    expect((await credit(await unknownPayment(server))).statusCode).toBe(202);
  });
});

describe('POST /inbox/{id}/dismiss', () => {
  const alone = useApp();
  const REASON = { reason: 'the bank has sent it back' };
  const dismiss = (id: string) => alone.operate('POST', `/inbox/${id}/dismiss`, REASON);
  const shown = async (id: string) => (await alone.operate('GET', `/inbox/${id}`)).json();
  const credit = async (id: string) => {
    const { reference: walletReference } = await newWallet(alone, await alone.newPartner());
    return alone.operate('POST', `/inbox/${id}/credit`, { walletReference, ...REASON });
  };

  it('closes it, once, and says in the audit log who did and why', async () => {
    const id = await unknownPayment(alone);
    expect((await dismiss(id)).json()).toMatchObject({ id, state: 'DISMISSED', difference: 'ACCOUNT_UNKNOWN' });
    expect((await dismiss(id)).statusCode).toBe(200);
    expect(await auditOf(alone, id)).toMatchObject([{ action: 'inbox.dismiss', ...REASON }]);
    alone.clock.advance(3_600_000);
    await bookInbox(alone.resources);
    expect(await shown(id)).toMatchObject({ state: 'DISMISSED', attempts: 1 });
  });

  it('what a comparison finds again stays closed, also when its body is forgotten', async () => {
    const reference = newReference();
    const id = await unknownPayment(alone, reference);
    await dismiss(id);
    const told = { provider: 'simulator', origin: 'COMPARISON', body: unknownCharge(reference) } as const;
    await receiveAndBook(alone.resources, told);
    expect(await shown(id)).toMatchObject({ state: 'DISMISSED', senderName: 'Randall Horton' });
    await forget(alone.resources, 'inbox.message', new Date(alone.clock.now().getTime() + 91 * 24 * 60 * 60 * 1000));
    expect(await shown(id)).not.toHaveProperty('senderName');
    expect(await receiveAndBook(alone.resources, told)).toMatchObject({ state: 'DIFFERENT' });
    expect(await shown(id)).toMatchObject({ state: 'DISMISSED' });
  });

  it('what was closed is opened again by another attempt, and then may be credited', async () => {
    const id = await unknownPayment(alone);
    await dismiss(id);
    expect((await credit(id)).statusCode).toBe(409);
    expect((await alone.operate('POST', `/inbox/${id}/retry`, REASON)).json()).toMatchObject({ state: 'RECEIVED' });
    await bookInbox(alone.resources);
    expect((await credit(id)).json()).toMatchObject({ state: 'BOOKED' });
    expect((await alone.operate('GET', '/ledger/check')).json().ok).toBe(true);
  });
});
