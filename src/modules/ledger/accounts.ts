import { and, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, prepared, preparedOne } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
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
 * Opens a wallet's account. It never goes below zero, and every movement is published to its partner under `reference`.
 * What is spent from all accounts of one `holderId` counts together; absent: what is spent from this one.
 */
export async function openWalletAccount(
  tx: Tx,
  wallet: { partnerId: string; reference: string; currency: Currency; holderId?: string | undefined },
): Promise<Account> {
  return insertAccount(tx, { ...wallet, kind: 'WALLET', floor: 0n, emits: true });
}

/** Opens the account of the money that a partner keeps with us. It never goes below zero. */
export async function openFloatAccount(tx: Tx, partnerId: string, currency: Currency): Promise<Account> {
  return insertAccount(tx, { kind: 'FLOAT', partnerId, reference: partnerId, currency, floor: 0n });
}

/** A partner's float, or undefined for a partner that does not exist. */
export async function findFloat(db: Executor, partnerId: string, currency: Currency): Promise<Account | undefined> {
  return selectAccount(db, { kind: 'FLOAT', reference: partnerId, currency });
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

/** Opens the account that an application settles its transactions from. It never goes below zero, and has no events. */
export async function openApplicationAccount(tx: Tx, applicationId: string, currency: Currency): Promise<Account> {
  return insertAccount(tx, { kind: 'APPLICATION', reference: applicationId, currency, floor: 0n });
}

/** The account of an application, or undefined for one that has none. */
export async function findApplicationAccount(
  db: Executor,
  applicationId: string,
  currency: Currency,
): Promise<Account | undefined> {
  return selectAccount(db, { kind: 'APPLICATION', reference: applicationId, currency });
}

async function insertAccount(tx: Tx, values: typeof account.$inferInsert): Promise<Account> {
  const [opened] = await open(tx, values, {});
  if (opened === undefined) throw new Error('an insert returned nothing');
  return opened;
}

const open = preparedColumns('ledger.open-account', account, (db, written: Written<typeof account.$inferInsert>) =>
  db.insert(account).values(written).returning(),
);

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
