import type { Database } from '#lib/postgres/executor.ts';
import { findPayee } from '#modules/customers';
import { deleteBeneficiary, type Payer } from './beneficiary-store.ts';

/** Removes one of a customer's beneficiaries at a partner; a later payment brings them back. @returns false when there was none */
export async function removeBeneficiary(
  { db }: { db: Database },
  { paytag, ...payer }: Payer & { paytag: string },
): Promise<boolean> {
  const payee = await findPayee(db, paytag);
  return payee !== undefined && deleteBeneficiary(db, payer, payee.customerId);
}
