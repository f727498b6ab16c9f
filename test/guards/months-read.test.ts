import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import {
  findPartnerTransaction,
  historyOf,
  listMovements,
  listTransactions,
  movementsIn,
  partsOf,
  periodOf,
  systemAccount,
} from '#modules/ledger';
import { asServer } from '../support/database.ts';
import { type Book, useLedger } from '../support/ledger.ts';
import { monthsAgo, openMonths } from '../support/past-months.ts';
import { type Explained, endOfLog, explainAll, explainedSince } from '../support/plans.ts';
import { post, postingBetween } from '../support/post.ts';

const MONTHS = 36;
const ledger = useLedger();
let book: Book;
let handle: DatabaseHandle;
const middleOf = (ago: number): Date => new Date(monthsAgo(ago).getTime() + 14 * 86_400_000);

beforeAll(async () => {
  await openMonths(ledger.pool, MONTHS);
  book = await ledger.newBook();
  const named = (reference: string) => ({ owner: book.partner, partner: book.partner, reference });
  const funding = { ...named('opening'), type: 'FLOAT_FUNDING' } as const;
  await post(
    ledger.db,
    postingBetween(systemAccount('CLEARING', 'NGN'), book.float, 10_000n, funding),
    middleOf(MONTHS),
  );
  for (let ago = MONTHS; ago >= 1; ago -= 1) {
    await post(ledger.db, postingBetween(book.float, book.wallet, 7n, named(`of-${ago}`)), middleOf(ago));
  }
  // As where no account has so few entries that they may as well be read, each entry with its transaction, older than those above.
  const filling = await ledger.pool.connect();
  await filling.query('set session_replication_role = replica');
  await filling.query(
    `insert into ledger.transaction overriding system value
      select (jsonb_populate_record(t, jsonb_build_object('id', t.id * 1000 + n - 1000000, 'reference', t.reference || '/' || n))).*
        from ledger.transaction t, generate_series(1, 500) n`,
  );
  await filling.query(
    `insert into ledger.entry (transaction_id, leg, account_id, amount, fee, business_date, created_at)
      select e.transaction_id * 1000 + n - 1000000, e.leg, e.account_id, e.amount, 0, e.business_date, e.created_at
        from ledger.entry e, generate_series(1, 500) n`,
  );
  filling.release(true);
  await ledger.pool.query('analyze ledger.entry, ledger.transaction, ledger.account');
  await explainAll(ledger.pool);
  handle = openDatabase(asServer((ledger.pool.options as { connectionString: string }).connectionString), 1, () => {});
});
afterAll(() => handle.close());

type Node = Explained['Plan'];
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What a read answers, and which parts of the entries it looks into. */
async function partsReadBy<T>(read: () => Promise<T>): Promise<{ answer: T; parts: string[] }> {
  const from = await endOfLog(ledger.pool);
  const answer = await read();
  const nodes = (await explainedSince(ledger.pool, from)).flatMap(({ Plan }) => nodesOf(Plan));
  expect(nodes).not.toEqual([]);
  const read_ = nodes.filter((node) => node['Actual Loops'] > 0).map((node) => node['Relation Name'] ?? '');
  return { answer, parts: [...new Set(read_.filter((name) => name.startsWith('entry_')))] };
}

it('a transaction, a page of a list and a statement of a month look into the parts of their time alone, of three years of them', async () => {
  const named = { partner: book.partner, reference: 'of-30' };
  const one = await partsReadBy(async () => findPartnerTransaction(handle.db, named));
  expect(one.answer?.entry).toMatchObject({ amount: 7n });
  expect(one.parts).toHaveLength(1);

  const inFull = await partsReadBy(async () => partsOf(handle.db, one.answer?.transaction as never));
  expect(inFull.answer.entries).toHaveLength(2);
  expect(inFull.parts).toEqual(one.parts);

  const page = { limit: 3, offset: 0, isUncounted: true };
  const list = await partsReadBy(async () => listTransactions(handle.db, {}, page));
  expect(list.answer.items.map(({ entry }) => entry?.amount)).toEqual([7n, 7n, 7n]);
  expect(list.parts).toHaveLength(4); // and of the one that tells whether there are more
});

/** How often a part was looked into, with what it cost. */
async function probesOf<T>(read: () => Promise<T>): Promise<{ answer: T; probes: number }> {
  const from = await endOfLog(ledger.pool);
  const answer = await read();
  const nodes = (await explainedSince(ledger.pool, from)).flatMap(({ Plan }) => nodesOf(Plan));
  expect(nodes).not.toEqual([]);
  const parts = nodes.filter((node) => node['Relation Name']?.startsWith('entry_'));
  return { answer, probes: parts.reduce((sum, node) => sum + node['Actual Loops'], 0) };
}

const walletNow = async () => {
  const { rows } = await ledger.pool.query('select version::int from ledger.account where id = $1', [book.wallet]);
  return { id: book.wallet, version: Number(rows[0].version) };
};

it('the newest page of a wallet’s history looks into the parts of its last month, and an older one into each part once', async () => {
  const wallet = await walletNow();
  const newest = await partsReadBy(async () => historyOf(handle.db, wallet, { limit: 1, offset: 0 }));
  expect(newest.answer.map(({ entry }) => entry.version)).toEqual([MONTHS]);
  expect(newest.parts.length).toBeLessThanOrEqual(2);

  const over = await probesOf(async () => historyOf(handle.db, wallet, { limit: 3, offset: 0 }));
  expect(over.answer.map(({ entry }) => entry.version)).toEqual([MONTHS, MONTHS - 1, MONTHS - 2]);
  const old = await probesOf(async () => historyOf(handle.db, wallet, { limit: 3, offset: 30 }));
  expect(old.answer.map(({ entry }) => entry.version)).toEqual([6, 5, 4]);
  for (const { probes } of [over, old]) expect(probes).toBeLessThanOrEqual(MONTHS + 3);
});

it('a history is whole where an entry of old books has a time after the account’s last movement', async () => {
  const wallet = await walletNow();
  const owner = await ledger.pool.connect();
  await owner.query('set session_replication_role = replica');
  const move = (by: string) =>
    owner.query('update ledger.account set moved_at = moved_at + $2::interval where id = $1', [wallet.id, by]);
  await move('-50 minutes');
  const newest = await historyOf(handle.db, wallet, { limit: 2, offset: 0 });
  await move('50 minutes');
  owner.release(true);
  expect(newest.map(({ entry }) => entry.version)).toEqual([MONTHS, MONTHS - 1]);
});

it('a wallet’s movements of a time are looked up in the parts of that time', async () => {
  const wallet = await walletNow();
  const page = { limit: 5, offset: 0, isUncounted: true };
  const filter = { from: monthsAgo(20), to: monthsAgo(18) };
  const found = await probesOf(async () => listMovements(handle.db, wallet, filter, page));
  expect(found.answer.items.map(({ entry }) => entry?.version)).toEqual([18, 17]);
  expect(found.probes).toBeLessThanOrEqual(2 + 2);
});

it('a statement finds its first and its last entry in the parts of its days', async () => {
  const wallet = await walletNow();
  const days = { from: monthsAgo(20), to: monthsAgo(18) };
  const found = await probesOf(async () => periodOf(handle.db, wallet, days));
  expect(found.answer).toMatchObject({ opening: 16n * 7n, credits: 14n, closing: 18n * 7n, first: 17, last: 18 });
  const lines = await probesOf(async () => movementsIn(handle.db, book.wallet, found.answer, days));
  expect(lines.answer).toHaveLength(2);
  expect(found.probes).toBeLessThanOrEqual((2 * MONTHS) / 3); // two searches, two balances and the totals
  expect(lines.probes).toBeLessThanOrEqual(2);

  const quiet = { from: new Date(middleOf(19).getTime() + 1), to: new Date(monthsAgo(18).getTime() - 1) };
  expect(await periodOf(handle.db, wallet, quiet)).toMatchObject({ first: 19, last: 18, opening: 18n * 7n });
});

it('the totals of a statement are of the parts of its days', async () => {
  const [{ version }] = (
    await ledger.pool.query('select version::int from ledger.account where id = $1', [book.wallet])
  ).rows;
  const days = { from: monthsAgo(20), to: monthsAgo(18) };
  const from = await endOfLog(ledger.pool);
  expect(await periodOf(handle.db, { id: book.wallet, version }, days)).toMatchObject({
    credits: 14n,
    first: 17,
    last: 18,
  });
  const plans = await explainedSince(ledger.pool, from);
  const totals = plans.filter((one) => one['Query Text'].includes('as credits'));
  const summed = totals
    .flatMap(({ Plan }) => nodesOf(Plan))
    .filter((node) => node['Actual Loops'] > 0 && node['Actual Rows'] > 0);
  const parts = summed.map((node) => node['Relation Name'] ?? '').filter((name) => name.startsWith('entry_'));
  expect(parts).not.toEqual([]);
  expect(new Set(parts).size).toBeLessThanOrEqual(3); // and the entry before the first
});
