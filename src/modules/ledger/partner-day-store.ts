import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { AccountKind } from './books-store.ts';
import type { Currency } from './money.ts';
import type { TransactionType } from './posting.ts';

const selectPartner = preparedText<{
  kind: AccountKind;
  currency: Currency;
  type: TransactionType | null;
  before: string;
  debits: string;
  credits: string;
  movements: string;
  after: string;
  present: string | null;
}>('books.partner-day', 'select * from books.partner_day($1, $2)');

/** What moved on a kind of a partner's accounts by transactions of a type, or what stands there now. Minor units. */
export interface PartnerSums {
  kind: AccountKind;
  currency: Currency;
  /** Undefined: this is what stands there now. */
  type: TransactionType | undefined;
  /** What moved before the day, and after it: credits less debits. */
  before: bigint;
  after: bigint;
  debits: bigint;
  credits: bigint;
  movements: number;
  present: bigint;
}

/** The books of a partner around a day, of one moment. */
export async function selectPartnerDay(
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
