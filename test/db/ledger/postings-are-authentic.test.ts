import { beforeAll, expect, it } from 'vitest';
import { systemAccount } from '#modules/ledger';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { post, postingBetween, tryPost } from '../../support/post.ts';

const ledger = useLedger();
let book: Book;

/** The references of those that are found. */
const found = async (since?: Date): Promise<unknown[]> => {
  const { checks } = await checkLedger(ledger.db, since && { since });
  const told = checks.find(({ name }) => name === 'postings_are_authentic');
  return told?.rows.map(({ reference }) => reference) ?? ['not told'];
};

beforeAll(async () => {
  book = await ledger.newBook(10_000n);
  const named = (reference: string) => ({ owner: book.partner, partner: book.partner, reference });
  const more = { externalReference: 'theirs', comment: 'May', metadata: { order: 7, tags: ['a'] } };
  const credit = await post(ledger.db, postingBetween(book.float, book.wallet, 500n, { ...named('credit'), ...more }));
  await post(ledger.db, {
    ...postingBetween(book.wallet, book.float, 500n, { ...named('refund'), type: 'PARTNER_REFUND' }),
    original: credit.id,
    refundsRemainder: true,
    suspenseAccount: systemAccount('SUSPENSE', 'NGN'),
  });
  await tryPost(ledger.db, postingBetween(book.float, book.wallet, 99_999n, named('declined')));
});

it('what operations posted is vouched for, whatever its outcome', async () => {
  expect(await found()).toEqual([]);
});

it('a posting that was written into the tables by hand is found, though it balances and every trigger let it pass', async () => {
  const client = await ledger.pool.connect();
  await client.query('begin');
  await client.query(
    `with t as (
       insert into ledger.transaction (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, currency,
           source_id, destination_id, created_at, completed_at)
         select owner_id, namer, 'forged', partner_id, type, status, request_hash, mac, amount, currency, source_id,
           destination_id, now(), now() from ledger.transaction where reference = 'credit'
         returning id),
     moved as (
       update ledger.account a set posted = posted + m.amount, version = version + 1
         from (values ($1::bigint, -500), ($2::bigint, 500)) m(account, amount) where a.id = m.account
         returning a.id, a.posted, a.version, m.amount)
     insert into ledger.entry (transaction_id, leg, account_id, amount, version, opening, closing, business_date, created_at)
       select t.id, row_number() over (), m.id, m.amount, m.version, m.posted - m.amount, m.posted,
         ledger.business_day(now()), now() from t, moved m`,
    [book.float, book.wallet],
  );
  await client.query('commit');
  client.release();
  expect(await found()).toEqual(['forged']);
  expect(await found(new Date(Date.now() + 60_000))).toEqual([]);
});

it.each([
  ['amount', 'amount + 1'],
  ['fee', 'fee + 1'],
  ['commission', '3'],
  ['stamp_duty', '3'],
  ['reference', `'other'`],
  ['external_reference', `'other'`],
  ['comment', 'null'],
  ['type', `'TRANSFER'`],
  ['namer', `'RAIL'`],
  ['owner_id', 'uuidv7()'],
  ['partner_id', 'null'],
  ['source_id', 'destination_id'],
  ['destination_id', 'source_id'],
  ['original_id', 'id'],
  ['request_hash', `'\\x00'`],
  ['mac', `'\\x00'`],
])('a transaction of which %s was changed is found', async (column, value) => {
  const { rows } = await ledger.pool.query(
    `select id, ${column} as kept from ledger.transaction where reference = 'credit' and namer = 'PARTNER'`,
  );
  const [{ id, kept }] = rows;
  await ledger.pool.query(`update ledger.transaction set ${column} = ${value} where id = $1`, [id]);
  const named = column === 'reference' ? 'other' : 'credit';
  expect(await found()).toContain(named);
  await ledger.pool.query(`update ledger.transaction set ${column} = $2 where id = $1`, [id, kept]);
  expect(await found()).not.toContain(named);
});
