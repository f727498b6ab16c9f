import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { asMinor, type Posted, type Poster, type Posting } from '#modules/ledger';
import { eventually } from '../../support/eventually.ts';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { newPoster, postingBetween } from '../../support/post.ts';
import { openLocker } from '../../support/row-locks.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const ledger = useLedger();
const owned = (book: Book, reference: string) => ({ owner: book.partner, partner: book.partner, reference });
const credit = (book: Book, amount: bigint, reference: string): Posting =>
  postingBetween(book.float, book.wallet, amount, owned(book, reference));

/** A poster through a proxy, with connections of its own. */
let proxy: TcpProxy;
let database: DatabaseHandle;
let poster: Poster;
beforeAll(async () => {
  proxy = await startTcpProxy(ledger.pool.options.connectionString ?? '');
  database = openDatabase(proxy.url, 4, () => {});
  poster = newPoster(database.pool, () => undefined);
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await database.close();
  await proxy.close();
});

/**
 * Makes both calls that this partner may have wait, so that what it posts next is gathered. They wait for two wallets of
 * their own: nothing that is gathered stands between them.
 */
async function occupy({ partner, float }: Book): Promise<{ release: () => Promise<Posted[]> }> {
  const [from, to] = [await ledger.newWallet(partner), await ledger.newWallet(partner)];
  const named = (reference: string) => ({ owner: partner, partner, reference });
  await poster.post(postingBetween(float, from, 2n, named('funds')));
  const locker = await openLocker(ledger.pool);
  await locker.lock('ledger.account', [from]);
  const move = (reference: string) => poster.post(postingBetween(from, to, 1n, named(reference)));
  const posted = [move('one')];
  await locker.waitedFor();
  posted.push(move('other')); // once the first call is old enough for another beside it
  await eventually(async () => {
    const waiting = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    expect((await ledger.pool.query(waiting)).rows).toEqual([{ n: 2 }]);
  });
  return {
    async release() {
      await locker.release();
      return Promise.all(posted);
    },
  };
}

/** In how many database transactions these references were posted. */
async function transactionsOf(book: Book, references: readonly string[]): Promise<number> {
  const { rows } = await ledger.pool.query(
    'select count(distinct xmin::text)::int as n from ledger.transaction where owner_id = $1 and reference = any ($2)',
    [book.partner, references],
  );
  return Number(rows[0].n);
}
const outcome = (posted: Promise<Posted>) =>
  posted.then(
    ({ status }) => status,
    (error: { code?: string }) => error.code ?? error,
  );

describe('a lone posting', () => {
  it('is posted at once: it waits neither for a timer nor for other postings', async () => {
    const book = await ledger.newBook(1_000n);
    await poster.post(credit(book, 1n, 'connected'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    expect(await poster.post(credit(book, 1n, 'lone'))).toMatchObject({ status: 'Successful', replayed: false });
  });

  it('does not wait for one whose account is locked', async () => {
    const [stuck, book] = [await ledger.newBook(1_000n), await ledger.newBook(1_000n)];
    const locker = await openLocker(ledger.pool);
    await locker.lock('ledger.account', [stuck.wallet]);
    const waiting = poster.post(credit(stuck, 1n, 'stuck'));
    await locker.waitedFor();
    expect(await poster.post(credit(book, 1n, 'lone'))).toMatchObject({ status: 'Successful' });
    await locker.release();
    expect(await waiting).toMatchObject({ status: 'Successful' });
  });
});

describe('postings that come while others are under way', () => {
  it('go together in one transaction, each with its own outcome: one refused never touches its neighbours', async () => {
    const book = await ledger.newBook(1_002n);
    const busy = await occupy(book);
    const references = ['a', 'b', 'c', 'd'];
    const sent = [
      poster.post(credit(book, 400n, 'a')),
      poster.post(credit(book, 700n, 'b')),
      poster.post(credit(book, 500n, 'c')),
      poster.post(credit(book, 400n, 'a')),
      poster.post(credit(book, 401n, 'a')),
      poster.post(credit(book, 100n, 'd')),
    ].map(outcome);
    await busy.release();
    expect(await Promise.all(sent)).toEqual([
      'Successful',
      'INSUFFICIENT_FUNDS',
      'Successful',
      'Successful',
      'REFERENCE_REUSED',
      'Successful',
    ]);
    expect(await transactionsOf(book, references)).toBe(1);
    expect(await ledger.balance(book.wallet)).toBe(1_000n);
  });

  it('are each answered for themselves, also beside one that a defect of ours made', async () => {
    const book = await ledger.newBook(1_002n);
    const busy = await occupy(book);
    const broken = { ...credit(book, 1n, 'broken'), legs: [] };
    const sent = [poster.post(credit(book, 1n, 'x')), poster.post(broken), poster.post(credit(book, 1n, 'y'))];
    const settled = Promise.allSettled(sent);
    await busy.release();
    expect(await settled).toMatchObject([
      { value: { status: 'Successful', replayed: false } },
      { reason: { message: expect.stringMatching(/^the ledger refused with /) } },
      { value: { status: 'Successful', replayed: false } },
    ]);
    expect(await transactionsOf(book, ['x', 'y'])).toBe(1);
  });

  it('an unexpected error fails only the posting that it is about', async () => {
    const book = await ledger.newBook(1_002n);
    const busy = await occupy(book);
    const straight = credit(book, 100n, 'odd');
    const [from, to] = straight.legs;
    const odd: Record<string, Partial<Posting>> = {
      PT001: {
        legs: [from, to].flatMap((leg) => (leg === undefined ? [] : [{ ...leg, amount: asMinor(leg.amount + 1n) }])),
      },
      '22P05': { comment: 'nothing \u0000 more' },
      '23503': { destination: 987_654_321 },
      '23514': { amount: asMinor(0n) },
      '22P02': { owner: 'nobody' },
    };
    const sent = Object.entries(odd).flatMap(([code, members]) => [
      poster.post(credit(book, 10n, `before-${code}`)),
      poster.post({ ...straight, reference: `odd-${code}`, ...members }),
    ]);
    const last = poster.post(credit(book, 10n, 'last'));
    await busy.release();
    const outcomes = await Promise.all([...sent, last].map(outcome));
    expect(outcomes).toEqual([...Object.keys(odd).flatMap((code) => ['Successful', code]), 'Successful']);
    expect(await ledger.balance(book.wallet)).toBe(60n);
    const { rows } = await ledger.pool.query(`select 1 from ledger.transaction where reference like 'odd-%'`);
    expect(rows).toEqual([]);
  });

  it('are all posted, however many they are', async () => {
    const book = await ledger.newBook(1_000n);
    const references = Array.from({ length: 500 }, (_, at) => `of-many-${at}`);
    await Promise.all(references.map((reference) => poster.post(credit(book, 1n, reference))));
    expect(await ledger.balance(book.wallet)).toBe(500n);
    expect(await transactionsOf(book, references)).toBeLessThan(250);
  });
});

describe('when the connection breaks', () => {
  it('after the commit, the same reference is answered with its first outcome', async () => {
    const book = await ledger.newBook(1_000n);
    for (const [amount, status] of [
      [100n, 'Successful'],
      [5_000n, 'INSUFFICIENT_FUNDS'],
    ] as const) {
      proxy.loseAnswers(1);
      await expect(poster.post(credit(book, amount, status))).rejects.toThrow(/Connection terminated|ECONNRESET/);
      expect(await transactionsOf(book, [status])).toBe(1);
      expect(await ledger.balance(book.wallet)).toBe(100n);
      expect(await outcome(poster.post(credit(book, amount, status)))).toBe(status);
    }
    expect(await poster.post(credit(book, 100n, 'Successful'))).toMatchObject({ replayed: true });
    expect(await ledger.balance(book.wallet)).toBe(100n);
  });

  it('after the commit of many, each is answered by its reference, and none is posted twice', async () => {
    const book = await ledger.newBook(1_002n);
    const busy = await occupy(book);
    const locker = await openLocker(ledger.pool);
    await locker.lock('ledger.account', [book.wallet]);
    const references = ['a', 'b', 'c', 'd'];
    const sent = references.map((reference, at) =>
      outcome(poster.post(credit(book, BigInt(at + 1) * 120n, reference))),
    );
    await busy.release();
    await locker.waitedFor();
    proxy.loseAnswers(1);
    await locker.release();
    expect(await Promise.all(sent)).toEqual(['Successful', 'Successful', 'Successful', 'INSUFFICIENT_FUNDS']);
    expect(await transactionsOf(book, references)).toBe(1);
    expect(await ledger.balance(book.wallet)).toBe(720n);
  });

  it('before the call arrives, nothing is posted, and the same reference posts it', async () => {
    const book = await ledger.newBook(1_000n);
    await poster.post(credit(book, 1n, 'connected'));
    proxy.loseRequests(1);
    await expect(poster.post(credit(book, 100n, 'lost'))).rejects.toThrow(/Connection terminated|ECONNRESET/);
    expect(await transactionsOf(book, ['lost'])).toBe(0);
    expect(await poster.post(credit(book, 100n, 'lost'))).toMatchObject({ replayed: false });
  });

  it('for good, what waits fails without each trying, and what comes when it is back is posted', async () => {
    const book = await ledger.newBook(1_000n);
    proxy.goAway();
    const sent = Array.from({ length: 70 }, (_, at) => outcome(poster.post(credit(book, 1n, `away-${at}`))));
    for (const failed of await Promise.all(sent)) expect(failed).not.toBe('Successful');
    expect(proxy.turnedAway).toBeLessThan(10);
    proxy.restore();
    await eventually(() => poster.post(credit(book, 1n, 'back')));
    expect(await ledger.balance(book.wallet)).toBe(1n);
  });

  it('and the books are right afterwards', async () => {
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});
