import { and, type Column, desc, eq, gte, isNotNull, isNull, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type FactsOf, type RowInSql, rowInSql } from '#lib/crypto/routing-facts.ts';
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
import { recordChange } from '#modules/audit';
import type { PayeeRows } from '#modules/customers';
import { type Account, account, type Currency, type Minor } from '#modules/ledger';
import { kycProfile, partnerWallet, type Tier } from './tables.ts';
import { macOfWallet, verified, walletRoute } from './wallet-route.ts';

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
        // The sub-select hides from the planner how many come: it would plan each call.
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

/** The routing facts of a wallet (`wallet-route.ts`). */
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

/** Locks a wallet until this transaction ends. Comes before its account is locked. @throws AlteredRecord */
export async function selectLocked(tx: Tx, keyring: Keyring, reference: string): Promise<PartnerWalletRow | undefined> {
  const wallet = await lockNamed(tx, { reference });
  if (wallet !== undefined) assertAuthentic(keyring, walletRoute, wallet);
  return wallet;
}

const lockNamed = preparedOne('wallets.lock', (db, given: Given<{ reference: string }>) =>
  db.select().from(partnerWallet).where(eq(partnerWallet.reference, given.reference)).for('no key update'),
);

/** Locks the live wallets of a customer until this transaction ends, in the order of their accounts. */
export async function lockWalletsOf(tx: Tx, customerId: string): Promise<PartnerWalletRow[]> {
  return lockOf(tx, { customerId });
}

const lockOf = prepared('wallets.lock-of-customer', (db, given: Given<{ customerId: string }>) =>
  db
    .select()
    .from(partnerWallet)
    .where(and(eq(partnerWallet.customerId, given.customerId), isNull(partnerWallet.revokedAt)))
    .orderBy(partnerWallet.accountId)
    .for('no key update'),
);

/** Notes what a wallet returns to when its customer is released. */
export async function updateStatusBeforeFreeze(
  tx: Tx,
  id: number,
  statusBeforeFreeze: PartnerWalletRow['statusBeforeFreeze'],
  now: Date,
): Promise<void> {
  await change(tx, { statusBeforeFreeze, updatedAt: now }, { id });
}

const change = preparedColumns(
  'wallets.change',
  partnerWallet,
  (db, written: Written<Partial<PartnerWalletRow>>, given: Given<{ id: number }>) =>
    db.update(partnerWallet).set(written).where(eq(partnerWallet.id, given.id)),
);

/** Changes the tier of a wallet. */
export async function updateTier(tx: Tx, id: number, tier: Tier, now: Date): Promise<void> {
  await change(tx, { tier, updatedAt: now }, { id });
}

/** Marks a locked wallet as revoked and no longer the primary one. */
export async function updateRevoked(tx: Tx, keyring: Keyring, wallet: PartnerWalletRow, now: Date): Promise<void> {
  await change(tx, { revokedAt: now, ...primary(keyring, wallet, false), updatedAt: now }, { id: wallet.id });
}

/**
 * Makes that live wallet the primary one where the customer first proved who they are, or else the oldest. A change is audited.
 *
 * @throws AlteredRecord when one of the two is not as we stored it
 */
export async function choosePrimary(tx: Tx, keyring: Keyring, customerId: string, now: Date): Promise<void> {
  const wallets = await inOrderOfProof(tx, { customerId });
  const [chosen] = wallets;
  if (chosen === undefined || chosen.isPrimary) return;
  const before = wallets.find(({ isPrimary }) => isPrimary);
  for (const wallet of before === undefined ? [chosen] : [before, chosen]) {
    assertAuthentic(keyring, walletRoute, wallet);
    await change(tx, { ...primary(keyring, wallet, wallet === chosen), updatedAt: now }, { id: wallet.id });
  }
  await recordChange(tx, {
    actor: 'system',
    action: 'wallet.primary',
    target: customerId,
    ...(before !== undefined && { before: { wallet: before.reference } }),
    after: { wallet: chosen.reference },
  });
}

const primary = (keyring: Keyring, wallet: PartnerWalletRow, isPrimary: boolean) => ({
  isPrimary,
  routingMac: macOfWallet(keyring, { ...wallet, isPrimary }),
});

const inOrderOfProof = prepared('wallets.in-order-of-proof', (db, given: Given<{ customerId: string }>) =>
  db
    .select()
    .from(partnerWallet)
    .where(and(eq(partnerWallet.customerId, given.customerId), isNull(partnerWallet.revokedAt)))
    .orderBy(sql`${partnerWallet.provenAt} nulls last`, partnerWallet.id),
);

/** The parties of a transfer; null where one is not found. */
interface TransferParties {
  ordinal: number;
  /** The live wallet of the sender at the partner. */
  sender: number | null;
  senderTier: Tier | null;
  senderRoute: RowInSql<typeof walletRoute>;
  /** Who has the PayTag. */
  payee: string | null;
  isSuspended: boolean | null;
  payeeRows: PayeeRows;
  /** The wallet into which money sent to it is paid. */
  receiver: number | null;
  receiverRoute: RowInSql<typeof walletRoute>;
}

const selectParties = preparedText<TransferParties>(
  'wallets.transfer-parties',
  `select asked.ordinal::int, s.account_id::float8 as sender, s.tier as "senderTier",
          ${rowInSql(walletRoute, 's')} as "senderRoute", ${rowInSql(walletRoute, 'r')} as "receiverRoute", p.customer_id as payee,
          p.is_suspended as "isSuspended", json_build_object('tag', p.tag, 'customer', p.customer) as "payeeRows", r.account_id::float8 as receiver
     from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality asked (partner, customer, handle, ordinal)
     left join wallets.partner_wallet s
       on s.partner_id = asked.partner and s.customer_id = asked.customer and s.revoked_at is null
     left join lateral customers.payee(asked.handle) p on true
     left join wallets.partner_wallet r on r.customer_id = p.customer_id and r.is_primary and r.revoked_at is null`,
);

/** A customer's wallet at a partner, and the owner of a PayTag, by its handle. Concurrent calls share a statement. */
export const selectTransferParties = gathered<
  { partnerId: string; customerId: string; handle: string },
  TransferParties
>((db, asked) =>
  selectParties(db, [
    asked.map(({ partnerId }) => partnerId),
    asked.map(({ customerId }) => customerId),
    asked.map(({ handle }) => handle),
  ]),
);
