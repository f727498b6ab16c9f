import type { PoolClient } from 'pg';
import { expect, it } from 'vitest';
import { asMinor, type Posting, placeHold, systemAccount } from '#modules/ledger';
import { eventually } from '../support/eventually.ts';
import { type Book, useLedger } from '../support/ledger.ts';
import { post, postingBetween, postingJson } from '../support/post.ts';

const MANY = 400;
const ledger = useLedger();
const owned = (book: Book, reference: string) => ({ owner: book.partner, partner: book.partner, reference });

/** How many rows and index entries a call reads in our tables. It is undone. */
async function rowsReadBy(client: PoolClient, postings: readonly Posting[]): Promise<number> {
  const read = async (): Promise<number> => {
    const { rows } = await client.query(
      `select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as n from pg_class
         where relnamespace in ('ledger'::regnamespace, 'outbox'::regnamespace)`,
    );
    return Number(rows[0].n);
  };
  await client.query('begin');
  const before = await read();
  await client.query('select * from ledger.post($1)', [`[${postings.map(postingJson).join()}]`]);
  const after = await read();
  await client.query('rollback');
  return after - before;
}

it('a posting reads no more when the books have grown, on a connection that has planned it while they were small', async () => {
  const client = await ledger.pool.connect();
  const book = await ledger.newBook(1_000_000n);
  const first = await post(ledger.db, postingBetween(book.float, book.wallet, 100_000n, owned(book, 'first')));
  const request = { owner: book.partner, account: book.wallet, amount: asMinor(5n), expiresAt: new Date('2120-01-01') };
  const hold = await placeHold(ledger.db, { ...request, reference: 'hold' });
  const toWallet = postingBetween(book.float, book.wallet, 5n, owned(book, 'to-wallet'));
  const back = (more: Partial<Posting>) =>
    postingBetween(book.wallet, book.float, 5n, { ...owned(book, 'back'), ...more });
  const withFee = [
    { account: book.float, amount: asMinor(-6n) },
    { account: book.wallet, amount: asMinor(5n) },
    { account: systemAccount('FEE', 'NGN'), amount: asMinor(1n) },
  ];
  const calls: Record<string, Posting[]> = {
    plain: [toWallet],
    'with a fee': [{ ...toWallet, legs: withFee }],
    'under a limit': [back({ limitAccount: book.wallet, defaultDailyLimit: asMinor(10_000n) })],
    refused: [postingBetween(book.wallet, book.float, 900_000n, owned(book, 'refused'))],
    refund: [back({ original: first.id })],
    capture: [back({ hold })],
    replay: [postingBetween(book.float, book.wallet, 100_000n, owned(book, 'first'))],
    batch: Array.from({ length: 64 }, (_, at) => ({ ...toWallet, reference: `batch-${at}` })),
  };
  const measure = async () => {
    const measured: Record<string, number> = {};
    for (const [name, postings] of Object.entries(calls)) measured[name] = await rowsReadBy(client, postings);
    return measured;
  };
  await measure();
  const small = await measure();
  for (let at = 0; at < MANY; at += 1) {
    await ledger.newWallet(book.partner);
    await post(ledger.db, postingBetween(book.float, book.wallet, 10n, owned(book, `more-${at}`)));
    await placeHold(ledger.db, { ...request, reference: `hold-${at}` });
  }
  // A scan would read each of the many, always. Dead versions are read too, until no snapshot anywhere needs them.
  const spare = (name: string) => ((calls[name]?.length ?? 0) * MANY) / 4;
  await eventually(async () => {
    const more = Object.entries(await measure()).map(([name, rows]) => [
      name,
      rows > (small[name] ?? 0) + spare(name) ? rows : 'as many',
    ]);
    expect(Object.fromEntries(more)).toEqual(Object.fromEntries(Object.keys(calls).map((name) => [name, 'as many'])));
  });
  client.release();
});
