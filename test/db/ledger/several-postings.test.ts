import { describe, expect, it } from 'vitest';
import { type Book, useLedger } from '../../support/ledger.ts';

const ledger = useLedger();

describe('several postings in one call', () => {
  const wire = (book: Book, amount: bigint, reference: string, hash = 'aa') => ({
    owner: book.partner,
    namer: 'PARTNER',
    partner: book.partner,
    reference,
    type: 'PARTNER_WALLET_CREDIT',
    requestHash: hash,
    mac: '00',
    amount: String(amount),
    currency: 'NGN',
    legs: [
      { account: book.float, amount: String(-amount) },
      { account: book.wallet, amount: String(amount) },
    ],
  });
  const postAll = async (postings: object[]) =>
    (await ledger.pool.query('select outcome, replayed from ledger.post($1)', [JSON.stringify(postings)])).rows;

  it('have each their own outcome: one refused never touches its neighbours', async () => {
    const book = await ledger.newBook(1_000n);
    expect(
      await postAll([
        wire(book, 400n, 'a'),
        wire(book, 700n, 'b'),
        wire(book, 600n, 'c'),
        wire(book, 400n, 'a'),
        wire(book, 400n, 'a', 'bb'),
      ]),
    ).toEqual([
      { outcome: 'Successful', replayed: false },
      { outcome: 'INSUFFICIENT_FUNDS', replayed: false },
      { outcome: 'Successful', replayed: false },
      { outcome: 'Successful', replayed: true },
      { outcome: 'REFERENCE_REUSED', replayed: true },
    ]);
    expect(await ledger.balance(book.wallet)).toBe(1_000n);
  });

  it('never deadlock, whatever the order of their accounts', async () => {
    const book = await ledger.newBook(1_000_000n);
    const other = { ...book, wallet: await ledger.newWallet(book.partner) };
    const run = (client: number) => (round: number) => {
      const pair = [wire(book, 1n, `a-${client}-${round}`), wire(other, 1n, `b-${client}-${round}`)];
      return postAll(client % 2 === 0 ? pair : pair.toReversed());
    };
    const rounds = Array.from({ length: 25 }, (_, round) => round);
    await Promise.all(Array.from({ length: 16 }, (_, client) => Promise.all(rounds.map(run(client)))));
    expect(await ledger.balance(book.wallet)).toBe(400n);
    expect(await ledger.balance(other.wallet)).toBe(400n);
    expect(await ledger.balance(book.float)).toBe(999_200n);
  });
});
