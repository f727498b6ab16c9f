import fc from 'fast-check';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Whom a payment is for: a wallet, one whose account number we learn of late, or nobody that we know. */
export const receivers = ['first', 'second', 'late', 'nobody'] as const;
export type Receiver = (typeof receivers)[number];

const which = fc.nat(999);
const rarely = (max: number) => fc.nat(max).map((drawn) => drawn === max);
const anyPayment = fc.record({
  to: fc.constantFrom<Receiver>('first', 'first', 'first', 'second', 'second', 'late', 'nobody'),
  isForeign: rarely(6),
  isNothing: rarely(9),
  isTold: fc.nat(3).map((drawn) => drawn > 0),
  lateMs: fc.constantFrom(0, 0, 0, HOUR_MS, DAY_MS),
});
export type PaymentStep = typeof anyPayment extends fc.Arbitrary<infer One> ? One : never;
const anyTelling = fc.record({ which, how: fc.constantFrom('same', 'same', 'written anew', 'forged', 'misquoted') });
/** What may happen between a provider of account numbers and us. */
export const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      all: fc.array(anyPayment, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      all: fc.array(anyTelling, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('book' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      deaths: fc.integer({ min: 0, max: 4 }),
      afterMs: fc.integer({ min: 0, max: 60_000 }),
      meanwhile: fc.array(anyTelling, { maxLength: 4 }),
      isCompared: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('compare' as const), daysAgo: fc.nat(2), isAway: rarely(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 12 * HOUR_MS }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('freeze' as const), status: fc.constantFrom('PNC', 'Blocked', 'Enabled') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('assign' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit' as const), which }) },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

/** Why a payment is not in the books once all is told; undefined: it is. */
export function differenceOf(
  { to, currency, amount, reference }: { to: Receiver; currency: string; amount: number; reference: string },
  { isLateKnown, credited }: { isLateKnown: boolean; credited: ReadonlySet<string> },
): string | undefined {
  if (currency !== 'NGN') return 'CURRENCY_DIFFERS';
  if (amount === 0) return 'AMOUNT_ZERO';
  const isKnown = to === 'first' || to === 'second' || credited.has(reference) || (to === 'late' && isLateKnown);
  return isKnown ? undefined : 'ACCOUNT_UNKNOWN';
}
