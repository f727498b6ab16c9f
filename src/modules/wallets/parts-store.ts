import { eq, sql } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { account } from '#modules/ledger';
import { kycProfile, partnerWallet } from './tables.ts';

/** What is read of a wallet by whoever goes by it (`wallet-route.ts`). */
export const routedWallet = {
  reference: partnerWallet.reference,
  partnerId: partnerWallet.partnerId,
  customerId: partnerWallet.customerId,
  kycProfileId: partnerWallet.kycProfileId,
  accountId: partnerWallet.accountId,
  nuban: partnerWallet.nuban,
  isPrimary: partnerWallet.isPrimary,
  routingMac: partnerWallet.routingMac,
};

/** What is read of the three: two thirds of their columns, each of which takes its time. */
const walletParts = {
  wallet: {
    ...routedWallet,
    id: partnerWallet.id,
    tier: partnerWallet.tier,
    metadata: partnerWallet.metadata,
    knownSince: partnerWallet.knownSince,
    provenAt: partnerWallet.provenAt,
    revokedAt: partnerWallet.revokedAt,
    createdAt: partnerWallet.createdAt,
    updatedAt: partnerWallet.updatedAt,
  },
  account: {
    id: account.id,
    kind: account.kind,
    reference: account.reference,
    partnerId: account.partnerId,
    routingMac: account.routingMac,
    currency: account.currency,
    posted: account.posted,
    suspended: account.suspended,
    liens: account.liens,
    version: account.version,
    status: account.status,
    dailyLimit: account.dailyLimit,
    holderId: account.holderId,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
    movedAt: sql<Date | null>`${account}.moved_at`.mapWith(account.updatedAt),
  },
  kycProfile: {
    id: kycProfile.id,
    partnerId: kycProfile.partnerId,
    routingMac: kycProfile.routingMac,
    number: kycProfile.number,
    firstName: kycProfile.firstName,
    lastName: kycProfile.lastName,
    otherName: kycProfile.otherName,
  },
};

/** A wallet with its account and, when it belongs to one, its KYC profile. */
export type WalletParts = Awaited<ReturnType<typeof selectParts>>[number];

/** Selects wallets with what belongs to them. */
export function selectParts(db: Executor) {
  return db
    .select(walletParts)
    .from(partnerWallet)
    .innerJoin(account, eq(account.id, partnerWallet.accountId))
    .leftJoin(kycProfile, eq(kycProfile.id, partnerWallet.kycProfileId));
}
