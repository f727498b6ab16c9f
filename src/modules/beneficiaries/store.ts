import { and, count, desc, eq, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { beneficiary } from './tables.ts';

/** Whose beneficiaries. */
export interface Payer {
  partnerId: string;
  customerId: string;
}

const of = ({ partnerId, customerId }: Payer) =>
  and(eq(beneficiary.partnerId, partnerId), eq(beneficiary.customerId, customerId));

/** Records a payment: who was paid is a beneficiary at this partner from now on. */
export async function recordBeneficiary(db: Executor, row: typeof beneficiary.$inferInsert): Promise<void> {
  await db
    .insert(beneficiary)
    .values(row)
    .onConflictDoUpdate({
      target: [beneficiary.partnerId, beneficiary.customerId, beneficiary.payeeId],
      set: { lastPaidAt: sql`greatest(${beneficiary.lastPaidAt}, excluded.last_paid_at)` },
    });
}

/** Removes a beneficiary. @returns false when there was none */
export async function deleteBeneficiary(db: Executor, payer: Payer, payeeId: string): Promise<boolean> {
  const deleted = await db
    .delete(beneficiary)
    .where(and(of(payer), eq(beneficiary.payeeId, payeeId)))
    .returning({ payeeId: beneficiary.payeeId });
  return deleted.length > 0;
}

/** A page of beneficiaries, those paid last first. `count` is of all. */
export async function selectBeneficiaries(db: Executor, payer: Payer, page: { limit: number; offset: number }) {
  const items = await db
    .select({ payeeId: beneficiary.payeeId, lastPaidAt: beneficiary.lastPaidAt })
    .from(beneficiary)
    .where(of(payer))
    .orderBy(desc(beneficiary.lastPaidAt), beneficiary.payeeId)
    .limit(page.limit)
    .offset(page.offset);
  const [total] = await db.select({ count: count() }).from(beneficiary).where(of(payer));
  return { items, count: total?.count ?? 0 };
}
