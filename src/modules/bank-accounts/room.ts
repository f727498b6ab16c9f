import { eq } from '#drizzle';
import { prepared } from '#lib/postgres/prepared.ts';
import type { EraseOf, ExportOf, OfCustomer, Retention, Room, SqlInvariant } from '#lib/room.ts';
import { partner } from '#modules/partners';
import { openAccount, sealedColumns } from './linked-account.ts';
import { linkedAccount } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'bank_accounts.linked_account',
    kept: 'until another replaces it, or its customer is erased',
    why: 'payouts go there',
  },
];

/** What must be true of linked accounts at any moment. */
const invariants: readonly SqlInvariant[] = [
  {
    name: 'linked_accounts_are_audited',
    promise: 'a customer’s payouts at a partner go to the account that they linked there last, by the audit log',
    offenders: () => `
      select l.customer_id, l.partner_id from bank_accounts.linked_account l
        where encode(l.account_index, 'hex') is distinct from (
          select x.after ->> 'account' from audit.entry x
            where x.target = l.customer_id::text and x.action = 'bank_account.link'
              and x.after ->> 'partnerId' = l.partner_id::text order by x.id desc limit 1)`,
  },
];

/** The bank accounts that the customer linked. */
const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
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
const eraseOf: EraseOf = async ({ tx }, customerId) => {
  await erase(tx, { customerId });
};

const erase = prepared('bank-accounts.erase', (db, given: OfCustomer) =>
  db.delete(linkedAccount).where(eq(linkedAccount.customerId, given.customerId)),
);

export const room: Room = {
  retention,
  invariants: () => invariants,
  sealedColumns,
  exports: { bankAccounts: exportOf },
  erase: eraseOf,
};
