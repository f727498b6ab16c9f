import { describe, expect, it } from 'vitest';
import { asMinor, expireHolds, type Minor, type Posting, placeHold, releaseHold, systemAccount } from '#modules/ledger';
import { repetitions } from '../../support/cases.ts';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { newPoster, post, postingBetween } from '../../support/post.ts';

const ROUNDS = repetitions({ short: 6, soak: 100 });
const ledger = useLedger(60);
const posters = () => [newPoster(ledger.pool, () => undefined), newPoster(ledger.pool, () => undefined)] as const;

const owned = (book: Book, reference: string) => ({ owner: book.partner, partner: book.partner, reference });
async function funded(amount: bigint): Promise<Book> {
  const book = await ledger.newBook(amount);
  await post(ledger.db, postingBetween(book.float, book.wallet, amount, owned(book, 'funds')));
  return book;
}
const balances = async ({ wallet }: Book) => {
  const { rows } = await ledger.pool.query(
    `select posted, suspended, coalesce(spent, 0) as spent
       from ledger.account left join ledger.spending using (holder_id) where id = $1`,
    [wallet],
  );
  return { posted: Number(rows[0].posted), suspended: Number(rows[0].suspended), spent: Number(rows[0].spent) };
};

/** How many of these succeeded; each of the others must have failed with `code`. */
async function successes(attempts: readonly Promise<unknown>[], code: string): Promise<number> {
  const results = await Promise.allSettled(attempts);
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failures) expect(reason).toMatchObject({ code });
  return results.length - failures.length;
}
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('exactly one wins', () => {
  it('of captures, releases and expiries of one hold', async () => {
    const [before, end] = [new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T12:00:00Z')];
    const winners = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const book = await funded(1_000n);
      const request = { owner: book.partner, reference: 'hold', account: book.wallet, amount: asMinor(400n) };
      const hold = await placeHold(ledger.db, { ...request, expiresAt: end }, before);
      const capture = async (at: number) => {
        const posting = postingBetween(book.wallet, book.float, 400n, { ...owned(book, `capture-${at}`), hold });
        return post(ledger.db, posting, before).then(
          () => true,
          () => false,
        );
      };
      const attempts: Record<string, () => Promise<boolean>[]> = {
        captured: () => times(3, capture),
        released: () => times(3, () => releaseHold(ledger.db, hold, before)),
        expired: () => times(3, async () => (await expireHolds(ledger.db, 10, end)) === 1),
      };
      const order = Object.keys(attempts);
      const names = [...order.slice(round % 3), ...order.slice(0, round % 3)];
      const tried = async (name: string) => (await Promise.all(attempts[name]?.() ?? [])).filter(Boolean).length;
      const [first = ''] = names;
      const early = round < order.length ? [await tried(first)] : []; // each of them is ahead of the others once
      const won = [...early, ...(await Promise.all(names.slice(early.length).map(tried)))];
      expect(won.toSorted((one, other) => one - other)).toEqual([0, 0, 1]);
      const winner = names[won.indexOf(1)] ?? '';
      winners.add(winner);
      const { rows } = await ledger.pool.query('select lower(state) as state from ledger.hold where id = $1', [hold]);
      expect(rows).toEqual([{ state: winner }]);
      expect(await balances(book)).toMatchObject({ posted: winner === 'captured' ? 600 : 1_000, suspended: 0 });
    }
    expect(winners.size).toBe(3);
  });

  it('of two refunds that together exceed, and of ten only as many as the original holds', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const book = await funded(10_000n);
      const { id: original } = await post(
        ledger.db,
        postingBetween(book.wallet, book.float, 1_000n, owned(book, 'debit')),
      );
      const [count, part] = round % 2 === 0 ? [2, 600n] : [10, 300n];
      const gathered = posters();
      const refunds = times(count, (at) => {
        const refund = postingBetween(book.float, book.wallet, part, { ...owned(book, `refund-${at}`), original });
        return at % 3 === 0 ? post(ledger.db, refund) : (gathered[at % 2] ?? gathered[0]).post(refund);
      });
      expect(await successes(refunds, 'REFUND_EXCEEDS')).toBe(Number(1_000n / part));
      expect(await balances(book)).toMatchObject({ posted: 9_000 + Number((1_000n / part) * part) });
    }
  });

  it.each(['one at a time', 'gathered'])('of the same reference sent 50 times at once, %s', async (how) => {
    for (let round = 0; round < repetitions({ short: 2, soak: 30 }); round += 1) {
      const book = await ledger.newBook(100_000n);
      const gathered = posters();
      const twin = postingBetween(book.float, book.wallet, 700n, owned(book, 'twins'));
      const other = { ...twin, comment: 'another request' };
      const send = (posting: Posting, at: number) =>
        how === 'gathered' ? (gathered[at % 2] ?? gathered[0]).post(posting) : post(ledger.db, posting);
      const all = await Promise.all(times(50, (at) => send(twin, at)));
      expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
      for (const { replayed: _replayed, ...same } of all) expect(same).toEqual({ ...all[0], replayed: undefined });
      await expect(send(other, 0)).rejects.toMatchObject({ code: 'REFERENCE_REUSED' });
      expect(await balances(book)).toMatchObject({ posted: 700 });
    }
  });

  it('of two different requests under one reference', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const book = await ledger.newBook(100_000n);
      const sent = times(10, (at) =>
        post(ledger.db, postingBetween(book.float, book.wallet, BigInt(100 + (at % 2)), owned(book, 'both'))),
      );
      expect(await successes(sent, 'REFERENCE_REUSED')).toBe(5);
      expect([100, 101]).toContain((await balances(book)).posted);
    }
  });

  it('place of what remains under a daily limit, for spends and holds together', async () => {
    const now = new Date('2026-03-01T12:00:00Z');
    for (let round = 0; round < ROUNDS; round += 1) {
      const book = await funded(10_000n);
      const defaultDailyLimit = asMinor(1_000n);
      const attempts = times(10, (at) => {
        if (at % 2 === 0) return post(ledger.db, spending(book, `spend-${at}`, 300n, defaultDailyLimit), now);
        const request = { owner: book.partner, reference: `hold-${at}`, account: book.wallet, defaultDailyLimit };
        return placeHold(
          ledger.db,
          { ...request, amount: asMinor(300n), expiresAt: new Date('2120-01-01T00:00:00Z') },
          now,
        );
      });
      expect(await successes(attempts, 'LIMIT_EXCEEDED')).toBe(3);
      expect(await balances(book)).toMatchObject({ spent: 900 });
    }
  });

  it('and the books are right afterwards', async () => {
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});

const spending = (book: Book, reference: string, amount: bigint, defaultDailyLimit: Minor): Posting =>
  postingBetween(book.wallet, book.float, amount, {
    ...owned(book, reference),
    limitAccount: book.wallet,
    defaultDailyLimit,
  });

describe('at midnight in Lagos', () => {
  const evening = new Date('2026-03-01T22:59:59.999Z');
  const midnight = new Date('2026-03-01T23:00:00.000Z');
  const defaultDailyLimit = asMinor(1_000n);
  const fee = asMinor(25n);
  const hold = (book: Book, amount: bigint, now: Date) => {
    const request = { owner: book.partner, reference: `hold-${amount}`, account: book.wallet, defaultDailyLimit };
    return placeHold(
      ledger.db,
      { ...request, amount: asMinor(amount), expiresAt: new Date('2026-03-05T00:00:00Z') },
      now,
    );
  };

  it('the daily limit starts again, not a millisecond earlier; a fee counts', async () => {
    const book = await funded(10_000n);
    const withFee = {
      ...spending(book, 'fee', 975n, defaultDailyLimit),
      fee,
      legs: [
        { account: book.wallet, amount: asMinor(-1_000n), fee },
        { account: book.float, amount: asMinor(975n) },
        { account: systemAccount('FEE', 'NGN'), amount: fee },
      ],
    };
    await post(ledger.db, withFee, evening);
    const one = (reference: string, now: Date) =>
      post(ledger.db, spending(book, reference, 1n, defaultDailyLimit), now);
    await expect(one('late', evening)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await one('early', midnight);
    expect(await balances(book)).toMatchObject({ spent: 1, posted: 8_999 });
    await expect(one('late', midnight)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('a hold released on its day gives back what it counted; released the next day, it does not', async () => {
    const book = await funded(10_000n);
    await releaseHold(ledger.db, await hold(book, 900n, evening), evening);
    const overnight = await hold(book, 950n, evening);
    await expect(hold(book, 51n, evening)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await post(ledger.db, spending(book, 'today', 800n, defaultDailyLimit), midnight);
    await releaseHold(ledger.db, overnight, midnight);
    expect(await balances(book)).toEqual({ posted: 9_200, suspended: 0, spent: 800 });
    await expect(hold(book, 201n, midnight)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await hold(book, 200n, midnight);
  });

  it('a capture counts on the day of its hold: part of it gives back the rest on that day only', async () => {
    const book = await funded(10_000n);
    const capture = (held: number, now: Date) =>
      post(
        ledger.db,
        postingBetween(book.wallet, book.float, 100n, { ...owned(book, `capture-${held}`), hold: held }),
        now,
      );
    await capture(await hold(book, 600n, evening), evening);
    expect(await balances(book)).toMatchObject({ spent: 100 });
    const overnight = await hold(book, 900n, evening);
    await post(ledger.db, spending(book, 'today', 1_000n, defaultDailyLimit), midnight);
    await capture(overnight, midnight);
    expect(await balances(book)).toEqual({ posted: 8_800, suspended: 0, spent: 1_000 });
  });
});
