import { and, type Column, desc, eq, gte, isNotNull, isNull, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { FactsOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { type Account, account, type Currency, type Minor } from '#modules/ledger';
import { selectParts, type WalletParts } from './parts-store.ts';
import { partnerWallet } from './tables.ts';
import { macOfWallet, verified, type walletRoute } from './wallet-route.ts';

type PartnerWalletRow = typeof partnerWallet.$inferSelect;

/** The serial part of the next account number. */
export async function nextNubanSerial(tx: Tx): Promise<number> {
  const [row] = await nextSerial(tx, []);
  return Number(row?.serial);
}

const nextSerial = preparedText<{ serial: string }>(
  'wallets.next-nuban',
  `select nextval('wallets.nuban_serial') as serial`,
  { writes: true },
);

/** Stores a new wallet. */
export async function insertWallet(
  tx: Tx,
  keyring: Keyring,
  values: Omit<typeof partnerWallet.$inferInsert, 'routingMac'> & FactsOf<typeof walletRoute>,
): Promise<void> {
  await add(tx, { ...values, routingMac: macOfWallet(keyring, values) }, {});
}

const add = preparedColumns('wallets.add', partnerWallet, (db, written: Written<typeof partnerWallet.$inferInsert>) =>
  db.insert(partnerWallet).values(written),
);

/** Records since when a partner knows the customer of a wallet. */
export async function updateKnown(tx: Tx, reference: string, knownSince: Date): Promise<void> {
  await changeNamed(tx, { knownSince }, { reference });
}

/** Records when the customer of a wallet first proved who they are at its partner. */
export async function updateProven(tx: Tx, reference: string, provenAt: Date): Promise<void> {
  await changeNamed(tx, { provenAt }, { reference });
}

const changeNamed = preparedColumns(
  'wallets.change-named',
  partnerWallet,
  (db, written: Written<Partial<PartnerWalletRow>>, given: Given<{ reference: string }>) =>
    db.update(partnerWallet).set(written).where(eq(partnerWallet.reference, given.reference)),
);

/** Since when a partner has known a customer by their wallets there, revoked ones included; null when it never did. */
export async function selectKnownSince(
  tx: Tx,
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<Date | null> {
  return (await firstKnown(tx, { partnerId, customerId }))?.knownSince ?? null;
}

const firstKnown = preparedOne('wallets.known-since', (db, given: Given<{ partnerId: string; customerId: string }>) =>
  db
    .select({ knownSince: partnerWallet.knownSince })
    .from(partnerWallet)
    .where(
      and(
        eq(partnerWallet.partnerId, given.partnerId),
        eq(partnerWallet.customerId, given.customerId),
        isNotNull(partnerWallet.knownSince),
      ),
    )
    .orderBy(partnerWallet.knownSince)
    .limit(1),
);

/** A wallet of this partner, and of no other. */
export const selectByReference = verified(
  preparedOne('wallets.by-reference', (db, given: Given<{ partnerId: string; reference: string }>) =>
    selectParts(db).where(
      and(eq(partnerWallet.partnerId, given.partnerId), eq(partnerWallet.reference, given.reference)),
    ),
  ),
);

/** A wallet of any partner. */
export const selectOfAnyPartner = verified(
  preparedOne('wallets.of-any-partner', (db, given: Given<{ reference: string }>) =>
    selectParts(db).where(eq(partnerWallet.reference, given.reference)),
  ),
);

/** A wallet by its ledger account. */
export const selectOfAccount = verified(
  preparedOne('wallets.of-account', (db, given: Given<{ accountId: number }>) =>
    selectParts(db).where(eq(partnerWallet.accountId, given.accountId)),
  ),
);

/** A wallet by its account number. */
export const selectByNuban = verified(
  preparedOne('wallets.by-nuban', (db, given: Given<{ nuban: string }>) =>
    selectParts(db).where(eq(partnerWallet.nuban, given.nuban)),
  ),
);

const selectByCustomers = prepared(
  'wallets.by-customers',
  (db, given: Given<{ partnerIds: readonly string[]; customerIds: readonly string[] }>) =>
    selectParts(db).where(
      and(
        sql`(${partnerWallet.partnerId}, ${partnerWallet.customerId}) in (
          select * from unnest(${given.partnerIds}::uuid[], ${given.customerIds}::uuid[]))`,
        isNull(partnerWallet.revokedAt),
      ),
    ),
);

/** The live wallet of a customer at a partner. Those who ask at the same moment share a statement. */
export const selectByCustomer = verified(
  gathered<{ partnerId: string; customerId: string }, WalletParts & { ordinal: number }>(async (db, asked) => {
    const found = await selectByCustomers(db, {
      partnerIds: asked.map(({ partnerId }) => partnerId),
      customerIds: asked.map(({ customerId }) => customerId),
    });
    const byKey = new Map(found.map((one) => [`${one.wallet.partnerId} ${one.wallet.customerId}`, one]));
    return placed(asked, ({ partnerId, customerId }) => byKey.get(`${partnerId} ${customerId}`));
  }),
);

/** A customer has one wallet at each partner that lives. */
const OF_CUSTOMER_MAX = 1000;

/** The wallets of a customer at all partners, newest first, the revoked ones included. */
export const selectOfCustomer = prepared('wallets.of-customer', (db, given: Given<{ customerId: string }>) =>
  selectParts(db)
    .where(eq(partnerWallet.customerId, given.customerId))
    .orderBy(desc(partnerWallet.id))
    .limit(OF_CUSTOMER_MAX),
);

/** The live wallet into which money sent to a customer's PayTag is paid. */
export const selectPrimary = verified(
  preparedOne('wallets.primary', (db, given: Given<{ customerId: string }>) =>
    selectParts(db).where(
      and(
        eq(partnerWallet.customerId, given.customerId),
        sql`${partnerWallet.isPrimary}`,
        isNull(partnerWallet.revokedAt),
      ),
    ),
  ),
);

const selectHolders = prepared('wallets.holders', (db, given: Given<{ accounts: readonly number[] }>) =>
  db
    .select({ account: partnerWallet.accountId, customer: partnerWallet.customerId })
    .from(partnerWallet)
    .where(
      and(
        // The sub-select hides from the planner how many come: it would plan each anew.
        sql`${partnerWallet.accountId} = any((select ${given.accounts}::bigint[])::bigint[])`,
        isNotNull(partnerWallet.customerId),
      ),
    ),
);

/** The customers to whom the wallets of these accounts belong, by account. */
export async function selectHoldersOf(db: Executor, accounts: readonly number[]): Promise<Map<number, string>> {
  const found = await selectHolders(db, { accounts: [...new Set(accounts)] });
  return new Map(found.map(({ account: id, customer }) => [id, String(customer)]));
}

const listed = alias(partnerWallet, 'w');

export interface WalletFilter {
  partnerId?: string | undefined;
  customerId?: string | undefined;
  nuban?: string | undefined;
  status?: Account['status'] | undefined;
  currency?: Currency | undefined;
  /** All that is in it: at least, and at most. */
  amountFrom?: Minor | undefined;
  amountTo?: Minor | undefined;
  /** Made from this moment on, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** What stands in its account: looked up for each wallet that is walked over, never joined, as what is joined may be read whole. */
const ofAccount = (column: Column): SQL =>
  sql`(select ${column} from ${account} where ${account.id} = ${listed.accountId})`;

/** Wallets of all partners, newest first. `count` is of all that match. */
export async function selectMatching(
  db: Executor,
  filter: WalletFilter,
  page: PageRequest<number>,
): Promise<Listed<WalletParts, number>> {
  const { partnerId, customerId, nuban, status, currency, amountFrom, amountTo, from, to } = filter;
  const row = listed;
  // A customer has few wallets, a number is one wallet's, and few may not be used as all others are.
  const within = and(
    status === undefined || status === 'Enabled'
      ? undefined
      : sql`${row.accountId} in (select ${account.id} from ${account} where ${account.status} = ${status} and ${account.status} <> 'Enabled')`,
    partnerId === undefined ? undefined : eq(row.partnerId, partnerId),
    customerId === undefined ? undefined : eq(row.customerId, customerId),
    nuban === undefined ? undefined : eq(row.nuban, nuban),
  );
  const matches = and(
    status === 'Enabled' ? sql`${ofAccount(account.status)} = ${status}` : undefined,
    currency && sql`${ofAccount(account.currency)} = ${currency}`,
    amountFrom === undefined ? undefined : sql`${ofAccount(account.posted)} >= ${amountFrom}`,
    amountTo === undefined ? undefined : sql`${ofAccount(account.posted)} <= ${amountTo}`,
    from && gte(row.createdAt, from),
    to && lt(row.createdAt, to),
  );
  const walk = { name: 'wallets', filter, table: partnerWallet, row, key: row.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) =>
      selectParts(db).where(sql`${partnerWallet.id} = any(array(${keys}))`).orderBy(desc(partnerWallet.id)),
    keyOf: ({ wallet }) => wallet.id,
  });
}

/** Makes all others who would open a wallet for this customer wait until this transaction ends. */
export const lockCustomer = async (tx: Tx, customerId: string): Promise<void> =>
  void (await lockOpening(tx, [customerId]));

const lockOpening = preparedText(
  'wallets.lock-customer',
  `select pg_advisory_xact_lock(hashtextextended('wallets.open:' || $1::text, 0))`,
);
