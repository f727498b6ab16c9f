import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Account, amountsOf, asMinor, findLien, type Minor } from '#modules/ledger';
import { type DailyLimits, dailyLimitOf } from './daily-limit.ts';
import { accountOfWallet } from './holds-and-liens.ts';
import { selectOfAnyPartner, selectOfCustomer } from './store.ts';
import type { Tier } from './tables.ts';
import { walletNotFound } from './wallet-view.ts';

/** What a wallet may be given. */
export interface Rules {
  status?: Account['status'] | undefined;
  dailyLimit?: Minor | null | undefined;
  tier?: Tier | undefined;
}

/** Whether money may leave a wallet of this status. */
const letsOut = (status: Account['status']): boolean => status === 'Enabled' || status === 'PNC';

/** Whether a change of status lets money leave a wallet that it could not leave before. */
export const frees = (before: Account['status'], after: Account['status']): boolean =>
  !letsOut(before) && letsOut(after);

/** The limit that a change of rules raises a wallet’s to; undefined where it raises none. */
export function raisedLimit(
  account: Pick<Account, 'dailyLimit'>,
  { tier: was, dailyLimits }: { tier: Tier; dailyLimits: DailyLimits },
  { dailyLimit, tier }: Rules,
): Minor | undefined {
  const before = dailyLimitOf(account, was, dailyLimits);
  const own = dailyLimit === undefined ? account.dailyLimit : dailyLimit;
  const after = dailyLimitOf({ dailyLimit: own }, tier ?? was, dailyLimits);
  return after > before ? after : undefined;
}

/**
 * What of a wallet’s money other rules for it would let be spent: all of it by a status, as much as the limit in a day by a
 * higher limit. Minor units; 0 where they let nothing be spent that could not be before.
 *
 * @throws DomainError WALLET_NOT_FOUND
 */
export async function freedByRules(
  { db, keyring, dailyLimits }: { db: Executor; keyring: Keyring; dailyLimits: DailyLimits },
  { reference, ...rules }: Rules & { reference: string },
): Promise<Minor> {
  const found = await selectOfAnyPartner(db, keyring, { reference });
  if (found === undefined) throw walletNotFound();
  const { account, wallet } = found;
  const byStatus = rules.status !== undefined && frees(account.status, rules.status) ? amountsOf(account).total : 0n;
  const byLimit = raisedLimit(account, { tier: wallet.tier, dailyLimits }, rules) ?? 0n;
  return asMinor(byStatus > byLimit ? byStatus : byLimit);
}

/** What lifting a lien would let be spent. @throws DomainError WALLET_NOT_FOUND, LIEN_NOT_FOUND */
export async function freedByLien(
  { db }: { db: Executor },
  { walletReference, lien }: { walletReference: string; lien: number },
): Promise<Minor> {
  const { id: account } = await accountOfWallet(db, walletReference);
  const found = await findLien(db, { account, lien });
  if (found === undefined) throw new DomainError('LIEN_NOT_FOUND', 'this wallet has no such lien');
  return asMinor(found.amount);
}

/** What stands in all wallets of a customer together. */
export async function totalOfCustomer({ db }: { db: Executor }, customerId: string): Promise<Minor> {
  const wallets = await selectOfCustomer(db, { customerId });
  return asMinor(wallets.reduce((sum, { account }) => sum + amountsOf(account).total, 0n));
}
