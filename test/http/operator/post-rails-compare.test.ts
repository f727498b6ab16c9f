import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assignAccount } from '#modules/inbound-accounts';
import { bookInbox } from '#modules/inbox';
import { businessDay } from '#modules/ledger';
import { type TestPartner, useApp } from '../../support/app.ts';
import { chargeMessage } from '../../support/inbound.ts';
import { newReference } from '../../support/payments.ts';
import { PAYSTACK_ENV, PAYSTACK_KEY, sentPayout, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { useStandIn } from '../../support/provider.ts';
import { fundedWallet } from '../../support/wallets.ts';

const standIn = useStandIn();
const server = useApp(() => ({
  ...PAYSTACK_ENV,
  PAYOUT_NOT_FOUND_AFTER_S: '60',
  PAYOUT_PAYSTACK_URL: standIn.origin,
  INBOUND_PROVIDER: 'paystack',
  INBOUND_PAYSTACK_URL: standIn.origin,
  INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
}));
let partner: TestPartner;
let wallet: string;
const accountNumber = '9930000001';

type Movement = Record<string, unknown> & { reference: string; amount: number };
/** What Paystack has, as it lists it, and what it finds when it is asked for a reference. */
const lists: Record<'transfer' | 'transaction', Movement[]> = { transfer: [], transaction: [] };
const elsewhere: Movement[] = [];

beforeAll(async () => {
  ({ partner, wallet } = await fundedWallet(server, 1_000_000));
  const assigned = { accountNumber, bankName: 'B', bankCode: '035', accountName: 'A' };
  const inboundProvider = { name: 'paystack', assign: async () => assigned };
  await assignAccount({ ...server.resources, inboundProvider }, { partnerId: partner.id, walletReference: wallet });
});

beforeEach(() => {
  lists.transfer = [];
  lists.transaction = [];
  elsewhere.length = 0;
  const json = (status: number, body: object) => {
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  };
  standIn.receiver.answer(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://paystack');
    const [, kind = '', verb, reference = ''] = pathname.split('/');
    const all = kind === 'transfer' ? lists.transfer : lists.transaction;
    if (verb === 'verify') {
      const data = [...all, ...elsewhere].find((one) => one.reference === decodeURIComponent(reference));
      return data === undefined
        ? json(404, { status: false, message: 'not found' })
        : json(200, { status: true, message: '', data });
    }
    const [page, perPage] = [Number(searchParams.get('page')), 2]; // fewer than asked for: Paystack says how many pages there are
    const data = all.slice((page - 1) * perPage, page * perPage);
    const meta = { total: all.length, page, perPage, pageCount: Math.ceil(all.length / perPage) };
    return json(200, { status: true, message: '', data, meta });
  });
});

const today = () => businessDay(server.clock.now());
const compare = (provider = 'paystack', date = today()) =>
  server.operate('POST', `/rails/${provider}/compare`, { date });
const payout = () => sentPayout(server, { headers: partner.headers, wallet });
const dataOf = (message: string): Movement => JSON.parse(message).data;
const payment = (given: object = {}) => dataOf(chargeMessage({ accountNumber, reference: newReference(), ...given }));
const found = async () => {
  const { differences } = (await compare()).json();
  return differences.map(({ reference, what }: { reference: string; what: string }) => [reference, what]);
};

async function booked(message: string): Promise<Movement> {
  await tell(server, message);
  server.clock.advance(2_000);
  await bookInbox(server.resources);
  return dataOf(message);
}

describe('200', () => {
  it('finds each difference, books what we lacked once, and invents none', async () => {
    const [agreed, lost, changed, gone, late, open] = [
      await payout(),
      await payout(),
      await payout(),
      await payout(),
      await payout(),
      await payout(),
    ];
    await payout(); // it is on its way there: nobody lacks it yet
    const done = (one: typeof agreed, given: object = {}) =>
      dataOf(transferMessage('success', { ...one.transfer, ...given }));
    await booked(transferMessage('success', agreed.transfer));
    const known = await booked(chargeMessage({ accountNumber, reference: newReference() }));
    const untold = await booked(chargeMessage({ accountNumber, reference: newReference() }));
    const [unseen, foreign] = [payment(), payment({ accountNumber: '9911111111' })];
    const stranger = done(agreed, { reference: 'made-in-the-dashboard' });
    lists.transfer = [done(agreed), done(lost), done(changed, { amount: 1 }), stranger];
    lists.transaction = [known, unseen, foreign, { ...payment(), channel: 'card' }, { ...payment(), status: 'failed' }];
    elsewhere.push(done(late)); // it stands in another day there
    elsewhere.push({ ...done(open), status: 'pending' }); // neither of us knows its end yet
    const longAgo = `update payouts.payout set sent_at = sent_at - interval '61 seconds' where id = $1`;
    await server.owner.query(longAgo, [gone.id]);

    const differences = [
      [lost.transfer.reference, 'WE_LACKED'],
      [changed.transfer.reference, 'AMOUNT_DIFFERS'],
      ['made-in-the-dashboard', 'PAYOUT_UNKNOWN'],
      [gone.transfer.reference, 'THEY_LACK'],
      [changed.transfer.reference, 'AMOUNT_DIFFERS'],
      [late.transfer.reference, 'WE_LACKED'],
      [unseen.reference, 'WE_LACKED'],
      [foreign.reference, 'ACCOUNT_UNKNOWN'],
      [untold.reference, 'THEY_LACK'],
    ];
    const unique = (pairs: unknown[][]) => [...new Set(pairs.map((pair) => pair.join(' ')))].toSorted();
    expect(unique(await found())).toEqual(unique(differences));
    for (const { id } of [agreed, lost, late]) {
      expect((await server.operate('GET', `/payouts/${id}`)).json().state).toBe('SUCCESSFUL');
    }
    const { items } = (await server.operate('GET', `/inbox?reference=${unseen.reference}`)).json();
    expect(items).toMatchObject([{ origin: 'COMPARISON', state: 'BOOKED' }]);

    const again = unique(await found());
    expect(again).toEqual(unique(differences.filter(([, what]) => what !== 'WE_LACKED')));
    expect((await server.operate('GET', '/ledger/check')).json().ok).toBe(true);
  });
});

describe('502', () => {
  it('when the provider gives no usable answer', async () => {
    standIn.receiver.answer(() => 500);
    const answer = await compare();
    expect([answer.statusCode, answer.json().errorCode]).toEqual([502, 'RAIL_PROVIDER_UNAVAILABLE']);
  });
});
