import { beforeAll, describe, expect, it } from 'vitest';
import { receiveAndBook } from '#modules/inbox';
import { type TestPartner, useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { unknownCharge, unknownPayment } from '../../support/inbound.ts';
import { newReference, newWallet } from '../../support/payments.ts';

const server = useApp({ APPROVAL_ABOVE: '99' });
let partner: TestPartner;
let walletReference: string;

beforeAll(async () => {
  partner = await server.newPartner();
  ({ reference: walletReference } = await newWallet(server, partner));
});

const credit = (id: string, given: object = {}) =>
  server.operate('POST', `/inbox/${id}/credit`, { walletReference, reason: 'the sender’s bank says so', ...given });

describe('200', () => {
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
});

describe('202', () => {
  it('waits for another operator above APPROVAL_ABOVE', async () => {
    expect((await credit(await unknownPayment(server))).statusCode).toBe(202);
  });
});
