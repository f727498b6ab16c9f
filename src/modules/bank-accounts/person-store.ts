import { eq } from '#drizzle';
import type { EraseOf, ExportOf } from '#lib/personal-data.ts';
import { partner } from '#modules/partners';
import { openAccount } from './linked-account.ts';
import { linkedAccount } from './tables.ts';

/** The bank accounts that the customer linked. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await db
    .select({ row: linkedAccount, partner: { id: partner.id, name: partner.name } })
    .from(linkedAccount)
    .innerJoin(partner, eq(partner.id, linkedAccount.partnerId))
    .where(eq(linkedAccount.customerId, customerId));
  return found.map(({ row, partner: at }) => ({ partner: at, ...openAccount(keyring, row) }));
};

/** The bank accounts that the customer linked. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await tx.delete(linkedAccount).where(eq(linkedAccount.customerId, customerId));
};
