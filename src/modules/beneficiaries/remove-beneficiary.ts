import type { Database } from '#lib/database.ts';
import { findPayee } from '#modules/customers';
import { deleteBeneficiary, type Payer } from './store.ts';

/** Takes somebody off a customer's beneficiaries at a partner; a later payment brings her back. @returns false when she was none */
export async function removeBeneficiary(
  { db }: { db: Database },
  { paytag, ...payer }: Payer & { paytag: string },
): Promise<boolean> {
  const payee = await findPayee(db, paytag);
  return payee !== undefined && deleteBeneficiary(db, payer, payee.customerId);
}
