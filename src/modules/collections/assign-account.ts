import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { callers } from '#lib/security-events.ts';
import { findCustomer } from '#modules/customers';
import { findPayingWallet, type PayingWallet } from '#modules/wallets';
import { type AccountClaim, type InboundProvider, InboundProviderDown } from '../../providers/inbound/port.ts';
import { type AccountView, toView } from './account-view.ts';
import { claimAccount, completeAccount, releaseAccount, selectAccount } from './inbound-account-store.ts';
import { sealAccount } from './sealed-account.ts';

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  inboundProvider: InboundProvider | undefined;
  inbound: { leaseMs: number };
};

/**
 * Gives a wallet an account number at the provider's bank, or answers the one that it has. Whoever dies between the provider and
 * us leaves one that is found again: never two.
 *
 * @throws DomainError PROVIDER_NOT_CONFIGURED, WALLET_NOT_FOUND, CURRENCY_MISMATCH for a wallet of another currency than naira,
 *   BUSY while somebody else asks for it, INBOUND_PROVIDER_UNAVAILABLE also where it answers the number of another wallet
 */
export async function assignAccount(
  deps: Deps,
  { partnerId, walletReference }: { partnerId: string; walletReference: string },
): Promise<AccountView> {
  const { db, keyring, clock, inboundProvider: provider, inbound } = deps;
  const wallet = await findPayingWallet(db, keyring, { partnerId, reference: walletReference });
  if (provider === undefined) {
    throw new DomainError('PROVIDER_NOT_CONFIGURED', 'this installation has no provider of account numbers');
  }
  if (wallet.currency !== 'NGN') throw new DomainError('CURRENCY_MISMATCH', 'only a wallet in NGN has account numbers');
  const which = { wallet: wallet.reference, provider: provider.name };
  const now = clock.now();
  const [known, claim] = await Promise.all([selectAccount(db, which), claimOf(deps, wallet)]);
  if (known?.assignedAt) return toView(keyring, known);

  const until = new Date(now.getTime() + inbound.leaseMs);
  const claimed = await claimAccount(db, [which.wallet, partnerId, which.provider, now, until]);
  if (claimed.length > 0) await ask(deps, provider, { ...claim, partnerId });
  const row = await selectAccount(db, which);
  if (row?.assignedAt) return toView(keyring, row);
  throw new DomainError('BUSY', 'the account number is being asked for: send the same request again', {
    retryAfterS: 1,
  });
}

async function ask(
  { db, keyring, clock, log }: Deps,
  provider: InboundProvider,
  { partnerId, ...claim }: AccountClaim & { partnerId: string },
): Promise<void> {
  const { wallet } = claim;
  try {
    const assigned = await provider.assign(claim);
    const sealed = sealAccount(keyring, { wallet, partnerId, provider: provider.name }, assigned);
    const { accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode } = sealed;
    const values = [accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode, clock.now()];
    const written = await completeAccount(db, [
      wallet,
      provider.name,
      ...values,
      callers.getStore()?.requestId ?? null,
    ]);
    if (written.length > 0 || (await selectAccount(db, { wallet, provider: provider.name }))?.assignedAt) return;
    log.error({ wallet, provider: provider.name }, 'a provider gave a wallet the account number of another: ask it');
    throw new InboundProviderDown('its account number is that of another wallet');
  } catch (cause) {
    await releaseAccount(db, [wallet, provider.name, clock.now()]);
    if (!(cause instanceof InboundProviderDown)) throw cause;
    const message = 'the provider of account numbers gave no usable answer: send the same request again';
    throw new DomainError('INBOUND_PROVIDER_UNAVAILABLE', message, { cause });
  }
}

async function claimOf(
  { db, keyring }: Deps,
  { reference: wallet, account, owner }: PayingWallet,
): Promise<AccountClaim> {
  if (typeof owner !== 'string') return { wallet, account, firstName: owner.firstName, lastName: owner.lastName };
  const customer = await findCustomer(db, keyring, owner);
  if (customer === undefined) throw new Error(`wallet ${wallet} belongs to a customer who does not exist`);
  const { firstName, lastName, phone } = customer;
  return { wallet, account, firstName, lastName, phone };
}
