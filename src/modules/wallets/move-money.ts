import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import {
  asMinor,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Poster,
  type Posting,
  type Request,
  systemAccount,
} from '#modules/ledger';
import { type MovementAccountsCache, movementAccountsOf, movementKeyOf } from './movement-accounts.ts';
import { answerAsBefore, readAsPosted, transactionOf, type WalletTransaction } from './wallet-transaction.ts';
import { walletNotFound } from './wallet-view.ts';

type Deps = {
  db: Database;
  fees: { walletCredit: Charge; walletDebit: Charge };
  movementAccounts: MovementAccountsCache;
  poster: Poster;
};

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
  { db, fees, movementAccounts, poster }: Deps,
  { partnerId, walletReference, ...movement }: WalletMovement,
  type: 'PARTNER_WALLET_CREDIT' | 'PARTNER_WALLET_DEBIT',
): Promise<WalletTransaction> {
  const { amount, externalReference, comment, metadata } = movement;
  const asked: Request = {
    ...movement,
    owner: partnerId,
    namer: 'PARTNER',
    type,
    request: { type, wallet: walletReference, amount, externalReference, comment, metadata },
  };
  const named = { partnerId, reference: walletReference };
  const accounts = await movementAccountsOf(movementAccounts, named);
  if (accounts === undefined) return answerAsBefore(db, partnerId, asked, walletNotFound());

  const { wallet, float, currency } = accounts;
  const isCredit = type === 'PARTNER_WALLET_CREDIT';
  const fee = chargeOn(amount, isCredit ? fees.walletCredit : fees.walletDebit);
  const effect = isCredit ? amount : negated(amount);
  const legs: Leg[] = [
    { account: float, amount: asMinor(negated(effect) - fee), fee },
    { account: wallet, amount: effect },
    { account: systemAccount('FEE', currency), amount: fee },
  ];
  const posting: Posting = {
    ...movement,
    ...asked,
    partner: partnerId,
    fee,
    currency,
    source: isCredit ? float : wallet,
    destination: isCredit ? wallet : float,
    legs: legs.filter((leg) => leg.amount !== 0n),
  };
  const posted = await poster.post(posting).catch((error: unknown) => {
    // It may be revoked: whoever comes next looks again.
    if (error instanceof DomainError && error.code === 'WALLET_BLOCKED')
      movementAccounts.forget([movementKeyOf(named)]);
    throw error;
  });
  return posted.replayed ? readAsPosted(db, partnerId, posted) : transactionOf(posted, posting, wallet);
}
