import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  type Account,
  type Amounts,
  amountsOf,
  asMinor,
  assertPosted,
  type Currency,
  currencies,
  findApplicationAccount,
  negated,
  openApplicationAccount,
  type Poster,
  systemAccount,
} from '#modules/ledger';

/** What an application settles its transactions from. Amounts are minor units. */
export interface SettlementWallet {
  /** The id of the ledger's account. */
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
  keyring: Keyring,
  applicationId: string,
  currency: Currency,
): Promise<SettlementWallet> {
  const account = await findApplicationAccount(db, keyring, applicationId, currency);
  if (account === undefined) throw new Error(`application ${applicationId} has no wallet in ${currency}`);
  const { id, status, createdAt, updatedAt } = account;
  return { id, currency, amounts: amountsOf(account), status, createdAt, updatedAt };
}

/** Opens the wallets of a new application, one in each currency. In the sandbox the one in naira holds test money. */
export async function openSettlementWallets(
  tx: Tx,
  { keyring, poster, environment }: { keyring: Keyring; poster: Poster; environment: string },
  applicationId: string,
): Promise<void> {
  for (const currency of currencies) {
    const account = await openApplicationAccount(tx, keyring, applicationId, currency);
    if (environment === 'sandbox' && currency === 'NGN') await giveTestMoney(tx, poster, { applicationId, account });
  }
}

/** 1,000,000.00 test naira. */
const TEST_MONEY = asMinor(1_000_000_00n);

async function giveTestMoney(
  tx: Tx,
  poster: Poster,
  { applicationId, account }: { applicationId: string; account: number },
): Promise<void> {
  const clearing = systemAccount('CLEARING', 'NGN');
  const posted = await poster.tryPost(tx, {
    owner: applicationId,
    namer: 'OPERATOR',
    reference: 'test-money',
    type: 'APPLICATION_FUNDING',
    amount: TEST_MONEY,
    currency: 'NGN',
    source: clearing,
    destination: account,
    legs: [
      { account: clearing, amount: negated(TEST_MONEY) },
      { account, amount: TEST_MONEY },
    ],
    request: { type: 'APPLICATION_FUNDING', amount: TEST_MONEY, currency: 'NGN' },
  });
  assertPosted(posted);
}
