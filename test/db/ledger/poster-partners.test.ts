import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { createIdempotencyKeys } from '#modules/idempotency';
import type { Posted, Poster } from '#modules/ledger';
import { eventually } from '../../support/eventually.ts';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { newPoster, postingBetween, postingJson } from '../../support/post.ts';
import { openLocker } from '../../support/row-locks.ts';

const POOL_MAX = 8;
/** Of them, what a poster takes at most. */
const CALLS_MAX = 6;

const ledger = useLedger();
let database: DatabaseHandle;
let poster: Poster;
beforeAll(() => {
  database = openDatabase(ledger.pool.options.connectionString ?? '', POOL_MAX, () => {});
  poster = newPoster(database.pool);
});
afterAll(() => database.close());

const credit = ({ partner, float, wallet }: Book, reference: string, by = poster): Promise<Posted> =>
  by.post(postingBetween(float, wallet, 1n, { owner: partner, partner, reference }));
const credits = (book: Book, count: number, by = poster) =>
  Array.from({ length: count }, (_, at) => credit(book, `credit-${at}`, by));
const outcomeOf = (posted: Promise<Posted>) =>
  posted.then(
    ({ status }) => status,
    (error: { code?: string }) => error.code ?? error,
  );
const times = (count: number, outcome: string) => Array.from({ length: count }, () => outcome);

/** Partners whose floats are locked: what they post waits until `release`. */
async function lockedBooks(count: number): Promise<{ books: Book[]; release: () => Promise<void> }> {
  const books = await Promise.all(Array.from({ length: count }, () => ledger.newBook(10_000n)));
  const locker = await openLocker(ledger.pool);
  await locker.lock(
    'ledger.account',
    books.map(({ float }) => float),
  );
  return { books, release: () => locker.release() };
}

/** Takes both calls that may run at the same time, until they are known to stall: what comes meanwhile is gathered. */
async function stallTwo() {
  const { books, release } = await lockedBooks(2);
  const stalled: Promise<Posted>[] = [];
  const before = await callsThatWait();
  for (const book of books) {
    stalled.push(credit(book, 'stalled')); // the second goes once the first is old enough for another beside it
    await eventually(async () => expect(await callsThatWait()).toBeGreaterThanOrEqual(before + stalled.length));
  }
  return { stalled, release };
}

/** How many calls of the posting function wait for a lock. */
async function callsThatWait(): Promise<number> {
  const { rows } = await ledger.pool.query(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger.post%'`,
  );
  return rows[0].n;
}

/** A key of nobody's yet, for a request that comes now. */
function newReservation() {
  const now = new Date();
  return {
    scope: randomBytes(32),
    bodyDigest: randomBytes(32),
    runId: crypto.randomUUID(),
    lockedUntil: new Date(now.getTime() + 60_000),
    expiresAt: new Date(now.getTime() + 86_400_000),
    requestId: crypto.randomUUID(),
    method: 'POST',
    route: '/v2/partner/wallet/:reference/credit',
    caller: crypto.randomUUID(),
    now,
  };
}

describe('a partner whose account is locked', () => {
  it('keeps nobody else waiting, however much it posts', async () => {
    const { books, release } = await lockedBooks(1);
    const others = await Promise.all(Array.from({ length: 5 }, () => ledger.newBook(1_000n)));
    let done = 0;
    const stalled = books.flatMap((book) => credits(book, 200)).map((posted) => posted.finally(() => (done += 1)));
    const posted = await Promise.all(others.flatMap((book) => credits(book, 40)).map(outcomeOf));
    expect(posted).toEqual(times(200, 'Successful'));
    expect(done).toBe(0);
    await release();
    expect(await Promise.all(stalled.map(outcomeOf))).toEqual(times(200, 'Successful'));
  });

  it('leaves a call that others share with it, and they are posted without it', async () => {
    const { books, release } = await lockedBooks(1);
    const others = [await ledger.newBook(1_000n), await ledger.newBook(1_000n)];
    const two = await stallTwo();
    let done = 0;
    const [stalled = []] = books.map((book) => credits(book, 3));
    for (const posted of stalled) void posted.finally(() => (done += 1));
    const posted = await Promise.all(others.flatMap((book) => credits(book, 3)).map(outcomeOf));
    expect(posted).toEqual(times(6, 'Successful'));
    expect(done).toBe(0);
    await release();
    expect(await Promise.all(stalled.map(outcomeOf))).toEqual(times(3, 'Successful'));
    await two.release();
    expect(await Promise.all(two.stalled.map(outcomeOf))).toEqual(times(2, 'Successful'));
  });

  it('is one of many, and the pool still has connections for the rest of the server', async () => {
    const { books, release } = await lockedBooks(POOL_MAX + 2);
    const stalled = books.flatMap((book) => credits(book, 3));
    const waiting = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%ledger.post%'`;
    await eventually(async () => expect((await database.pool.query(waiting)).rows).toEqual([{ n: CALLS_MAX }]));
    expect(database.pool.totalCount).toBeLessThanOrEqual(POOL_MAX);
    await release();
    expect(await Promise.all(stalled.map(outcomeOf))).toEqual(times(3 * (POOL_MAX + 2), 'Successful'));
  });
});

describe('several functions that are called over one pool', () => {
  const columns = 'ordinal, outcome, replayed, transaction_id, created_at, entries';
  /** As offers and decisions are called, beside the poster. */
  const another = (poolShare: number) =>
    createBatchCall<{ ordinal: number; outcome: string }>(database.pool, {
      name: 'ledger.post',
      columns,
      poolShare,
      locksAccounts: true,
    });

  it('leave a connection to the rest of the server and to keys of requests, however much of each stalls, and one that does not stall is served', async () => {
    const [first, second, third] = [another(0.25), another(0.25), another(0.25)];
    const { books, release } = await lockedBooks(POOL_MAX + 2);
    const free = await ledger.newBook(1_000n);
    const posting = ({ partner, float, wallet }: Book) =>
      postingBetween(float, wallet, 1n, { owner: partner, partner, reference: crypto.randomUUID() });
    const by = (call: typeof first) => async (book: Book) =>
      (await call(book.partner, postingJson(posting(book)))).outcome;
    const waiting = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%ledger.post%'`;
    const stalled = async (n: number) =>
      eventually(async () => expect((await ledger.pool.query(waiting)).rows).toEqual([{ n }]));

    const posted = books.map((book) => outcomeOf(credit(book, 'stalls')));
    await stalled(CALLS_MAX);
    expect(await by(first)(free)).toBe('Successful');
    const others = [first, second, third].flatMap((call) => books.slice(0, 4).map(by(call)));
    let done = 0;
    const settle = () => void (done += 1);
    for (const one of [...posted, ...others]) void one.then(settle, settle);
    await stalled(POOL_MAX - 1);
    expect(await createIdempotencyKeys(database.pool).reserve(newReservation())).toBe(true);
    expect(done).toBe(0);
    expect((await database.pool.query('select 1 as answered')).rows).toEqual([{ answered: 1 }]);
    await release();
    expect(await Promise.all(posted)).toEqual(times(books.length, 'Successful'));
    expect(await Promise.all(others)).toEqual(times(12, 'Successful'));
  });
});

it('partners that nothing stalls share one transaction', async () => {
  const books = await Promise.all(Array.from({ length: 4 }, () => ledger.newBook(1_000n)));
  const two = await stallTwo();
  await Promise.all(books.flatMap((book) => credits(book, 2)));
  const { rows } = await ledger.pool.query(
    "select count(distinct xmin::text)::int as transactions from ledger.transaction where owner_id = any ($1) and reference like 'credit-%'",
    [books.map(({ partner }) => partner)],
  );
  expect(rows).toEqual([{ transactions: 1 }]);
  await two.release();
  await Promise.all(two.stalled);
});

describe('what waits', () => {
  it('is bounded: one more is refused at once, another partner is served, and all that was accepted is posted', async () => {
    const { books, release } = await lockedBooks(1);
    const [book] = books;
    if (book === undefined) throw new Error('there is a book');
    const accepted = credits(book, 2 * 64 + 1_024); // two calls, and what may wait beside them
    await expect(credit(book, 'one too many')).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    expect(await outcomeOf(credit(await ledger.newBook(1_000n), 'other'))).toBe('Successful');
    await release();
    expect(await Promise.all(accepted.map(outcomeOf))).toEqual(times(1_152, 'Successful'));
    expect(await ledger.balance(book.wallet)).toBe(1_152n);
    expect(await outcomeOf(credit(book, 'one too many'))).toBe('Successful');
  });

  it('for an account that stays locked fails when the first of it does, and is posted when it is sent again', async () => {
    const pool = new Pool({ connectionString: ledger.pool.options.connectionString, max: POOL_MAX, lock_timeout: 500 });
    const impatient = newPoster(pool);
    const { books, release } = await lockedBooks(1);
    const [book] = books;
    if (book === undefined) throw new Error('there is a book');
    expect(await Promise.all(credits(book, 300, impatient).map(outcomeOf))).toEqual(times(300, '55P03'));
    await release();
    expect(await Promise.all(credits(book, 300, impatient).map(outcomeOf))).toEqual(times(300, 'Successful'));
    expect(await ledger.balance(book.wallet)).toBe(300n);
    await pool.end();
  });

  it('and the books are right afterwards', async () => {
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});
