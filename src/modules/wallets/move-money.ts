import {
  asMinor,
  balancesOf,
  chargeOn,
  findFloat,
  type Leg,
  type Minor,
  negated,
  systemAccount,
} from '#modules/ledger';
import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';
import { selectByReference } from './store.ts';
import type { Transaction } from './transaction.ts';

type Deps = Pick<Resources, 'db' | 'config' | 'poster' | 'wake'>;

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
  { db, config, poster, wake }: Deps,
  { partnerId, walletReference, ...movement }: WalletMovement,
  type: 'PARTNER_WALLET_CREDIT' | 'PARTNER_WALLET_DEBIT',
): Promise<Transaction> {
  const parts = await selectByReference(db, partnerId, walletReference);
  if (parts === undefined || parts.wallet.revokedAt !== null) {
    throw new DomainError('WALLET_NOT_FOUND', 'there is no such wallet');
  }
  const { account } = parts;
  const { currency } = account;
  const float = await findFloat(db, partnerId, currency);
  if (float === undefined) throw new Error(`partner ${partnerId} has no ${currency} float`);
  const isCredit = type === 'PARTNER_WALLET_CREDIT';
  const { amount } = movement;
  const fee = chargeOn(amount, config[`FEE_${type}`]);
  const effect = isCredit ? amount : negated(amount);
  const legs: Leg[] = [
    { account: float.id, amount: asMinor(-effect - fee), fee },
    { account: account.id, amount: effect },
    { account: systemAccount('FEE', currency), amount: fee },
  ];
  const posted = await poster.post({
    ...movement,
    owner: partnerId,
    partner: partnerId,
    type,
    fee,
    currency,
    source: isCredit ? float.id : account.id,
    destination: isCredit ? account.id : float.id,
    legs: legs.filter((leg) => leg.amount !== 0n),
  });
  wake();
  const { opening, closing } = balancesOf(posted, account.id);
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
