import type { Pool } from 'pg';
import type { Database } from '#lib/database.ts';
import {
  asMinor,
  balancesOf,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';
import { readTransaction } from './get-transaction.ts';
import { selectMovementAccounts } from './movement-store.ts';
import { type Transaction, toTransaction } from './transaction.ts';
import { walletNotFound } from './view-wallet.ts';

type Deps = { db: Database; pool: Pool; fees: { walletCredit: Charge; walletDebit: Charge }; poster: Poster };

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

/**
 * Moves money from the partner's float into one of its wallets. A fee is taken from the float.
 *
 * @throws DomainError WALLET_NOT_FOUND, REFERENCE_REUSED, and what the ledger refuses a posting for
 */
export async function creditWallet(deps: Deps, movement: WalletMovement): Promise<Transaction> {
  return moveBetweenFloatAndWallet(deps, movement, 'PARTNER_WALLET_CREDIT');
}

/** Moves money from a wallet back into its partner's float. Fee and refusals as `creditWallet`. */
export async function debitWallet(deps: Deps, movement: WalletMovement): Promise<Transaction> {
  return moveBetweenFloatAndWallet(deps, movement, 'PARTNER_WALLET_DEBIT');
}

async function moveBetweenFloatAndWallet(
  { db, pool, fees, poster }: Deps,
  { partnerId, walletReference, ...movement }: WalletMovement,
  type: 'PARTNER_WALLET_CREDIT' | 'PARTNER_WALLET_DEBIT',
): Promise<Transaction> {
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
  const posted = await poster.post({
    ...movement,
    owner: partnerId,
    partner: partnerId,
    type,
    fee,
    currency,
    source: isCredit ? float : wallet,
    destination: isCredit ? wallet : float,
    legs: legs.filter((leg) => leg.amount !== 0n),
  });
  if (posted.replayed) {
    const first = toTransaction(await readTransaction(db, { partnerId, id: posted.id }), partnerId);
    return { ...first, status: posted.status };
  }
  const { opening, closing } = balancesOf(posted, wallet);
  return {
    ...movement,
    id: posted.id,
    type,
    fee,
    commission: asMinor(0n),
    net: amount,
    currency,
    status: posted.status,
    openingBalance: opening,
    closingBalance: closing,
    createdAt: posted.createdAt,
    completedAt: posted.createdAt,
  };
}
