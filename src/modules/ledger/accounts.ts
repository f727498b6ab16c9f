import { and, eq } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { type Amounts, amountsOf } from './amounts.ts';
import { type Currency, currencies } from './money.ts';
import { account } from './tables.ts';

export type Account = typeof account.$inferSelect;

/** What a partner keeps with us in one currency. */
export interface Float {
  currency: Currency;
  amounts: Amounts;
}

/**
 * Whose account it is: by kind, reference and currency an operation finds where money is to move. Our own accounts have ids that
 * the code knows, and no MAC. None of this ever changes.
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

/** The same; undefined of a partner that does not exist. */
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
