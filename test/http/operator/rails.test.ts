import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#lib/postgres/executor.ts';
import { assignAccount, bookInbox } from '#modules/collections';
import { businessDay } from '#modules/ledger';
import { compareDay, listRails, runDueComparisons } from '#modules/reconciliation';
import { type TestPartner, useApp } from '../../support/app.ts';
import { chargeMessage } from '../../support/inbound.ts';
import { payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { PAYSTACK_ENV, PAYSTACK_KEY, sentPayout, tell, transferMessage } from '../../support/paystack-hooks.ts';
import { useStandIn } from '../../support/provider.ts';
import { refusalOf } from '../../support/refusals.ts';
import { fundedWallet, newReference } from '../../support/wallets.ts';

const server = useApp();

const standIn = useStandIn();

describe('GET /rails', () => {
  const alone = useApp(() => ({ ...PAYSTACK_ENV, PAYOUT_PAYSTACK_URL: standIn.origin }));
  const { payOut, carry } = payoutsOf(alone);

  const balances = [
    { currency: 'USD', balance: 1 },
    { currency: 'NGN', balance: 170_050 },
  ];
  const shown = async () => {
    const answer = await alone.operate('GET', '/rails');
    expect(answer.statusCode).toBe(200);
    return answer.json<{ items: Record<string, unknown>[] }>().items;
  };

  beforeEach(() => {
    standIn.receiver.reset();
    const body = JSON.stringify({ status: true, message: 'Balances retrieved', data: balances });
    standIn.receiver.answer(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }));
  });

  it('shows what stands at each provider and with us', async () => {
    await payOut({ amount: 1_000.5 });
    await carry(scriptedProvider({ name: 'paystack' }).provider);
    expect(await shown()).toEqual([
      { provider: 'simulator', accounts: [{ account: 'CLEARING_COLLECTION', balance: 0 }] },
      {
        provider: 'paystack',
        balance: 1_700.5,
        answers: true,
        accounts: [{ account: 'CLEARING_PAYOUT', balance: 1_000.5 }],
      },
    ]);
    const [asked] = standIn.receiver.requests;
    expect([asked?.path, asked?.headers.authorization]).toEqual(['/balance', `Bearer ${PAYSTACK_KEY}`]);
  });

  it('names the payout whose end nobody has known for the longest time, and the last day that was compared', async () => {
    await payOut();
    await carry(scriptedProvider({ name: 'paystack', sends: ['UNKNOWN'] }).provider);
    await payOut();
    const unknown = scriptedProvider({ name: 'paystack', sends: ['UNKNOWN'], verifies: ['UNKNOWN'] });
    await carry(unknown.provider);
    await alone.operate('POST', '/rails/simulator/compare', { date: '2026-02-01' });
    await alone.operate('POST', '/rails/simulator/compare', { date: '2026-01-31' });
    const { items: payouts } = (await alone.operate('GET', '/payouts?state=UNKNOWN')).json();
    expect(payouts).toHaveLength(2);
    expect(await shown()).toMatchObject([
      { lastComparison: { date: '2026-02-01', differences: 0 } },
      { oldestUnknownPayout: { id: payouts[1].id, sentAt: payouts[1].sentAt } },
    ]);
  });

  it('is nothing where nobody moves money for us, and needs no database for that', async () => {
    const db = { execute: async () => Promise.reject(new Error('away')) } as unknown as Database;
    expect(await listRails({ ...alone.resources, db, rails: [] })).toEqual([]);
  });

  it.each([
    ['fails', () => 500],
    ['says what is no balance', () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' })],
  ])('a provider that %s is shown all the same', async (_, answer) => {
    standIn.receiver.answer(answer);
    const [, paystack] = await shown();
    expect(paystack).toMatchObject({ provider: 'paystack', answers: false });
    expect(paystack).not.toHaveProperty('balance');
  });
});

describe('GET /rails/{provider}/comparisons', () => {
  const DAY_MS = 86_400_000;
  const HOUR_MS = 3_600_000;

  /** From noon in Lagos on, so that hours that pass end no day, whenever this runs. */
  beforeAll(() => {
    server.clock.stop();
    server.clock.advance(DAY_MS - ((server.clock.now().getTime() - 11 * HOUR_MS) % DAY_MS));
  });

  /** The day so many days before the last one that is over for an hour. */
  const dayBefore = (days: number): string =>
    businessDay(new Date(server.clock.now().getTime() - HOUR_MS - (days + 1) * DAY_MS));
  const listed = async (query = '') => {
    const answer = await server.operate('GET', `/rails/simulator/comparisons${query}`);
    expect(answer.statusCode).toBe(200);
    return answer.json<{ items: { date: string; comparedBy: string }[]; count: number; nextCursor?: string }>();
  };
  const days = async (query?: string) => (await listed(query)).items.map(({ date }) => date);

  it('is nothing of a provider that was never compared', async () => {
    expect((await server.operate('GET', '/rails/stripe/comparisons')).json()).toMatchObject({ items: [], count: 0 });
  });

  it('lists each night that was compared, also those that were missed, the last one first', async () => {
    await runDueComparisons(server.resources);
    await runDueComparisons(server.resources);
    expect(await days()).toEqual([dayBefore(0)]);
    server.clock.advance(4 * DAY_MS);
    await server.operate('POST', '/rails/simulator/compare', { date: dayBefore(1) });
    await runDueComparisons(server.resources);
    expect(await days()).toEqual([0, 2, 3, 1, 4].map(dayBefore));
    server.clock.advance(40 * DAY_MS);
    await runDueComparisons(server.resources);
    const all = await listed('?limit=100');
    expect(all.items.slice(0, 31).map(({ date }) => date)).toEqual(
      Array.from({ length: 31 }, (_, at) => dayBefore(at)),
    );
    expect(all.count).toBe(36);
  });

  it('a day that was compared before it had ended is compared once more', async () => {
    server.clock.advance(DAY_MS);
    const today = businessDay(server.clock.now());
    await runDueComparisons(server.resources);
    await server.operate('POST', '/rails/simulator/compare', { date: today });
    server.clock.advance(DAY_MS + HOUR_MS);
    await runDueComparisons(server.resources);
    const { items } = await listed(`?from=${today}&to=${today}`);
    expect(items).toMatchObject([{ comparedBy: 'nightly' }, { comparedBy: 'operator:root' }]);
  });

  it('so is the first that was ever compared, and the nights missed since', async () => {
    const [simulator] = server.resources.rails;
    if (simulator === undefined) throw new Error('there is no rail');
    const rails = [{ ...simulator, name: 'new' }];
    const today = businessDay(server.clock.now());
    await compareDay({ ...server.resources, rails }, { provider: 'new', day: today, actor: 'operator:root' });
    server.clock.advance(2 * DAY_MS + 2 * HOUR_MS);
    await runDueComparisons({ ...server.resources, rails });
    const { items } = (await server.operate('GET', '/rails/new/comparisons')).json();
    expect(items.map(({ date }: { date: string }) => date)).toEqual([dayBefore(0), today, today]);
  });

  it('a provider that does not answer keeps no other waiting, and is asked again', async () => {
    server.clock.advance(DAY_MS);
    const [simulator] = server.resources.rails;
    if (simulator === undefined) throw new Error('there is no rail');
    const away = { ...simulator, name: 'away', list: async () => Promise.reject(new Error('away')) };
    await runDueComparisons({ ...server.resources, rails: [away, simulator] });
    expect((await days()).slice(0, 1)).toEqual([dayBefore(0)]);
    await runDueComparisons({ ...server.resources, rails: [{ ...simulator, name: 'away' }] });
    expect((await server.operate('GET', '/rails/away/comparisons')).json().items).toMatchObject([
      { date: dayBefore(0) },
    ]);
  });

  it('a worker that is about to end begins no further day, and leaves the others to the next run', async () => {
    server.clock.advance(3 * DAY_MS);
    const [simulator] = server.resources.rails;
    if (simulator === undefined) throw new Error('there is no rail');
    const closing = new AbortController();
    const list: typeof simulator.list = (...asked) => {
      closing.abort();
      return simulator.list(...asked);
    };
    await runDueComparisons({ ...server.resources, rails: [{ ...simulator, list }] }, closing.signal);
    expect((await days())[0]).toBe(dayBefore(2));
    await runDueComparisons(server.resources);
    expect((await days()).slice(0, 3)).toEqual([0, 1, 2].map(dayBefore));
  });

  it('page by page, of some days, and as a file', async () => {
    const { items, nextCursor } = await listed('?limit=2');
    expect(items).toHaveLength(2);
    const behind = await days(`?limit=1&cursor=${nextCursor}`);
    expect(behind).toEqual((await days('?limit=3')).slice(2));
    const two = await days(`?from=${dayBefore(3)}&to=${dayBefore(2)}`);
    expect([...new Set(two)].toSorted()).toEqual([dayBefore(3), dayBefore(2)]);
    const file = await server.operate('GET', `/rails/simulator/comparisons?format=csv&to=${dayBefore(50)}`);
    expect(file.body.split('\r\n')[0]).toBe(
      '\ufeffprovider,date,theirs.count,theirs.amount,ours.count,ours.amount,comparedAt,differences,comparedBy',
    );
  });
});

describe('GET /rails/{provider}/comparisons/{date}', () => {
  const DATE = '2026-01-31';

  it('is the last comparison of the day', async () => {
    const compared = await server.operate('POST', '/rails/simulator/compare', { date: DATE });
    expect(compared.json()).toMatchObject({ provider: 'simulator', date: DATE, differences: [] });
    const shown = await server.operate('GET', `/rails/simulator/comparisons/${DATE}`);
    expect([shown.statusCode, shown.json()]).toEqual([200, compared.json()]);
  });

  it('is what differed of it as a file', async () => {
    await server.operate('POST', '/rails/simulator/compare', { date: DATE });
    const difference = { kind: 'TRANSFER', reference: '=payout', what: 'THEY_LACK', ours: '10050' };
    const plant = 'update rail_comparisons.comparison set differences = $1';
    await server.owner.query(plant, [JSON.stringify([difference])]);
    const file = await server.operate('GET', `/rails/simulator/comparisons/${DATE}?format=csv`);
    expect([file.headers['content-type'], file.body]).toEqual([
      'text/csv; charset=utf-8',
      "\ufeffkind,reference,what,ours,theirs,corrected\r\nTRANSFER,'=payout,THEY_LACK,100.5,,\r\n",
    ]);
  });
});

describe('POST /rails/{provider}/compare', () => {
  const alone = useApp(() => ({
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
    ({ partner, wallet } = await fundedWallet(alone, 1_000_000));
    const assigned = { accountNumber, bankName: 'B', bankCode: '035', accountName: 'A' };
    const inboundProvider = { name: 'paystack', assign: async () => assigned };
    await assignAccount({ ...alone.resources, inboundProvider }, { partnerId: partner.id, walletReference: wallet });
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
        const data = [...all, ...elsewhere].find((one) => one?.reference === decodeURIComponent(reference));
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

  const today = () => businessDay(alone.clock.now());
  const compare = (provider = 'paystack', date = today()) =>
    alone.operate('POST', `/rails/${provider}/compare`, { date });
  const payout = () => sentPayout(alone, { headers: partner.headers, wallet });
  const dataOf = (message: string): Movement => JSON.parse(message).data;
  const payment = (given: object = {}) => dataOf(chargeMessage({ accountNumber, reference: newReference(), ...given }));
  const found = async () => {
    const { differences } = (await compare()).json();
    return differences.map(({ reference, what }: { reference: string; what: string }) => [reference, what]);
  };

  async function booked(message: string): Promise<Movement> {
    await tell(alone, message);
    alone.clock.advance(2_000);
    await bookInbox(alone.resources);
    return dataOf(message);
  }

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
    await alone.owner.query(longAgo, [gone.id]);

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
      expect((await alone.operate('GET', `/payouts/${id}`)).json().state).toBe('SUCCESSFUL');
    }
    const { items } = (await alone.operate('GET', `/inbox?reference=${unseen.reference}`)).json();
    expect(items).toMatchObject([{ origin: 'COMPARISON', state: 'BOOKED' }]);

    const again = unique(await found());
    expect(again).toEqual(unique(differences.filter(([, what]) => what !== 'WE_LACKED')));
    expect((await alone.operate('GET', '/ledger/check')).json().ok).toBe(true);
  });

  type Row = Record<string, unknown> & { authorization: object };
  describe('a row that is not as documented', () => {
    const unreadable = async (kind: 'transfer' | 'transaction', row: unknown) => {
      lists[kind] = [row as Movement];
      const { theirs, differences } = (await compare()).json();
      const seen: Row[] = differences.filter(({ what }: Row) => what !== 'THEY_LACK');
      return [theirs.count, seen.map(({ reference, what }) => [reference, what])];
    };

    it.each<[what: string, change: (row: Row) => void]>([
      ['a sender that is a number', (row) => Object.assign(row.authorization, { sender_name: 5 })],
      ['no authorization', (row) => Object.assign(row, { authorization: null })],
      ['no metadata', (row) => Object.assign(row, { metadata: undefined })],
      ['no channel, but that of its authorization', (row) => Object.assign(row, { channel: undefined })],
      ['no status', (row) => Object.assign(row, { status: undefined })],
    ])('in what its booking needs not is booked, of a payment with %s', async (_what, change) => {
      const row = payment() as Movement & Row;
      change(row);
      expect(await unreadable('transaction', row)).toEqual([1, [[row['reference'], 'WE_LACKED']]]);
      expect(await unreadable('transaction', row)).toEqual([1, []]);
    });

    it.each<[what: string, change: (row: Row) => void, reference?: string]>([
      ['an amount in a text', (row) => Object.assign(row, { amount: '500000' })],
      ['an amount of half a kobo', (row) => Object.assign(row, { amount: 0.5 })],
      ['a reference that is a number', (row) => Object.assign(row, { reference: 12_345 }), '12345'],
      ['no reference', (row) => Object.assign(row, { reference: undefined }), '1253872410'],
      ['no currency', (row) => Object.assign(row, { currency: undefined })],
      ['a status of another kind', (row) => Object.assign(row, { status: 'settled' })],
      ['a status that is a number', (row) => Object.assign(row, { status: 1 })],
      [
        'nothing that names its channel',
        (row) => Object.assign(row, { channel: null, authorization: null, metadata: {} }),
      ],
    ])('is a difference, of a payment with %s', async (_what, change, reference) => {
      const row = payment() as Movement & Row;
      const known = row['reference'];
      change(row);
      expect(await unreadable('transaction', row)).toEqual([1, [[reference ?? known, 'UNREADABLE']]]);
      const { items } = (await alone.operate('GET', '/inbox?state=DIFFERENT')).json();
      expect(items[0]).toMatchObject({ origin: 'COMPARISON', difference: 'UNREADABLE', event: 'charge.success' });
      // The same row again is the same message.
      expect(await unreadable('transaction', row)).toEqual([1, [[reference ?? known, 'UNREADABLE']]]);
      expect((await alone.operate('GET', '/inbox?state=DIFFERENT')).json().items[0].id).toBe(items[0].id);
    });

    it.each([[null], [7], ['gone'], [[]], [{}]])('is a difference: %j', async (row) => {
      expect(await unreadable('transaction', row)).toEqual([1, [['', 'UNREADABLE']]]);
      lists.transaction = [];
      expect(await unreadable('transfer', row)).toEqual([1, [['', 'UNREADABLE']]]);
    });

    it.each(['failed', 'abandoned', 'pending', 'reversed'])(
      'is no payment that came in, if it is %s',
      async (status) => {
        expect(await unreadable('transaction', { ...payment(), status })).toEqual([0, []]);
      },
    );

    it.each<[what: string, change: (row: Row) => void, reference?: string]>([
      ['an amount in a text', (row) => Object.assign(row, { amount: '500000' })],
      ['a reference that is a number', (row) => Object.assign(row, { reference: 12_345 }), '12345'],
      ['no reference', (row) => Object.assign(row, { reference: undefined }), 'TRF_wpl1dem4967avzm'],
      ['a status that nobody documents', (row) => Object.assign(row, { status: 'settled' })],
      ['a status that is a number', (row) => Object.assign(row, { status: 1 })],
    ])('is a difference, of a transfer with %s', async (_what, change, reference) => {
      const { transfer } = await payout();
      const row = dataOf(transferMessage('success', transfer)) as Movement & Row;
      change(row);
      expect(await unreadable('transfer', row)).toEqual([
        1,
        expect.arrayContaining([[reference ?? transfer.reference, 'UNREADABLE']]),
      ]);
    });

    it.each(['rejected', 'blocked', 'abandoned', 'failed'])(
      'of a transfer that is %s is listed, and gives the money back',
      async (status) => {
        const { id, transfer } = await payout();
        lists.transfer = [{ ...dataOf(transferMessage('failed', transfer)), status }];
        expect(await found()).toContainEqual([transfer.reference, 'WE_LACKED']);
        expect((await alone.operate('GET', `/payouts/${id}`)).json().state).toBe('FAILED');
        expect(await found()).not.toContainEqual([transfer.reference, 'WE_LACKED']);
      },
    );

    it('is not on its way, where it is asked about', async () => {
      const known = await booked(chargeMessage({ accountNumber, reference: newReference() }));
      const reversed = await booked(chargeMessage({ accountNumber, reference: newReference() }));
      const [{ transfer }, back] = [await payout(), await payout()];
      await booked(transferMessage('reversed', back.transfer));
      elsewhere.push(
        { ...known, amount: '250000' as never },
        { ...reversed, status: 'reversed' },
        { ...dataOf(transferMessage('success', transfer)), status: 'settled' },
        { ...dataOf(transferMessage('success', back.transfer)), status: 'pending' },
      );
      const differences = await found();
      expect(differences).toContainEqual([known.reference, 'UNREADABLE']);
      expect(differences).toContainEqual([reversed.reference, 'THEY_LACK']);
      expect(differences).toContainEqual([transfer.reference, 'UNREADABLE']);
      expect(differences).toContainEqual([back.transfer.reference, 'THEY_LACK']);
      expect((await alone.operate('GET', '/ledger/check')).json().ok).toBe(true);
    });
  });

  it('502: when the provider gives no usable answer', async () => {
    standIn.receiver.answer(() => 500);
    expect(refusalOf(await compare())).toEqual([502, 'RAIL_PROVIDER_UNAVAILABLE']);
  });
});
