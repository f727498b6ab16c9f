import { desc, eq } from '#drizzle';
import { EXPORTED_MAX, type ExportOf } from '#lib/person-export.ts';
import { partnerWallet } from '#modules/wallets';
import { requested } from './tables.ts';

/** The statements that the customer asked to be prepared. */
export const exportOf: ExportOf = async ({ db }, customerId) =>
  db
    .select({
      reference: requested.reference,
      wallet: partnerWallet.reference,
      from: requested.from,
      to: requested.to,
      format: requested.format,
      status: requested.status,
      requestedAt: requested.createdAt,
      mailedAt: requested.mailedAt,
    })
    .from(requested)
    .innerJoin(partnerWallet, eq(partnerWallet.id, requested.walletId))
    .where(eq(partnerWallet.customerId, customerId))
    .orderBy(desc(requested.id))
    .limit(EXPORTED_MAX);
