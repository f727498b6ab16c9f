import { and, desc, eq, sql } from '#drizzle';
import { countUpTo, rememberEstimate } from '#lib/counts.ts';
import type { Executor } from '#lib/database.ts';
import { gathered } from '#lib/gathered.ts';
import { isPast, type Listed, OFFSET_MAX, type PageRequest, pageOfRows } from '#lib/list-page.ts';
import { preparedText } from '#lib/prepared.ts';
import { beneficiary } from './tables.ts';

/** Whose beneficiaries. */
export interface Payer {
  partnerId: string;
  customerId: string;
}

const of = ({ partnerId, customerId }: Payer) =>
  and(eq(beneficiary.partnerId, partnerId), eq(beneficiary.customerId, customerId));

/** A payment of a customer at a partner to another customer. */
interface Payment extends Payer {
  payeeId: string;
  lastPaidAt: Date;
}

const insertAll = preparedText<{ ordinal: number }>(
  'beneficiaries.record',
  `insert into beneficiaries.beneficiary as b (partner_id, customer_id, payee_id, last_paid_at)
   select partner, customer, payee, max(at)
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) paid (partner, customer, payee, at)
    group by partner, customer, payee
    order by partner, customer, payee -- one order of locks
   on conflict (partner_id, customer_id, payee_id)
     do update set last_paid_at = greatest(b.last_paid_at, excluded.last_paid_at)`,
  { writes: true },
);

/** Records a payment: who was paid is a beneficiary at this partner from now on. */
export const recordBeneficiary: (db: Executor, paid: Payment) => Promise<unknown> = gathered((db, paid) =>
  insertAll(db, [
    paid.map(({ partnerId }) => partnerId),
    paid.map(({ customerId }) => customerId),
    paid.map(({ payeeId }) => payeeId),
    paid.map(({ lastPaidAt }) => lastPaidAt),
  ]),
);

/** Removes a beneficiary. @returns false when there was none */
export async function deleteBeneficiary(db: Executor, payer: Payer, payeeId: string): Promise<boolean> {
  const deleted = await db
    .delete(beneficiary)
    .where(and(of(payer), eq(beneficiary.payeeId, payeeId)))
    .returning({ payeeId: beneficiary.payeeId });
  return deleted.length > 0;
}

/** A place among the beneficiaries of a payer: when one was paid last, and who. */
export interface PaidLast {
  at: Date;
  id: string;
}

/** A page of beneficiaries, those paid last first. `count` is of all. */
export async function selectBeneficiaries(
  db: Executor,
  payer: Payer,
  { limit, offset, cursor }: PageRequest<PaidLast>,
): Promise<Listed<{ payeeId: string; lastPaidAt: Date }, PaidLast>> {
  const its = of(payer);
  const { payeeId, lastPaidAt } = beneficiary;
  const counting = rememberEstimate(db, `beneficiaries of ${payer.partnerId} ${payer.customerId}`, async () =>
    countUpTo(db, sql`select 1 from ${beneficiary} where ${its}`),
  );
  if (limit === 0 || offset > OFFSET_MAX) {
    const counted = await counting;
    if (limit === 0 || isPast(counted, offset)) return { items: [], ...counted, next: undefined };
  }
  const behind = cursor && sql`(${lastPaidAt}, ${payeeId}) < (${cursor.at.toISOString()}, ${cursor.id})`;
  const reading = db
    .select({ payeeId, lastPaidAt })
    .from(beneficiary)
    .where(and(its, behind))
    .orderBy(desc(lastPaidAt), desc(payeeId))
    .limit(limit + 1)
    .offset(offset);
  const [counted, rows] = await Promise.all([counting, reading]);
  return { ...pageOfRows(rows, limit, (row) => ({ at: row.lastPaidAt, id: row.payeeId })), ...counted };
}
