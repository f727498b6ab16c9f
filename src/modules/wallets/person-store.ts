import { eq, sql } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { type EraseOf, EXPORTED_MAX, type ExportOf, newestOf, type OfCustomer } from '#lib/personal-data.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { account, amountsOf, historyOf, liensOf } from '#modules/ledger';
import { partner } from '#modules/partners';
import { partnerWallet } from './tables.ts';
import { toTransaction } from './wallet-transaction.ts';

const walletsOf = prepared('wallets.export', (db, given: OfCustomer) =>
  db
    .select({ wallet: partnerWallet, account, partner: partner.name })
    .from(partnerWallet)
    .innerJoin(account, eq(account.id, partnerWallet.accountId))
    .innerJoin(partner, eq(partner.id, partnerWallet.partnerId))
    .where(eq(partnerWallet.customerId, given.customerId))
    .orderBy(partnerWallet.id),
);

type Found = Awaited<ReturnType<typeof walletsOf>>[number];

/** The wallets of a customer: the reference of each, by its account. */
export const accountsOfCustomer = async (db: Executor, customerId: string): Promise<ReadonlyMap<number, string>> =>
  new Map((await walletsOf(db, { customerId })).map(({ wallet }) => [wallet.accountId, wallet.reference]));

/** The customer's wallets at all partners, with what is in them. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
  const exported = [];
  for (const found of await walletsOf(db, { customerId })) exported.push(await exportedWallet(db, found));
  return exported;
};

/** What moved in the customer's wallets, as each partner is shown it. */
export const exportTransactionsOf: ExportOf = async ({ db }, customerId) => {
  const wallets = await walletsOf(db, { customerId });
  const moved = [];
  for (const { wallet, account: of } of wallets) {
    const movements = await historyOf(db, of, { limit: EXPORTED_MAX, offset: 0 });
    moved.push(...movements.map((movement) => ({ ...toTransaction(movement), wallet: wallet.reference })));
  }
  const newest = moved.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(0, EXPORTED_MAX);
  const exported = newest.map((one) => ({
    ...one,
    amount: toMajor(one.amount),
    fee: toMajor(one.fee),
    commission: toMajor(one.commission),
    net: toMajor(one.net),
    openingBalance: majorOrNone(one.openingBalance),
    closingBalance: majorOrNone(one.closingBalance),
  }));
  return newestOf(
    exported,
    wallets.reduce((sum, { account: of }) => sum + of.version, 0),
  );
};

async function exportedWallet(db: Executor, { wallet, account: of, partner: name }: Found) {
  const { total, suspended, blocked, available } = amountsOf(of);
  const liens = await liensOf(db, of.id);
  return {
    reference: wallet.reference,
    nuban: wallet.nuban,
    partner: { id: wallet.partnerId, name, knowsCustomerSince: wallet.knownSince },
    currency: of.currency,
    total: toMajor(total),
    suspended: toMajor(suspended),
    blocked: toMajor(blocked),
    available: toMajor(available),
    status: of.status,
    tier: wallet.tier,
    isPrimary: wallet.isPrimary,
    metadata: wallet.metadata,
    liens: liens.map(({ amount, reason, createdAt }) => ({ amount: toMajor(amount), reason, createdAt })),
    createdAt: wallet.createdAt,
    revokedAt: wallet.revokedAt,
  };
}

const majorOrNone = (amount: bigint | undefined): number | undefined =>
  amount === undefined ? undefined : toMajor(amount);

/** What partners keep with the customer's wallets. */
export const eraseOf: EraseOf = async ({ tx, now }, customerId) => {
  await erase(tx, { customerId, now });
};

const erase = prepared('wallets.erase', (db, given: Given<{ customerId: string; now: Date }>) =>
  db
    .update(partnerWallet)
    .set({ metadata: null, updatedAt: sql`${given.now}` })
    .where(eq(partnerWallet.customerId, given.customerId)),
);
