import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Account } from './accounts.ts';
import { assertBegun, endOfDay, hasEnded } from './business-day.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';
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
  /** False while transactions of the day can still be committed. */
  closed: boolean;
  /** Closing less opening less movements, where that is not zero: then the books contradict themselves. */
  differences: { account: PartnerAccount; currency: Currency; difference: Minor }[];
  lines: PartnerDayLine[];
}

/**
 * A partner's day in Africa/Lagos, in one snapshot. The opening is the sum of all earlier days; the closing is the present balance
 * less later movements. Both are independent, so opening plus movements equals closing only if nothing is missing.
 *
 * @param date YYYY-MM-DD
 * @throws DomainError INVALID_PARAMETER for a day that has not begun, PARTNER_NOT_FOUND
 */
export async function partnerDay(
  db: Executor,
  { clock, partnerId, date }: { clock: Clock; partnerId: string; date: string },
): Promise<PartnerDay> {
  const endsAt = endOfDay(date);
  // In this order: a read after the day has ended sees the whole day.
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

/** A line for each type that moved money on the day. */
const byType = (account: PartnerAccount, currency: Currency, sums: readonly PartnerSums[]): PartnerDayLine[] =>
  sums
    .filter(({ type, movements }) => type !== undefined && movements > 0)
    .toSorted((a, b) => (String(a.type) < String(b.type) ? -1 : 1))
    .map((one) => lineOf(account, currency, [one], one.type));

const total = (sums: readonly PartnerSums[], member: 'before' | 'after' | 'debits' | 'credits' | 'present'): bigint =>
  sums.reduce((all, one) => all + one[member], 0n);

/** The movements on one kind of a partner's accounts by one type of transaction, or its present balance. Minor units. */
interface PartnerSums {
  kind: Account['kind'];
  currency: Currency;
  /** Undefined: the row is the present balance. */
  type: TransactionType | undefined;
  /** Credits less debits, before and after the day. */
  before: bigint;
  after: bigint;
  debits: bigint;
  credits: bigint;
  movements: number;
  present: bigint;
}

/** A partner's books around a day, in one snapshot. */
async function selectPartnerDay(
  db: Executor,
  { partnerId, day }: { partnerId: string; day: string },
): Promise<PartnerSums[]> {
  const rows = await selectPartner(db, [partnerId, day]);
  return rows.map(({ kind, currency, type, ...sums }) => ({
    kind,
    currency,
    type: type ?? undefined,
    before: BigInt(sums.before),
    after: BigInt(sums.after),
    debits: BigInt(sums.debits),
    credits: BigInt(sums.credits),
    movements: Number(sums.movements),
    present: BigInt(sums.present ?? 0),
  }));
}

const selectPartner = preparedText<{
  kind: Account['kind'];
  currency: Currency;
  type: TransactionType | null;
  before: string;
  debits: string;
  credits: string;
  movements: string;
  after: string;
  present: string | null;
}>('books.partner-day', 'select * from books.partner_day($1, $2)');
