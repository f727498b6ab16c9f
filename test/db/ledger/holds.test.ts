import { describe, expect, it } from 'vitest';
import { asMinor, holdDigest, type Posting, placeHold, releaseHold, systemAccount } from '#modules/ledger';
import { type Book, checkLedger, useLedger } from '../../support/ledger.ts';
import { newPoster, post, postingBetween, postingJson } from '../../support/post.ts';

const ledger = useLedger();
const expiresAt = new Date('2120-01-01T00:00:00Z');

async function funded(amount = 1_000n): Promise<Book> {
  const book = await ledger.newBook(amount);
  await post(ledger.db, postingBetween(book.float, book.wallet, amount, { owner: book.partner, reference: 'funds' }));
  return book;
}
const hold = (book: Book, amount: bigint, reference = 'hold') =>
  placeHold(ledger.db, { owner: book.partner, reference, account: book.wallet, amount: asMinor(amount), expiresAt });
const capture = (book: Book, held: number, amount: bigint, from = book.wallet) =>
  post(
    ledger.db,
    postingBetween(from, book.float, amount, { owner: book.partner, reference: `of-${held}-${from}`, hold: held }),
  );
const balances = async (account: number) => {
  const { rows } = await ledger.pool.query('select posted, suspended from ledger.account where id = $1', [account]);
  return rows[0];
};

describe('a hold', () => {
  it('sets money aside that nothing else can spend, until it is released', async () => {
    const book = await funded();
    const held = await hold(book, 800n);
    expect(await balances(book.wallet)).toEqual({ posted: '1000', suspended: '800' });
    const more = postingBetween(book.wallet, book.float, 201n, { owner: book.partner, reference: 'more' });
    await expect(post(ledger.db, more)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await releaseHold(ledger.db, held)).toBe(true);
    expect(await releaseHold(ledger.db, held)).toBe(false);
    await post(ledger.db, { ...more, reference: 'later' });
    expect(await balances(book.wallet)).toEqual({ posted: '799', suspended: '0' });
  });

  it('gives back what its capture leaves', async () => {
    const book = await funded();
    await capture(book, await hold(book, 800n), 300n);
    expect(await balances(book.wallet)).toEqual({ posted: '700', suspended: '0' });
  });

  it('is found again by the same reference, whatever its state, and its reference is refused for another request', async () => {
    const book = await funded();
    const held = await hold(book, 800n);
    await releaseHold(ledger.db, held);
    expect(await hold(book, 800n)).toBe(held);
    await expect(hold(book, 801n)).rejects.toMatchObject({ code: 'REFERENCE_REUSED' });
  });

  it('that was refused stays refused after money has arrived', async () => {
    const book = await funded();
    await expect(hold(book, 1_001n)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    const opening = { owner: book.partner, reference: 'more' };
    await post(ledger.db, postingBetween((await ledger.newBook(5_000n)).float, book.wallet, 5_000n, opening));
    await expect(hold(book, 1_001n)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect(await balances(book.wallet)).toEqual({ posted: '6000', suspended: '0' });
  });

  it('is captured from its own account or not at all', async () => {
    const book = await funded();
    const held = await hold(book, 100n);
    const other = await ledger.newWallet(book.partner);
    await post(ledger.db, postingBetween(book.wallet, other, 500n, { owner: book.partner, reference: 'to-other' }));
    await expect(capture(book, held, 100n, other)).rejects.toThrow('HOLD_NOT_FOUND');
    expect(await balances(book.wallet)).toEqual({ posted: '500', suspended: '100' });
    expect(await balances(other)).toEqual({ posted: '500', suspended: '0' });
    await capture(book, held, 100n);
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});

describe('several holds in one call', () => {
  it('are what they would be one after another: refused, found again, and never more than there is', async () => {
    const book = await funded();
    const used = await hold(book, 100n, 'used');
    await expect(hold(book, 5_000n, 'refused')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    const asked = [
      ['first', 500n],
      ['too much', 401n],
      ['used', 100n],
      ['refused', 5_000n],
      ['rest', 400n],
      ['one more', 1n],
      ['no longer used', 100n],
    ] as const;
    const holds = asked.map(([reference, amount]) => {
      const hash = holdDigest({ account: book.wallet, amount: asMinor(amount), expiresAt }).toString('hex');
      return { owner: book.partner, reference, hash, account: book.wallet, amount: String(amount), expiresAt };
    });
    const { rows } = await ledger.pool.query('select outcome, hold_id from ledger.place_holds($1)', [
      JSON.stringify(holds),
    ]);
    const short = 'INSUFFICIENT_FUNDS';
    expect(rows.map(({ outcome }) => outcome)).toEqual(['OPEN', short, 'OPEN', short, 'OPEN', short, short]);
    expect(Number(rows[2].hold_id)).toBe(used);
    expect(await balances(book.wallet)).toEqual({ posted: '1000', suspended: '1000' });
    await expect(hold(book, 401n, 'too much')).rejects.toMatchObject({ code: short });
    expect(await hold(book, 500n, 'first')).toBe(Number(rows[0].hold_id));
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });

  it('are captured together, each once and for no more than it holds', async () => {
    const book = await funded();
    const held = [await hold(book, 300n, 'a'), await hold(book, 300n, 'b'), await hold(book, 300n, 'c')] as const;
    const poster = newPoster(ledger.pool);
    const captures = [
      [held[0], 300n],
      [held[1], 200n],
      [held[2], 301n],
      [held[0], 300n],
      [held[2], 250n],
    ] as const;
    const outcomes = await Promise.allSettled(
      captures.map(([one, amount], at) => {
        const named = { owner: book.partner, reference: `capture-${at}`, hold: one };
        return poster.post(postingBetween(book.wallet, book.float, amount, named));
      }),
    );
    const told = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'captured'));
    const refused = 'the ledger refused with';
    expect(told).toEqual(['captured', 'captured', `${refused} HOLD_EXCEEDED`, `${refused} HOLD_NOT_OPEN`, 'captured']);
    expect(await balances(book.wallet)).toEqual({ posted: '250', suspended: '0' });
    expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
  });
});

interface Asked {
  reference: string;
  amount: bigint;
  /** Which of the book's wallets pays. */
  of?: number;
  more?: Partial<Posting>;
}
interface Outcome {
  outcome: string;
  replayed: boolean;
  transaction_id: string;
}

const FILLED = 1_000n;

/** A book with two wallets of so much each. */
async function newWallets(): Promise<{ book: Book; wallets: number[] }> {
  const book = await ledger.newBook(2n * FILLED);
  const wallets = [book.wallet, await ledger.newWallet(book.partner)];
  const fill = wallets.map((wallet, at) =>
    postingJson(
      postingBetween(book.float, wallet, FILLED, {
        owner: book.partner,
        partner: book.partner,
        reference: `fill ${at}`,
      }),
    ),
  );
  await ledger.pool.query('select ledger.post($1::jsonb)', [`[${fill.join()}]`]);
  return { book, wallets };
}

const jsonOf = (
  { book, wallets }: Awaited<ReturnType<typeof newWallets>>,
  { reference, amount, of = 0, more }: Asked,
) => {
  const named = { owner: book.partner, partner: book.partner, reference, type: 'PAYOUT', ...more } as const;
  return postingJson(postingBetween(wallets[of] ?? 0, systemAccount('CLEARING_PAYOUT', 'NGN'), amount, named));
};

/** What came of each, and what stands in the books then. */
async function stateOf({ book, wallets }: Awaited<ReturnType<typeof newWallets>>, outcomes: readonly Outcome[]) {
  const { rows: accounts } = await ledger.pool.query(
    'select posted, suspended from ledger.account where id = any ($1) order by id',
    [wallets],
  );
  const { rows: transactions } = await ledger.pool.query(
    `select t.reference, t.status, t.code, t.completed_at, h.amount, h.state, h.counted, h.reference = 'transaction ' || t.id as named,
       h.request_hash = t.request_hash as same, h.owner_id = t.owner_id as owned, h.account_id = t.source_id as of_source
     from ledger.transaction t left join ledger.hold h on h.id = t.hold_id
     where t.owner_id = $1 and t.type = 'PAYOUT' order by t.reference`,
    [book.partner],
  );
  return { outcomes: outcomes.map(({ outcome, replayed }) => ({ outcome, replayed })), accounts, transactions };
}

async function eachAlone(asked: readonly Asked[]) {
  const at = await newWallets();
  const outcomes: Outcome[] = [];
  for (const one of asked) {
    const { rows } = await ledger.pool.query<Outcome>('select * from ledger.authorize($1::jsonb)', [jsonOf(at, one)]);
    outcomes.push(...rows);
  }
  return stateOf(at, outcomes);
}

async function allTogether(asked: readonly Asked[]) {
  const at = await newWallets();
  const { rows } = await ledger.pool.query<Outcome>('select * from ledger.authorize_all($1::jsonb) order by ordinal', [
    `[${asked.map((one) => jsonOf(at, one)).join()}]`,
  ]);
  return stateOf(at, rows);
}

const limited = (amount: bigint): Partial<Posting> => ({ defaultDailyLimit: asMinor(amount) });

it.each<[string, Asked[]]>([
  ['one', [{ reference: 'a', amount: 10n }]],
  [
    'some of two wallets',
    [
      { reference: 'a', amount: 600n },
      { reference: 'b', amount: 1_000n, of: 1 },
      { reference: 'c', amount: 400n },
    ],
  ],
  [
    'one that is asked twice, and another request of its reference',
    [
      { reference: 'a', amount: 300n },
      { reference: 'a', amount: 300n },
      { reference: 'b', amount: 300n },
      { reference: 'a', amount: 200n },
    ],
  ],
  [
    'more than there is',
    [
      { reference: 'a', amount: 600n },
      { reference: 'b', amount: 500n },
      { reference: 'c', amount: 400n },
    ],
  ],
  [
    'one that was decided before',
    [
      { reference: 'a', amount: 600n },
      { reference: 'b', amount: 100n, more: { predecidedRefusal: 'AMOUNT_TOO_SMALL' } },
    ],
  ],
  ['another currency', [{ reference: 'a', amount: 600n, more: { currency: 'FP' } }]],
])('what is authorized together comes to what it comes to alone: %s', async (_, asked) => {
  expect(await allTogether(asked)).toEqual(await eachAlone(asked));
  expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
});

it('a daily limit counts what stands before in the same call', async () => {
  const at = await newWallets();
  const [wallet] = at.wallets;
  const more = { limitAccount: wallet, ...limited(500n) };
  const asked = ['a', 'b', 'c'].map((reference) => jsonOf(at, { reference, amount: 200n, more }));
  const { rows } = await ledger.pool.query<Outcome>('select * from ledger.authorize_all($1::jsonb) order by ordinal', [
    `[${asked.join()}]`,
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['Pending', 'Pending', 'LIMIT_EXCEEDED']);
});

it('calls that name the same wallets in any order come through, and hold no more than there is', async () => {
  const at = await newWallets();
  const call = async (turn: number) => {
    const wallets = turn % 2 === 0 ? [0, 1] : [1, 0];
    const asked = wallets.map((of) => jsonOf(at, { reference: `${turn} of ${of}`, amount: 100n, of }));
    const { rows } = await ledger.pool.query<Outcome>('select * from ledger.authorize_all($1::jsonb)', [
      `[${asked.join()}]`,
    ]);
    return rows.map(({ outcome }) => outcome);
  };
  const outcomes = (await Promise.all(Array.from({ length: 16 }, (_, turn) => call(turn)))).flat();
  expect(outcomes.filter((one) => one === 'Pending')).toHaveLength(20);
  expect(outcomes.filter((one) => one === 'INSUFFICIENT_FUNDS')).toHaveLength(12);
  expect(await checkLedger(ledger.db)).toMatchObject({ ok: true });
});
