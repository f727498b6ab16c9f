import { describe, expect, it } from 'vitest';

import { statementData } from '../../../src/modules/wallets/wallet-statement.ts';
import { type Book, useLedger } from '../../support/ledger.ts';
import { post, postingJson } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

const ledger = useLedger();
const day = (number: number, hour = 12) => new Date(Date.UTC(2025, 5, number, hour));

/** A wallet that got 10.00 on each of the days and paid 3.00 an hour later. */
async function walletOf(days: readonly number[]): Promise<Book> {
  const book = await ledger.newBook(1_000_000n);
  for (const number of days) {
    const named = (what: string) => ({ owner: book.partner, partner: book.partner, reference: `${what}-${number}` });
    await post(ledger.db, postingBetween(book.float, book.wallet, 1_000n, named('in')), day(number));
    await post(ledger.db, postingBetween(book.float, book.wallet, -300n, named('out')), day(number, 13));
  }
  return book;
}

async function statementOf({ wallet }: Book, from: Date, to: Date) {
  const { rows: accounts } = await ledger.pool.query('select version from ledger.account where id = $1', [wallet]);
  const account = { id: wallet, version: Number(accounts[0].version) };
  const { pages, ...totals } = await statementData((read) => read(ledger.db), { account, from, to });
  return { totals, references: (await Array.fromAsync(pages)).flat().map(({ reference }) => reference) };
}

describe('a statement', () => {
  it('opens with what was there before and closes with what is left, the rows oldest first', async () => {
    const book = await walletOf([1, 2, 3, 4]);
    expect(await statementOf(book, day(2, 0), day(4, 0))).toEqual({
      totals: { opening: 700n, credits: 2_000n, debits: 600n, closing: 2_100n, count: 4 },
      references: ['in-2', 'out-2', 'in-3', 'out-3'],
    });
  });

  it('begins at its first moment and ends just before its last', async () => {
    const book = await walletOf([1, 2]);
    const { totals, references } = await statementOf(book, day(1, 13), day(2, 13));
    expect(totals).toMatchObject({ opening: 1_000n, closing: 1_700n });
    expect(references).toEqual(['out-1', 'in-2']);
  });

  it('of a time when nothing happened, before, between or after, says the balance it had', async () => {
    const book = await walletOf([1, 9]);
    const nothing = (balance: bigint) => ({
      totals: { opening: balance, credits: 0n, debits: 0n, closing: balance, count: 0 },
      references: [],
    });
    expect(await statementOf(book, new Date(0), day(1, 0))).toEqual(nothing(0n));
    expect(await statementOf(book, day(3), day(4))).toEqual(nothing(700n));
    expect(await statementOf(book, day(20), day(21))).toEqual(nothing(1_400n));
  });

  it('of a wallet that nothing ever moved is empty', async () => {
    const book = await ledger.newBook();
    expect(await statementOf(book, day(1), day(2))).toEqual({
      totals: { opening: 0n, credits: 0n, debits: 0n, closing: 0n, count: 0 },
      references: [],
    });
  });

  it('longer than what is read at once is whole', async () => {
    const book = await ledger.newBook(1_000_000n);
    const posting = (index: number) => {
      const names = { owner: book.partner, partner: book.partner, reference: `r${index}` };
      return postingJson(postingBetween(book.float, book.wallet, 1n, names));
    };
    const batch = Array.from({ length: 1_203 }, (_, index) => posting(index));
    await ledger.pool.query('select count(*) from ledger.post($1::jsonb, $2)', [`[${batch.join()}]`, day(1)]);
    const { totals, references } = await statementOf(book, day(1, 0), day(2, 0));
    expect(totals).toMatchObject({ credits: 1_203n, closing: 1_203n, count: 1_203 });
    expect(references).toEqual(Array.from({ length: 1_203 }, (_, index) => `r${index}`));
  });
});
