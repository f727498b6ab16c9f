import type { Executor } from '#lib/database.ts';
import { type Account, type Amounts, amountsOf, type Currency, findApplicationAccount } from '#modules/ledger';

/** What an application settles its transactions from. Amounts are minor units. */
export interface SettlementWallet {
  /** The ledger's account. */
  id: number;
  currency: Currency;
  amounts: Amounts;
  status: Account['status'];
  createdAt: Date;
  updatedAt: Date;
}

/** The settlement wallet of a registered application in a currency. */
export async function getSettlementWallet(
  db: Executor,
  applicationId: string,
  currency: Currency,
): Promise<SettlementWallet> {
  const account = await findApplicationAccount(db, applicationId, currency);
  if (account === undefined) throw new Error(`application ${applicationId} has no wallet in ${currency}`);
  const { id, status, createdAt, updatedAt } = account;
  return { id, currency, amounts: amountsOf(account), status, createdAt, updatedAt };
}
