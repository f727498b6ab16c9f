import { and, eq, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';
import { account } from './tables.ts';

export type Account = typeof account.$inferSelect;

/** What a partner keeps with us in one currency. */
export interface Float {
  currency: Currency;
  amounts: Amounts;
}

/**
 * The columns by which an operation finds an account to move money; they never change. Our own accounts have ids that the code
 * knows, and no MAC.
 */
export const accountRoute = {
  table: 'ledger.account',
  columns: ['id', 'kind', 'reference', 'partnerId', 'currency'],
  where: `kind in ('WALLET', 'FLOAT', 'APPLICATION')`,
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [accountRoute];

type Named = Pick<Account, 'kind' | 'reference' | 'currency'> & { partnerId: string | null };

/**
 * Opens a wallet's account. It never goes below zero, and every movement is published to its partner under `reference`.
 * What is spent from all accounts of one `holderId` counts together; absent: what is spent from this one.
 *
 * @returns its id
 */
export async function openWalletAccount(
  tx: Tx,
  keyring: Keyring,
  { holderId, ...wallet }: { partnerId: string; reference: string; currency: Currency; holderId?: string | undefined },
): Promise<number> {
  return openAccount(tx, keyring, { ...wallet, kind: 'WALLET' }, { emits: true, holderId });
}

/** Opens the account of the money that a partner keeps with us. It never goes below zero. @returns its id */
export async function openFloatAccount(
  tx: Tx,
  keyring: Keyring,
  partnerId: string,
  currency: Currency,
): Promise<number> {
  return openAccount(tx, keyring, { kind: 'FLOAT', partnerId, reference: partnerId, currency });
}

/** A partner's float, or undefined for a partner that does not exist. @throws AlteredRecord */
export async function findFloat(
  db: Executor,
  keyring: Keyring,
  partnerId: string,
  currency: Currency,
): Promise<Account | undefined> {
  return selectAuthentic(db, keyring, { kind: 'FLOAT', reference: partnerId, currency });
}

/** A partner's float in each currency. */
export async function floatsOf(db: Executor, partnerId: string): Promise<Float[]> {
  const floats = await floatsIfAny(db, partnerId);
  if (floats === undefined) throw new Error(`partner ${partnerId} has no float in some currency`);
  return floats;
}

/** The same, or undefined for a partner that does not exist. */
export async function floatsIfAny(db: Executor, partnerId: string): Promise<Float[] | undefined> {
  const found = await selectAccounts(db, { kind: 'FLOAT', reference: partnerId });
  const floats = currencies.flatMap((currency) => {
    const float = found.find((one) => one.currency === currency);
    return float === undefined ? [] : [{ currency, amounts: amountsOf(float) }];
  });
  return floats.length === currencies.length ? floats : undefined;
}

/**
 * Opens the account that an application settles its transactions from. It never goes below zero, and has no events.
 *
 * @returns its id
 */
export async function openApplicationAccount(
  tx: Tx,
  keyring: Keyring,
  applicationId: string,
  currency: Currency,
): Promise<number> {
  return openAccount(tx, keyring, { kind: 'APPLICATION', partnerId: null, reference: applicationId, currency });
}

/** The account of an application, or undefined for one that has none. @throws AlteredRecord */
export async function findApplicationAccount(
  db: Executor,
  keyring: Keyring,
  applicationId: string,
  currency: Currency,
): Promise<Account | undefined> {
  return selectAuthentic(db, keyring, { kind: 'APPLICATION', reference: applicationId, currency });
}

async function openAccount(
  tx: Tx,
  keyring: Keyring,
  named: Named,
  { emits = false, holderId }: { emits?: boolean; holderId?: string | undefined } = {},
): Promise<number> {
  const [next] = await nextId(tx, []);
  const id = Number(next?.id);
  const { kind, partnerId, reference, currency } = named;
  const mac = routingMacOf(keyring, accountRoute, { ...named, id });
  await open(tx, [id, kind, partnerId, reference, currency, emits, holderId ?? null, mac]);
  return id;
}

const nextId = preparedText<{ id: string }>('ledger.next-account', `select nextval('ledger.account_id_seq') as id`, {
  writes: true,
});

const open = preparedText(
  'ledger.open-account',
  `insert into ledger.account (id, kind, partner_id, reference, currency, floor, emits, holder_id, routing_mac)
     overriding system value values ($1, $2, $3, $4, $5, 0, $6, coalesce($7, uuidv7()), $8)`,
  { writes: true },
);

async function selectAuthentic(
  db: Executor,
  keyring: Keyring,
  named: { kind: Account['kind']; reference: string; currency: Currency },
): Promise<Account | undefined> {
  const found = await selectAccount(db, named);
  if (found !== undefined) assertAuthentic(keyring, accountRoute, found);
  return found;
}

const selectAccounts = prepared(
  'ledger.accounts-named',
  (db, given: Given<{ kind: Account['kind']; reference: string }>) =>
    db
      .select()
      .from(account)
      .where(and(eq(account.kind, given.kind), eq(account.reference, given.reference))),
);

const selectAccount = preparedOne(
  'ledger.account-named',
  (db, given: Given<{ kind: Account['kind']; reference: string; currency: Currency }>) =>
    db
      .select()
      .from(account)
      .where(
        and(eq(account.kind, given.kind), eq(account.reference, given.reference), eq(account.currency, given.currency)),
      ),
);

/** What an operator may change about an account. */
export interface AccountRules {
  status?: Account['status'] | undefined;
  /** Minor units; null: what its holder's tier allows. */
  dailyLimit?: Minor | null | undefined;
}

/** Locks an account until this transaction ends. */
export async function lockAccount(tx: Tx, id: number): Promise<Account> {
  const locked = await lockById(tx, { id });
  if (locked === undefined) throw new Error(`there is no account ${id}`);
  return locked;
}

const lockById = preparedOne('ledger.lock-account', (db, given: Given<{ id: number }>) =>
  db.select().from(account).where(eq(account.id, given.id)).for('no key update'),
);

/** Locks the strict ones among these accounts until this transaction ends, in the order of postings. */
export async function lockAccounts(tx: Tx, ids: readonly number[]): Promise<void> {
  await lockStrict(tx, { ids });
}

const lockStrict = prepared('ledger.lock-accounts', (db, given: Given<{ ids: readonly number[] }>) =>
  db
    .select({ id: account.id })
    .from(account)
    .where(and(sql`${account.id} = any(${given.ids})`, eq(account.lockMode, 'strict')))
    .orderBy(account.id)
    .for('no key update'),
);

/** Blocks an empty account for good. A refund to it is refused, whereas one to a blocked account is pending. */
export async function closeAccount(tx: Tx, id: number, now: Date): Promise<void> {
  await change(tx, { status: 'Blocked', closedAt: now, updatedAt: now }, { id });
}

const change = preparedColumns(
  'ledger.change-account',
  account,
  (db, written: Written<Partial<Account>>, given: Given<{ id: number }>) =>
    db.update(account).set(written).where(eq(account.id, given.id)).returning(),
);

/** Changes the rules for later postings. @returns the changed account */
export async function changeRules(
  tx: Tx,
  id: number,
  { status, dailyLimit }: AccountRules,
  now: Date,
): Promise<Account> {
  const changes = { ...(status && { status }), ...(dailyLimit !== undefined && { dailyLimit }), updatedAt: now };
  const [changed] = await change(tx, changes, { id });
  if (changed === undefined) throw new Error(`there is no account ${id}`);
  return changed;
}

/** The five amounts of a wallet, in minor units. */
export interface Amounts {
  total: Minor;
  suspended: Minor;
  blocked: Minor;
  available: Minor;
}

/** The amounts of an account, for every answer and page. */
export function amountsOf(row: Pick<Account, 'posted' | 'suspended' | 'liens'>): Amounts {
  const free = row.posted - row.suspended;
  const blocked = row.liens < free ? row.liens : free;
  return {
    total: asMinor(row.posted),
    suspended: asMinor(row.suspended),
    blocked: asMinor(blocked),
    available: asMinor(free - blocked),
  };
}
