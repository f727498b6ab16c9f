import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type FoundWallet, findWallet } from '#modules/wallets';
import { type AccountView, toView } from './account-view.ts';
import { selectAssigned, selectWalletOf } from './inbound-account-store.ts';
import { accountIndexOf } from './sealed-account.ts';

/** The account numbers of a partner's wallet, the oldest first. @throws DomainError WALLET_NOT_FOUND */
export async function listAccounts(
  { db, keyring }: { db: Executor; keyring: Keyring },
  { partnerId, walletReference }: { partnerId: string; walletReference: string },
): Promise<AccountView[]> {
  const { reference } = await findWallet(db, keyring, { partnerId, reference: walletReference });
  return (await selectAssigned(db, { wallet: reference })).map((row) => toView(keyring, row));
}

/**
 * The wallet of an account number of a provider, also one that is revoked; undefined where we know no such number.
 *
 * @throws AlteredRecord where the number is not that wallet's by what its provider assigned: money would reach somebody else
 */
export async function findWalletOfNumber(
  { db, keyring }: { db: Executor; keyring: Keyring },
  number: { provider: string; accountNumber: string },
): Promise<FoundWallet | undefined> {
  const found = await selectWalletOf(db, keyring, { accountIndex: accountIndexOf(keyring, number) });
  if (found === undefined) return undefined;
  const { row, wallet } = found;
  const isTheirs = toView(keyring, row).accountNumber === number.accountNumber && row.partnerId === wallet.partnerId;
  if (!isTheirs) throw new AlteredRecord('inbound_accounts.account', [row.wallet, row.provider]);
  return { reference: row.wallet, partnerId: wallet.partnerId, account: wallet.accountId };
}
