import fc from 'fast-check';
import type { Account } from '#modules/ledger';
import { WALLETS } from './ledger-copy.ts';

/** A posting yet to be made of what the books hold at the time. */
export interface PostingSpec {
  kind: 'credit' | 'debit' | 'transfer' | 'gateway' | 'refund' | 'reversal' | 'capture' | 'again';
  wallet: number;
  other: number;
  amount: bigint;
  fee: bigint;
  tax: bigint;
  limit: bigint | undefined;
  /** Which transaction, hold or earlier posting it is about, modulo how many there are. */
  pick: number;
  /** Whether a refund or capture takes all that is left. */
  whole: boolean;
  /** Whether a gateway payment fills the wallet to the brim; one that is not whole spills over. */
  fills: boolean;
  /** Whether a gateway payment has arrived, and waits for a wallet that cannot have it. */
  arrives: boolean;
  /** What a repeated reference comes with. */
  change: 'nothing' | 'amount' | 'comment' | 'fee';
  refuse: boolean;
}

export type Step =
  | { do: 'post'; batch: readonly PostingSpec[] }
  | {
      do: 'hold';
      account: number;
      amount: bigint;
      expiresInHours: number;
      limit: bigint | undefined;
      again: number | undefined;
    }
  | { do: 'release'; pick: number }
  | { do: 'lift'; pick: number }
  | { do: 'settle one'; pick: number }
  | { do: 'expire' }
  | { do: 'settle'; account: number }
  | { do: 'rules'; account: number; status: Account['status']; limit: bigint | null }
  | { do: 'lien'; account: number; amount: bigint }
  | { do: 'apply deferred'; most: number }
  | { do: 'wait'; minutes: number };

const always = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const sometimes = seldom(always(true)).map((given) => given ?? false);

const wallet = fc.constantFrom(...WALLETS);
const amount = fc.bigInt(1n, 4_000n);
const limit = fc.option(fc.bigInt(500n, 6_000n), { nil: undefined, freq: 2 });
const charge = fc.constantFrom(0n, 0n, 25n, 130n);
const pick = fc.nat({ max: 1_000 });

const spec: fc.Arbitrary<PostingSpec> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('credit', 'debit', 'transfer', 'gateway') },
    { weight: 4, arbitrary: always('refund') },
    { weight: 2, arbitrary: always('reversal') },
    { weight: 2, arbitrary: always('capture') },
    { weight: 1, arbitrary: always('again') },
  ),
  wallet,
  other: wallet,
  amount,
  fee: charge,
  tax: charge,
  limit,
  pick,
  whole: fc.boolean(),
  fills: sometimes,
  arrives: fc.boolean(),
  change: fc.constantFrom('nothing', 'nothing', 'amount', 'comment', 'fee'),
  refuse: sometimes,
});

/** Something in every wallet, so that sequences get somewhere. */
export const opening: Extract<Step, { do: 'post' }> = {
  do: 'post',
  batch: WALLETS.map((to) => ({
    kind: 'credit',
    wallet: to,
    other: to,
    amount: 9_000n,
    fee: 0n,
    tax: 0n,
    limit: undefined,
    pick: 0,
    whole: true,
    fills: false,
    arrives: false,
    change: 'nothing',
    refuse: false,
  })),
};

/** Movements out of two wallets that come to about what is in them and what they may spend, one after the other. */
export const movements = fc.array(
  spec.chain((made) => {
    const some = {
      kind: fc.constantFrom('credit', 'debit', 'transfer', 'debit', 'transfer'),
      wallet: fc.constantFrom(1, 2),
    };
    const much = { amount: fc.bigInt(1_500n, 4_500n), limit: fc.constantFrom(undefined, undefined, 9_000n) };
    return fc.record({ ...some, ...much }).map((members) => ({ ...made, ...members, refuse: false }));
  }),
  { minLength: 2, maxLength: 6 },
);

/** What an account mostly is, so that sequences get somewhere. */
const status = fc.constantFrom('Enabled', 'Enabled', 'Enabled', 'Blocked', 'PND', 'PNC', 'PNC');

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: always('post'), batch: fc.array(spec, { minLength: 1, maxLength: 5 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: always('hold'),
      account: wallet,
      amount,
      expiresInHours: fc.integer({ min: 1, max: 72 }),
      limit,
      again: seldom(pick),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: always('release'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: always('lift'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: always('settle one'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: always('expire') }) },
  { weight: 2, arbitrary: fc.record({ do: always('settle'), account: wallet }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: always('rules'), account: wallet, status, limit: fc.option(amount, { freq: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: always('lien'), account: wallet, amount }) },
  { weight: 1, arbitrary: fc.record({ do: always('apply deferred'), most: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 2, arbitrary: fc.record({ do: always('wait'), minutes: fc.integer({ min: 1, max: 900 }) }) },
);
