import { and, count, desc, eq, inArray, isNotNull } from '#drizzle';
import type { Database } from '#lib/postgres/executor.ts';
import { prepared, preparedOne } from '#lib/postgres/prepared.ts';
import type { Retention, Room, SqlInvariant } from '#lib/room.ts';
import { EXPORTED_MAX, type ExportOf, newestOf, type OfCustomer } from '#lib/room.ts';
import { partnerWallet } from '#modules/wallets';
import { toView } from './account-view.ts';
import { sealedColumns } from './sealed-account.ts';
import { account } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'inbound_accounts.account',
    kept: 'with its wallet',
    why: 'money is paid to it',
  },
];

/** What must be true of assigned account numbers at any moment. */
const invariants: readonly SqlInvariant[] = [
  {
    name: 'assigned_accounts_are_audited',
    promise: 'an account number is the wallet’s to which its provider assigned it, by the audit log',
    offenders: () => `
      select a.id as account_id, a.wallet, a.provider from inbound_accounts.account a
        where a.account_index is not null and encode(a.account_index, 'hex') is distinct from (
          select x.after ->> 'account' from audit.entry x
            where x.target = a.wallet and x.action = 'account_number.assign' and x.after ->> 'provider' = a.provider
            order by x.id desc limit 1)`,
  },
];

/** The account numbers of the customer's wallets at providers' banks. */
const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [rows, total] = await Promise.all([newest(db, { customerId }), countAll(db, { customerId })]);
  return newestOf(
    rows.map((row) => ({ wallet: row.wallet, ...toView(keyring, row) })),
    total?.count ?? 0,
  );
};

function isTheirs(db: Database, { customerId }: OfCustomer) {
  const wallets = db
    .select({ reference: partnerWallet.reference })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  return and(inArray(account.wallet, wallets), isNotNull(account.assignedAt));
}

const newest = prepared('inbound-accounts.export', (db, given: OfCustomer) =>
  db.select().from(account).where(isTheirs(db, given)).orderBy(desc(account.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('inbound-accounts.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(account).where(isTheirs(db, given)),
);

export const room: Room = {
  retention,
  invariants: () => invariants,
  sealedColumns,
  exports: { inboundAccounts: exportOf },
};
