import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { hasEnded } from './books-store.ts';
import { assertBegun, endOfDay } from './day.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';
import { type PartnerSums, selectPartnerDay } from './partner-day-store.ts';
import type { TransactionType } from './posting.ts';

const kept = ['FLOAT', 'WALLET'] as const;
const charged = ['FEE', 'COMMISSION', 'STAMP_DUTY'] as const;

/** FLOAT; WALLET: all its wallets together; FEE, COMMISSION, STAMP_DUTY: what was charged on its transactions. */
type PartnerAccount = (typeof kept | typeof charged)[number];

/** What a day did to a kind of a partner's accounts. Minor units; `in` and `out` are unsigned. */
export interface PartnerDayLine {
  account: PartnerAccount;
  currency: Currency;
  /** By transactions of this type alone; undefined: by all of them. */
  type: TransactionType | undefined;
  opening: Minor | undefined;
  in: Minor;
  out: Minor;
  movements: number;
  closing: Minor | undefined;
}

export interface PartnerDay {
  partnerId: string;
  date: string;
  /** False of a day that is not over, or of which something may still be committed. */
  closed: boolean;
  /** What stood there as the day ended, less what the day opened with and moved: nothing, unless the books contradict themselves. */
  differences: { account: PartnerAccount; currency: Currency; difference: Minor }[];
  lines: PartnerDayLine[];
}

/**
 * A partner's day in Africa/Lagos, as of one moment. The opening is what moved on all days before; the closing is what stands
 * in the accounts, less what moved since: that the one leads to the other shows that nothing is missing.
 *
 * @param date YYYY-MM-DD
 * @throws DomainError INVALID_PARAMETER for a day that has not begun, PARTNER_NOT_FOUND
 */
export async function partnerDay(
  db: Executor,
  { clock, partnerId, date }: { clock: Clock; partnerId: string; date: string },
): Promise<PartnerDay> {
  const endsAt = endOfDay(date);
  // In this order: what is read after the day has ended holds all of it.
  const [closed, sums] = await Promise.all([hasEnded(db, endsAt), selectPartnerDay(db, { partnerId, day: date })]);
  if (!sums.some(({ kind, type }) => kind === 'FLOAT' && type === undefined)) {
    throw new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');
  }
  assertBegun(date, { now: clock.now(), hasMoved: sums.some(({ movements }) => movements > 0) });
  const of = (kind: PartnerAccount, currency: Currency) =>
    sums.filter((one) => one.kind === kind && one.currency === currency);
  const each = <Kind extends PartnerAccount, Row>(
    kinds: readonly Kind[],
    make: (kind: Kind, currency: Currency) => Row[],
  ) => kinds.flatMap((kind) => currencies.flatMap((currency) => make(kind, currency)));

  const lines = [
    ...each(kept, (kind, currency) => {
      const opening = asMinor(total(of(kind, currency), 'before'));
      const closing = asMinor(total(of(kind, currency), 'present') - total(of(kind, currency), 'after'));
      return [
        { ...lineOf(kind, currency, of(kind, currency)), opening, closing },
        ...byType(kind, currency, of(kind, currency)),
      ];
    }),
    ...each(charged, (kind, currency) => [lineOf(kind, currency, of(kind, currency))]),
  ];
  const differences = lines.flatMap(({ account, currency, opening, closing, ...moved }) => {
    if (opening === undefined || closing === undefined) return [];
    const difference = asMinor(closing - opening - moved.in + moved.out);
    return difference === 0n ? [] : [{ account, currency, difference }];
  });
  return { partnerId, date, closed, differences, lines };
}

const lineOf = (
  account: PartnerAccount,
  currency: Currency,
  sums: readonly PartnerSums[],
  type?: TransactionType,
): PartnerDayLine => ({
  account,
  currency,
  type,
  opening: undefined,
  in: asMinor(total(sums, 'credits')),
  out: asMinor(total(sums, 'debits')),
  movements: sums.reduce((all, one) => all + one.movements, 0),
  closing: undefined,
});

/** A line for each type of which something moved on the day. */
const byType = (account: PartnerAccount, currency: Currency, sums: readonly PartnerSums[]): PartnerDayLine[] =>
  sums
    .filter(({ type, movements }) => type !== undefined && movements > 0)
    .toSorted((a, b) => (String(a.type) < String(b.type) ? -1 : 1))
    .map((one) => lineOf(account, currency, [one], one.type));

const total = (sums: readonly PartnerSums[], member: 'before' | 'after' | 'debits' | 'credits' | 'present'): bigint =>
  sums.reduce((all, one) => all + one[member], 0n);
