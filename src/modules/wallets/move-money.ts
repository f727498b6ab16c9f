import { balancesOf, type Currency, findFloat, type Minor, negated, post } from '#modules/ledger';
import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';
import { selectByReference } from './store.ts';

type Deps = Pick<Resources, 'db' | 'wake'>;

export interface WalletMovement {
  partnerId: string;
  /** The wallet's. */
  walletReference: string;
  amount: Minor;
  /** The partner's own name for this movement, unique for ever. */
  reference: string;
  externalReference?: string | undefined;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** A movement between float and wallet, with the wallet's balances around it. */
export interface WalletTransaction extends Omit<WalletMovement, 'partnerId' | 'walletReference'> {
  id: number;
  type: 'PARTNER_WALLET_CREDIT' | 'PARTNER_WALLET_DEBIT';
  currency: Currency;
  openingBalance: Minor;
  closingBalance: Minor;
  createdAt: Date;
}

/**
 * Moves money from the partner's float into one of its wallets.
 *
 * @throws DomainError WALLET_NOT_FOUND, REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function creditWallet(deps: Deps, movement: WalletMovement): Promise<WalletTransaction> {
  return moveBetweenFloatAndWallet(deps, movement, 'PARTNER_WALLET_CREDIT');
}

/** Moves money from a wallet back into its partner's float. Refusals as `creditWallet`. */
export async function debitWallet(deps: Deps, movement: WalletMovement): Promise<WalletTransaction> {
  return moveBetweenFloatAndWallet(deps, movement, 'PARTNER_WALLET_DEBIT');
}

async function moveBetweenFloatAndWallet(
  { db, wake }: Deps,
  { partnerId, walletReference, ...movement }: WalletMovement,
  type: WalletTransaction['type'],
): Promise<WalletTransaction> {
  const parts = await selectByReference(db, partnerId, walletReference);
  if (parts === undefined || parts.wallet.revokedAt !== null) {
    throw new DomainError('WALLET_NOT_FOUND', 'there is no such wallet');
  }
  const { account } = parts;
  const float = await findFloat(db, partnerId, account.currency);
  if (float === undefined) throw new Error(`partner ${partnerId} has no ${account.currency} float`);
  const effect = type === 'PARTNER_WALLET_CREDIT' ? movement.amount : negated(movement.amount);
  const posted = await post(db, {
    ...movement,
    owner: partnerId,
    partner: partnerId,
    type,
    currency: account.currency,
    legs: [
      { account: float.id, amount: negated(effect) },
      { account: account.id, amount: effect },
    ],
  });
  wake();
  const { opening, closing } = balancesOf(posted, account.id);
  return {
    ...movement,
    id: posted.id,
    type,
    currency: account.currency,
    openingBalance: opening,
    closingBalance: closing,
    createdAt: posted.createdAt,
  };
}
