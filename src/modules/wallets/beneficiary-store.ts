import { and, desc, eq, sql } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import {
  countUpTo,
  isPast,
  type Listed,
  OFFSET_MAX,
  type PageRequest,
  pageOfRows,
  rememberEstimate,
  shaped,
} from '#lib/postgres/lists.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { beneficiary } from './tables.ts';

/** Whose beneficiaries. */
export interface Payer {
  partnerId: string;
  customerId: string;
}

const of = ({ partnerId, customerId }: Payer) =>
  and(eq(beneficiary.partnerId, partnerId), eq(beneficiary.customerId, customerId));

/** Removes a beneficiary. @returns false when there was none */
export async function deleteBeneficiary(db: Executor, payer: Payer, payeeId: string): Promise<boolean> {
  return (await remove(db, { ...payer, payeeId })).length > 0;
}

const remove = prepared('beneficiaries.remove', (db, given: Given<Payer & { payeeId: string }>) =>
  db
    .delete(beneficiary)
    .where(
      and(
        eq(beneficiary.partnerId, given.partnerId),
        eq(beneficiary.customerId, given.customerId),
        eq(beneficiary.payeeId, given.payeeId),
      ),
    )
    .returning({ payeeId: beneficiary.payeeId }),
);

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
    countUpTo(db, 'beneficiaries', sql`select 1 from ${beneficiary} where ${its}`),
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
  const [counted, rows] = await Promise.all([counting, shaped(db, 'beneficiaries.page', reading)]);
  return { ...pageOfRows(rows, limit, (row) => ({ at: row.lastPaidAt, id: row.payeeId })), ...counted };
}
