import { eq } from '#drizzle';
import type { EraseOf, ExportOf, OfCustomer } from '#lib/personal-data.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import { partner } from '#modules/partners';
import { openAccount } from './linked-account.ts';
import { linkedAccount } from './tables.ts';

/** The bank accounts that the customer linked. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const found = await linked(db, { customerId });
  return found.map(({ row, partner: at }) => ({ partner: at, ...openAccount(keyring, row) }));
};

const linked = prepared('bank-accounts.export', (db, given: OfCustomer) =>
  db
    .select({ row: linkedAccount, partner: { id: partner.id, name: partner.name } })
    .from(linkedAccount)
    .innerJoin(partner, eq(partner.id, linkedAccount.partnerId))
    .where(eq(linkedAccount.customerId, given.customerId)),
);

/** The bank accounts that the customer linked. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('bank-accounts.erase', (db, given: OfCustomer) =>
  db.delete(linkedAccount).where(eq(linkedAccount.customerId, given.customerId)),
);
