import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#drizzle';
import {
  applyDeferred,
  asMinor,
  changeRules,
  expireHolds,
  type Leg,
  lockAccount,
  type Posting,
  placeHold,
  settlePending,
  settlePendingTo,
  systemAccount,
} from '#modules/ledger';
import { eventually } from '../../support/eventually.ts';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { post, postingBetween, postingJson, tryPost, untold } from '../../support/post.ts';
import { lockedAmong, openLocker, waitersFor } from '../../support/row-locks.ts';

const LOCK_TIMEOUT = '55P03';
const ledger = useLedger();
const owned = (book: Book, reference: string) => ({ owner: book.partner, partner: book.partner, reference });
const postAll = async (postings: readonly Posting[]) =>
  await ledger.db.execute(sql`select * from ledger.post(${`[${postings.map(postingJson).join()}]`}::jsonb)`);

/** Indexes give their order by themselves; without them only what is asked for does. */
beforeAll(async () => {
  const client = await ledger.pool.connect();
  const { rows } = await client.query('select current_database() as name');
  await client.query(`alter database ${rows[0].name} set enable_indexscan = off`);
  client.release(true);
});

/** None in the order of their ids. */
const shuffled = <T>(all: readonly T[]): T[] =>
  [...all.filter((_, at) => at % 2 === 1), ...all.filter((_, at) => at % 2 === 0)].toReversed();

interface Locking {
  /** The rows that `act` locks, of one table. */
  ids: readonly number[];
  act: () => Promise<unknown>;
}

/** Stops an act at each of the rows that it locks, by id: how many of the first of them are locked by then, and no other. */
async function lockedInTurn(table: string, rows: number, prepare: () => Promise<Locking>): Promise<number[]> {
  const counts: number[] = [];
  for (let place = 0; place < rows; place += 1) {
    const { ids, act } = await prepare();
    const sorted = ids.toSorted((one, other) => one - other);
    const locker = await openLocker(ledger.pool);
    await locker.lock(table, sorted.slice(place, place + 1));
    const acting = act();
    await locker.waitedFor();
    const locked = await lockedAmong(ledger.pool, table, sorted);
    await locker.release();
    await acting;
    counts.push(sorted.slice(0, locked.length).join() === locked.join() ? locked.length : Number.NaN);
  }
  return counts;
}
const inTurn = (rows: number) => Array.from({ length: rows }, (_, place) => place + 1);

/** Wallets whose rows do not lie in the order of their ids: a change of what is indexed puts a row behind all others. */
async function someWallets(book: Book, count: number): Promise<number[]> {
  const wallets: number[] = [];
  for (let one = 0; one < count; one += 1) wallets.push(await ledger.newWallet(book.partner));
  for (const id of shuffled(wallets))
    await ledger.pool.query(`update ledger.account set reference = 'moved-' || reference where id = $1`, [id]);
  return wallets;
}

describe('so that no two wait for each other, locks are taken in one order:', () => {
  it('a posting takes its accounts by id, whatever the order of its legs', async () => {
    const book = await ledger.newBook(1_000_000n);
    const wallets = await someWallets(book, 7);
    let posted = 0;
    const act = () => {
      const legs: Leg[] = shuffled(wallets).map((account) => ({ account, amount: asMinor(1n) }));
      legs.splice(3, 0, { account: book.float, amount: asMinor(-7n) });
      return post(ledger.db, { ...postingBetween(book.float, book.wallet, 7n, owned(book, `legs-${++posted}`)), legs });
    };
    const ids = [book.float, ...wallets];
    expect(await lockedInTurn('ledger.account', 8, async () => ({ ids, act }))).toEqual(inTurn(8));
  });

  it('a batch takes the accounts of all its postings by id', async () => {
    const book = await ledger.newBook(1_000_000n);
    const wallets = await someWallets(book, 6);
    let posted = 0;
    const act = () =>
      postAll(shuffled(wallets).map((to) => postingBetween(book.float, to, 1n, owned(book, `batch-${++posted}`))));
    const ids = [book.float, ...wallets];
    expect(await lockedInTurn('ledger.account', 7, async () => ({ ids, act }))).toEqual(inTurn(7));
  });

  it('a batch of refunds takes the transactions it refunds by id', async () => {
    const book = await ledger.newBook(1_000_000n);
    const ids: number[] = [];
    for (let one = 0; one < 5; one += 1) {
      ids.push((await post(ledger.db, postingBetween(book.float, book.wallet, 100n, owned(book, `first-${one}`)))).id);
    }
    let posted = 0;
    const refund = (original: number) =>
      postingBetween(book.wallet, book.float, 1n, { ...owned(book, `refund-${++posted}`), original });
    const act = () => postAll(shuffled(ids).map(refund));
    expect(await lockedInTurn('ledger.transaction', 5, async () => ({ ids, act }))).toEqual(inTurn(5));
  });

  it.each(['captures', 'expires'])('whoever %s holds takes them by id, and then their accounts by id', async (what) => {
    const book = await ledger.newBook(1_000_000n);
    const wallets = shuffled(await someWallets(book, 5));
    const expiresAt = new Date(what === 'captures' ? '2120-01-01T00:00:00Z' : '2020-01-01T00:00:00Z');
    let round = 0;
    const place = async () => {
      round += 1;
      const holds: number[] = [];
      for (const account of wallets) {
        const reference = `${round}-${account}`;
        await post(ledger.db, postingBetween(book.float, account, 10n, owned(book, reference)));
        const request = { owner: book.partner, reference, account, amount: asMinor(10n) };
        holds.push(await placeHold(ledger.db, { ...request, expiresAt }));
      }
      const captures = wallets.map((from, at) =>
        postingBetween(from, book.float, 10n, { ...owned(book, `capture-${round}-${from}`), hold: holds[at] }),
      );
      const act = () => (what === 'captures' ? postAll(shuffled(captures)) : expireHolds(ledger.db, 100));
      return { holds, act };
    };
    const ofHolds = async () => {
      const { holds, act } = await place();
      return { ids: holds, act };
    };
    const ofAccounts = async () => ({ ids: wallets, act: (await place()).act });
    expect(await lockedInTurn('ledger.hold', 5, ofHolds)).toEqual(inTurn(5));
    expect(await lockedInTurn('ledger.account', 5, ofAccounts)).toEqual(inTurn(5));

    const { holds, act } = await place();
    const locker = await openLocker(ledger.pool);
    await locker.lock('ledger.account', wallets);
    const acting = act();
    await locker.waitedFor();
    expect(await lockedAmong(ledger.pool, 'ledger.hold', holds)).toEqual(holds);
    await locker.release();
    await acting;
  });

  it('a batch takes its references after its accounts, sorted', async () => {
    const book = await ledger.newBook(1_000_000n);
    const references = ['a', 'b', 'c', 'd', 'e'];
    const first = await ledger.pool.connect();
    await first.query('begin');
    const elsewhere = await ledger.newBook(1n);
    const one = postingBetween(elsewhere.float, elsewhere.wallet, 1n, owned(book, 'c'));
    await first.query('select * from ledger.post($1)', [`[${postingJson(one)}]`]);
    const { rows } = await first.query('select pg_backend_pid() as pid');
    const batch = postAll(
      shuffled(references).map((name) => postingBetween(book.float, book.wallet, 1n, owned(book, name))),
    );
    await eventually(async () => expect(await waitersFor(ledger.pool, rows[0].pid)).toBe(1));
    const taken = await referencesTaken(book, references);
    await first.query('rollback');
    first.release();
    await batch;
    expect(taken).toEqual(['a', 'b', 'c']);
  });
});

/** Those of these names that somebody who has not committed has taken. */
async function referencesTaken(book: Book, references: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const reference of references) {
    const probe = await ledger.pool.connect();
    await probe.query(`begin; set local lock_timeout = '50ms'`);
    const one = {
      ...postingBetween(book.float, book.wallet, 1n, owned(book, reference)),
      predecidedRefusal: 'SPLIT_OVERPAYMENT',
      legs: [],
    } as const;
    const answer = probe.query('select * from ledger.post($1)', [`[${postingJson(one)}]`]);
    await answer.catch((error: { code?: string }) =>
      taken.push(error.code === LOCK_TIMEOUT ? reference : `${error.code}`),
    );
    await probe.query('rollback');
    probe.release();
  }
  return taken;
}

describe('nobody waits in a circle', () => {
  it('when a wallet is made creditable while a sweep settles its pending refund', async () => {
    const book = await ledger.newBook(1_000n);
    await post(ledger.db, postingBetween(book.float, book.wallet, 500n, owned(book, 'credit')));
    const debit = await post(ledger.db, postingBetween(book.wallet, book.float, 200n, owned(book, 'debit')));
    const now = new Date();
    await ledger.db.transaction((tx) => changeRules(tx, book.wallet, { status: 'PNC' }, now));
    const suspenseAccount = systemAccount('SUSPENSE', 'NGN');
    const refund = postingBetween(book.float, book.wallet, 200n, {
      ...owned(book, 'refund'),
      original: debit.id,
      suspenseAccount,
    });
    const { id } = await tryPost(ledger.db, refund);

    const settleById = () => ledger.db.transaction((tx) => settlePending(tx, id, { afterSettling: untold }));
    let sweep: Promise<boolean> | undefined;
    await ledger.db.transaction(async (tx) => {
      await lockAccount(tx, book.wallet);
      await changeRules(tx, book.wallet, { status: 'Enabled' }, now);
      sweep = settleById();
      await eventually(async () => expect(await lockedAmong(ledger.pool, 'ledger.transaction', [id])).toEqual([id]));
      expect(await settlePendingTo(tx, book.wallet, { afterSettling: untold })).toBe(0);
    });
    expect(await sweep).toBe(true);
    expect(await ledger.balance(book.wallet)).toBe(500n);
    expect(await settleById()).toBe(false);
  });

  it('when several add what waits to the same deferred accounts', async () => {
    const book = await ledger.newBook(1_000n);
    await applyDeferred(ledger.db, 100);
    const ours = (['FEE', 'COMMISSION', 'STAMP_DUTY'] as const).map((kind) => systemAccount(kind, 'NGN'));
    for (const account of ours)
      await post(ledger.db, postingBetween(book.float, account, 1n, owned(book, `to-${account}`)));
    const other = await openLocker(ledger.pool);
    await other.lock('ledger.account', ours.slice(0, 1));
    expect(await applyDeferred(ledger.db, 100)).toBe(2);
    expect(await applyDeferred(ledger.db, 100)).toBe(0);
    await other.release();
    expect(await applyDeferred(ledger.db, 100)).toBe(1);
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});
