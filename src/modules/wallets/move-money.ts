import type { Pool } from 'pg';
import {
  asMinor,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Poster,
  type Posting,
  systemAccount,
} from '#modules/ledger';
import { selectMovementAccounts } from './store.ts';
import { transactionOf, type WalletTransaction } from './wallet-transaction.ts';
import { walletNotFound } from './wallet-view.ts';

type Deps = { pool: Pool; fees: { walletCredit: Charge; walletDebit: Charge }; poster: Poster };

export interface WalletMovement {
  partnerId: string;
  walletReference: string;
  amount: Minor;
  /** The partner's own name for this movement, unique for ever. */
  reference: string;
  externalReference?: string | undefined;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/**
 * Moves money from the partner's float into one of its wallets. A fee is taken from the float.
 *
 * @throws DomainError WALLET_NOT_FOUND, REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function creditWallet(deps: Deps, movement: WalletMovement): Promise<WalletTransaction> {
  return moveBetweenFloatAndWallet(deps, movement, 'PARTNER_WALLET_CREDIT');
}

/** Moves money from a wallet back into its partner's float. Fee and refusals as `creditWallet`. */
export async function debitWallet(deps: Deps, movement: WalletMovement): Promise<WalletTransaction> {
  return moveBetweenFloatAndWallet(deps, movement, 'PARTNER_WALLET_DEBIT');
}

async function moveBetweenFloatAndWallet(
  { pool, fees, poster }: Deps,
  { partnerId, walletReference, ...movement }: WalletMovement,
  type: 'PARTNER_WALLET_CREDIT' | 'PARTNER_WALLET_DEBIT',
): Promise<WalletTransaction> {
  const accounts = await selectMovementAccounts(pool, { partnerId, walletReference });
  if (accounts === undefined) throw walletNotFound();
  const { wallet, float, currency } = accounts;
  const isCredit = type === 'PARTNER_WALLET_CREDIT';
  const { amount } = movement;
  const fee = chargeOn(amount, isCredit ? fees.walletCredit : fees.walletDebit);
  const effect = isCredit ? amount : negated(amount);
  const legs: Leg[] = [
    { account: float, amount: asMinor(negated(effect) - fee), fee },
    { account: wallet, amount: effect },
    { account: systemAccount('FEE', currency), amount: fee },
  ];
  const posting: Posting = {
    ...movement,
    owner: partnerId,
    namer: 'PARTNER',
    partner: partnerId,
    type,
    fee,
    currency,
    source: isCredit ? float : wallet,
    destination: isCredit ? wallet : float,
    legs: legs.filter((leg) => leg.amount !== 0n),
  };
  return transactionOf(await poster.post(posting), posting, wallet);
}
