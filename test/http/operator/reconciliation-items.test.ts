import { beforeAll, describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { importOf } from '../../support/bank-files.ts';
import { brokenInvariants } from '../../support/books.ts';
import { eventually } from '../../support/eventually.ts';
import { auditOf, newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { bookOf, newReference, newWallet, paymentsOf } from '../../support/wallets.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });

describe('GET /reconciliation/items', () => {
  const list = (query: string) => server.operate('GET', `/reconciliation/items?${query}`);
  const lines = [
    { day: '2026-11-19', amount: 500n, reference: 'R', narration: '=HYPERLINK(1)' },
    { day: '2026-11-20', amount: 500n, reference: 'R' },
  ];

  it('lines, newest first, by rail, status, file and day, as a page or a file in which nothing is a formula', async () => {
    const { id } = (await server.operate('POST', '/reconciliation/imports', importOf('TERMINAL', 'CSV', lines))).json();
    await server.operate('POST', '/reconciliation/imports', importOf('GATEWAY', 'CSV', lines));
    const statuses = async (query: string) =>
      (await list(query)).json().items.map(({ status }: { status: string }) => status);
    expect(await statuses('rail=TERMINAL')).toEqual(['DUPLICATE', 'THEIRS_ALONE']);
    expect(await statuses(`importId=${id}&status=DUPLICATE`)).toEqual(['DUPLICATE']);
    expect(await statuses('from=2026-11-20')).toEqual(['DUPLICATE', 'DUPLICATE']);
    expect(await statuses('to=2026-11-19&rail=GATEWAY')).toEqual(['THEIRS_ALONE']);
    const file = await list('rail=TERMINAL&format=csv');
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.body).toContain(`'=HYPERLINK(1)`);
  });
});

describe('POST /reconciliation/items/{id}/resolve', () => {
  const day = businessDay(new Date());
  let wallet: { nuban: string; reference: string };
  beforeAll(async () => {
    wallet = await newWallet(server, await server.newPartner());
  });

  const resolve = (id: string, body: object) =>
    server.operate('POST', `/reconciliation/items/${id}/resolve`, { reason: 'asked the bank', ...body });
  const reference = () => `NIP-${newReference()}`;
  const imported = async (lines: { day: string; amount: bigint; reference: string }[]) => {
    const { id } = (await server.operate('POST', '/reconciliation/imports', importOf('INBOUND', 'CSV', lines))).json();
    const { items } = (await server.operate('GET', `/reconciliation/items?importId=${id}&limit=100`)).json();
    return { id, items };
  };
  const alone = async (amount: bigint, name = reference()) =>
    (await imported([{ day, amount, reference: name }])).items.find(
      ({ line }: { line?: number }) => line !== undefined,
    );
  const paid = async (amount: number, name = reference()): Promise<number> =>
    (await paymentsOf(server).inbound(wallet.nuban, { amount, reference: name })).json().ID;
  const balanceOf = async (account: string): Promise<number> => {
    const { items } = (await server.operate('GET', '/accounts')).json();
    return items.find((one: { account: string; currency: string }) => one.account === account && one.currency === 'NGN')
      .balance;
  };

  it('MATCH: a line under another reference is paired with its posting, once', async () => {
    const transactionId = await paid(40);
    const { id } = await alone(4_000n);
    const answer = await resolve(id, { action: 'MATCH', transactionId });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { id, status: 'MATCHED', transactionId, action: 'MATCH', reason: 'asked the bank', difference: 0 },
    ]);
    expect((await resolve(id, { action: 'MATCH', transactionId })).json()).toEqual(answer.json());
    const [entry] = await auditOf(server, id);
    expect(entry).toMatchObject({ before: { status: 'THEIRS_ALONE' }, after: { status: 'MATCHED', transactionId } });
    const other = await alone(4_000n);
    expect(refusalOf(await resolve(other.id, { action: 'MATCH', transactionId }))).toEqual([
      409,
      'RECONCILIATION_ITEM_STATE_CONFLICT',
    ]);
  });

  it('MATCH with a posting of another amount leaves the difference open, and POST closes it', async () => {
    const transactionId = await paid(50);
    const { id } = await alone(4_950n);
    expect((await resolve(id, { action: 'MATCH', transactionId })).json()).toMatchObject({
      status: 'AMOUNT_DIFFERS',
      difference: -0.5,
    });
    const before = await balanceOf('FEE');
    const closed = await resolve(id, { action: 'POST', account: 'FEE' });
    expect(closed.json()).toMatchObject({ status: 'RESOLVED', adjustmentId: expect.any(Number), difference: 0 });
    expect(await balanceOf('FEE')).toBe(before - 0.5);
    expect((await resolve(id, { action: 'POST', account: 'FEE' })).json()).toEqual(closed.json());
    expect(refusalOf(await resolve(id, { action: 'POST', account: 'DIFFERENCE' }))).toEqual([409, 'REFERENCE_REUSED']);
    expect(await balanceOf('FEE')).toBe(before - 0.5);
  });

  it('MATCH of one whose day differs says that it is right', async () => {
    const name = reference();
    const transactionId = await paid(60, name);
    const late = new Date(Date.parse(day) + 7 * 86_400_000).toISOString().slice(0, 10);
    const { items } = await imported([{ day: late, amount: 6_000n, reference: name }]);
    expect(items[0]).toMatchObject({ status: 'DAY_DIFFERS', transactionId });
    expect((await resolve(items[0].id, { action: 'MATCH', transactionId })).json()).toMatchObject({
      status: 'MATCHED',
    });
  });

  it('TIMING: what is ours alone waits, and a later file matches it by itself under the same id', async () => {
    const name = reference();
    await paid(70, name);
    const { items } = await imported([{ day, amount: 1n, reference: reference() }]);
    const ours = items.find(({ ourAmount }: { ourAmount?: number }) => ourAmount === 70);
    expect((await resolve(ours.id, { action: 'TIMING' })).json()).toMatchObject({ id: ours.id, status: 'TIMING' });
    expect((await imported([{ day, amount: 7_000n, reference: name }])).items).toMatchObject([
      { id: ours.id, status: 'MATCHED' },
    ]);
  });

  it('BOOK: what only the bank has is credited under its reference, and a report of the rail is the same one then', async () => {
    const name = reference();
    const { id } = await alone(8_000n, name);
    const { kobo } = await bookOf(server, 'WALLET', wallet.reference);
    const booked = await resolve(id, { action: 'BOOK', nuban: wallet.nuban });
    expect(booked.json()).toMatchObject({ status: 'MATCHED', ourAmount: 80, action: 'BOOK' });
    const { inbound } = paymentsOf(server);
    const words = [
      { sender: { name: 'A. OBI' } },
      { sender: { name: 'ADA OBI', type: 'BANK' }, comment: 'NIP/ADA OBI/rent' },
      { metadata: { session: '7' } },
    ];
    const answers = [];
    for (const given of words) answers.push(await inbound(wallet.nuban, { amount: 80, reference: name, ...given }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(refusalOf(await inbound(wallet.nuban, { amount: 81, reference: name }))).toEqual([409, 'REFERENCE_REUSED']);
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ kobo: kobo + 8_000 });
    const again = await resolve(id, { action: 'BOOK', nuban: wallet.nuban, senderName: 'Somebody Else' });
    expect(again.json()).toEqual(booked.json());
  });

  it('BOOK: a report of the rail is the same one however the bank or the rail writes its reference, also at once', async () => {
    const { inbound } = paymentsOf(server);
    const spellings: [atBank: string, atRail: string][] = [
      ['', '-'],
      ['-', ''],
      ['-', '/'],
      [' ', ''],
    ].map(([bank = '', rail = '']) => {
      const parts = ['Nip', newReference(), newReference()];
      return [parts.join(bank).toUpperCase(), parts.join(rail).toLowerCase()];
    });
    const { kobo } = await bookOf(server, 'WALLET', wallet.reference);
    for (const [atBank, atRail] of spellings) {
      const { id } = await alone(8_100n, atBank);
      const report = () => inbound(wallet.nuban, { amount: 81, reference: atRail, sender: { name: 'ADE' } });
      const [booked, ...reports] = await Promise.all([
        resolve(id, { action: 'BOOK', nuban: wallet.nuban }),
        report(),
        report(),
      ]);
      const answers = [...reports, await report()].map((answer) => [answer.statusCode, answer.json().ID]);
      const { status, transactionId } = booked.json();
      expect([atBank, atRail, status, answers]).toEqual([
        atBank,
        atRail,
        'MATCHED',
        answers.map(() => [200, transactionId]),
      ]);
      const mistaken = await inbound(wallet.nuban, { amount: 82, reference: atRail });
      expect(refusalOf(mistaken)).toEqual([409, 'REFERENCE_REUSED']);
    }
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ kobo: kobo + spellings.length * 8_100 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('BOOK of what the rail has reported since is that report', async () => {
    const name = reference();
    const { id } = await alone(8_050n, name);
    const { kobo } = await bookOf(server, 'WALLET', wallet.reference);
    const reported = await paymentsOf(server).inbound(wallet.nuban, { amount: 80.5, reference: name });
    expect((await resolve(id, { action: 'BOOK', nuban: wallet.nuban, senderName: 'ADA OBI' })).json()).toMatchObject({
      status: 'MATCHED',
      transactionId: reported.json().ID,
    });
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ kobo: kobo + 8_050 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('BOOK of a second line under the reference of the first is another payment, once', async () => {
    const name = reference();
    await paid(75, name);
    const lines = [
      { day, amount: 7_500n, reference: name },
      { day, amount: 7_500n, reference: name },
    ];
    const second = (await imported(lines)).items.find(({ status }: { status: string }) => status === 'DUPLICATE');
    const { kobo } = await bookOf(server, 'WALLET', wallet.reference);
    const booked = await resolve(second.id, { action: 'BOOK', nuban: wallet.nuban });
    expect(booked.json()).toMatchObject({ status: 'MATCHED', ourAmount: 75 });
    expect((await resolve(second.id, { action: 'BOOK', nuban: wallet.nuban })).json()).toEqual(booked.json());
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ kobo: kobo + 7_500 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('BOOK of a second line that was put to TIMING is another payment too, and so is the first where it was booked before', async () => {
    const two = async () => {
      const line = { day, amount: 7_600n, reference: reference() };
      const { items } = await imported([line, line]);
      const of = (status: string) => items.find((one: { status: string }) => one.status === status).id;
      return { ...line, first: of('THEIRS_ALONE'), second: of('DUPLICATE') };
    };
    const book = (id: string) => resolve(id, { action: 'BOOK', nuban: wallet.nuban });
    const { kobo } = await bookOf(server, 'WALLET', wallet.reference);
    for (const order of ['first', 'second'] as const) {
      const lines = await two();
      expect((await resolve(lines.second, { action: 'TIMING' })).json().status).toBe('TIMING');
      for (const which of order === 'first' ? [lines.first, lines.second] : [lines.second, lines.first]) {
        const booked = await book(which);
        expect(booked.json()).toMatchObject({ status: 'MATCHED', ourAmount: 76 });
        expect((await book(which)).json()).toEqual(booked.json());
      }
    }
    const lines = await two();
    await resolve(lines.second, { action: 'TIMING' });
    await paid(76, lines.reference);
    for (const which of [lines.first, lines.second]) expect((await book(which)).json().status).toBe('MATCHED');
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ kobo: kobo + 6 * 7_600 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('BOOK of what another operator posts at once moves nothing', async () => {
    const { id } = await alone(8_100n);
    const { kobo } = await bookOf(server, 'WALLET', wallet.reference);
    const holder = await server.owner.connect();
    await holder.query(`select pg_advisory_lock(hashtextextended('reconciliation:INBOUND', 0))`);
    const waiting = (count: number) =>
      eventually(async () => {
        const blocked = `locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
        const { rows } = await server.owner.query(`select pid from pg_locks where ${blocked}`);
        if (rows.length !== count) throw new Error(`${rows.length} wait`);
      });
    const posting = resolve(id, { action: 'POST', account: 'DIFFERENCE' });
    await waiting(1);
    const booking = resolve(id, { action: 'BOOK', nuban: wallet.nuban });
    await waiting(2);
    await holder.query('select pg_advisory_unlock_all()');
    holder.release();
    expect((await posting).json().status).toBe('RESOLVED');
    expect(refusalOf(await booking)).toEqual([409, 'RECONCILIATION_ITEM_STATE_CONFLICT']);
    expect(await bookOf(server, 'WALLET', wallet.reference)).toMatchObject({ kobo });
  });

  it('POST of what one side alone has takes it to the account of differences, and every file ties on', async () => {
    const before = [await balanceOf('DIFFERENCE'), await balanceOf('CLEARING_INBOUND')];
    await paid(90);
    const { id, items } = await imported([{ day, amount: -300n, reference: reference() }]);
    for (const item of items) {
      const done = await resolve(item.id, { action: 'POST', account: 'DIFFERENCE' });
      expect(done.json()).toMatchObject({ status: 'RESOLVED' });
    }
    expect([await balanceOf('DIFFERENCE'), await balanceOf('CLEARING_INBOUND')]).toEqual([
      (before[0] ?? 0) - 93,
      (before[1] ?? 0) + 3,
    ]);
    const { summary } = (await server.operate('GET', `/reconciliation/imports/${id}`)).json();
    expect(summary.ties).toBe(true);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a difference above APPROVAL_ABOVE waits for another operator, and is posted once', async () => {
    const { id } = await alone(200_000n);
    const asked = await resolve(id, { action: 'POST', account: 'DIFFERENCE' });
    expect(asked.statusCode).toBe(202);
    const other = await newOperator(server, 'finance');
    const done = await other.operate('POST', `/approvals/${asked.json().id}/approve`, {});
    expect(done.json().answer).toMatchObject({ id, status: 'RESOLVED' });
  });

  it('409: a reference that the rail has used for another amount', async () => {
    const name = reference();
    await paid(5, name);
    await imported([{ day, amount: 500n, reference: name }]);
    const { id } = await alone(700n, name);
    expect(refusalOf(await resolve(id, { action: 'BOOK', nuban: wallet.nuban }))).toEqual([409, 'REFERENCE_REUSED']);
  });

  it('409: BOOK of what was booked for another wallet', async () => {
    const { id } = await alone(9_000n);
    const other = await newWallet(server, await server.newPartner());
    const [first, again] = [
      await resolve(id, { action: 'BOOK', nuban: wallet.nuban }),
      await resolve(id, { action: 'BOOK', nuban: wallet.nuban }),
    ];
    expect(again.json()).toEqual(first.json());
    expect(refusalOf(await resolve(id, { action: 'BOOK', nuban: other.nuban }))).toEqual([409, 'REFERENCE_REUSED']);
  });
});
