import { asc, count, desc, eq, inArray } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { partnerWallet } from '#modules/wallets';
import { openSaid } from './said.ts';
import { dispute, evidence } from './tables.ts';

/** What of the customer's wallets was disputed, and what was said of it. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const wallets = db
    .select({ reference: partnerWallet.reference })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  const isTheirs = inArray(dispute.wallet, wallets);
  const items = await db.select().from(dispute).where(isTheirs).orderBy(desc(dispute.id)).limit(EXPORTED_MAX);
  const [total] = await db.select({ count: count() }).from(dispute).where(isTheirs);
  const said = await db
    .select()
    .from(evidence)
    .where(
      inArray(
        evidence.disputeId,
        items.map(({ id }) => id),
      ),
    )
    .orderBy(asc(evidence.id));
  const exported = items.map((row) => ({
    id: row.id,
    wallet: row.wallet,
    amount: toMajor(row.amount),
    state: row.state,
    reason: row.reason,
    evidence: said
      .filter(({ disputeId }) => disputeId === row.id)
      .map(({ by, saidSealed, createdAt }) => ({ by, ...openSaid(keyring, saidSealed), createdAt })),
    decision: row.decision,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};
