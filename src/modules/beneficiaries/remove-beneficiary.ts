import { findPayee } from '#modules/customers';
import type { Resources } from '../../resources.ts';
import { deleteBeneficiary, type Payer } from './store.ts';

/** Takes somebody off a customer's beneficiaries at a partner; a later payment brings her back. @returns false when she was none */
export async function removeBeneficiary(
  { db }: Pick<Resources, 'db'>,
  { paytag, ...payer }: Payer & { paytag: string },
): Promise<boolean> {
  const payee = await findPayee(db, paytag);
  return payee !== undefined && deleteBeneficiary(db, payer, payee.customerId);
}
