import type { Executor } from '#lib/database.ts';
import { type Payer, upsertBeneficiary } from './store.ts';

/** Notes that a customer has paid somebody, who is her beneficiary at this partner from now on. */
export async function notePayment(
  db: Executor,
  { payeeId, paidAt, partnerId, customerId }: Payer & { payeeId: string; paidAt: Date },
): Promise<void> {
  await upsertBeneficiary(db, { partnerId, customerId, payeeId, lastPaidAt: paidAt });
}
