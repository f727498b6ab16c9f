import { expect, it } from 'vitest';
import { asMinor, type Posting, systemAccount } from '#modules/ledger';
import { checkLedger } from '../../support/check-ledger.ts';
import { type Book, useLedger } from '../../support/ledger.ts';
import { postingJson } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

const ledger = useLedger();

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
