import { asc, count, desc, eq, inArray, sql } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { EXPORTED_MAX, type ExportOf, newestOf, type OfCustomer } from '#lib/personal-data.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { openSaid } from './said.ts';
import { dispute, evidence } from './tables.ts';

/** What of the customer's wallets was disputed, and what was said of it. */
export const exportOf: ExportOf = async ({ db, keyring, securityLog }, customerId) => {
  const [items, total] = await Promise.all([newest(db, { customerId }), countAll(db, { customerId })]);
  const said = await evidenceOf(db, { disputes: items.map(({ id }) => id) });
  const exported = items.map((row) => ({
    id: row.id,
    wallet: row.wallet,
    amount: toMajor(row.amount),
    state: row.state,
    reason: row.reason,
    evidence: said
      .filter(({ disputeId }) => disputeId === row.id)
      .map((piece) => ({ by: piece.by, ...openSaid({ keyring, securityLog }, piece), createdAt: piece.createdAt })),
    decision: row.decision,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};

const isTheirs = (db: Database, { customerId }: OfCustomer) =>
  inArray(
    dispute.wallet,
    db
      .select({ reference: partnerWallet.reference })
      .from(partnerWallet)
      .where(eq(partnerWallet.customerId, customerId)),
  );

const newest = prepared('disputes.export', (db, given: OfCustomer) =>
  db.select().from(dispute).where(isTheirs(db, given)).orderBy(desc(dispute.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('disputes.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(dispute).where(isTheirs(db, given)),
);
const evidenceOf = prepared('disputes.export-evidence', (db, given: Given<{ disputes: readonly string[] }>) =>
  db.select().from(evidence).where(sql`${evidence.disputeId} = any(${given.disputes})`).orderBy(asc(evidence.number)),
);
