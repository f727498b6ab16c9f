import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RowInSql, readRow, rowInSql } from '#lib/crypto/routing-facts.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import {
  accountRoute,
  asMinor,
  type Charge,
  type Currency,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Poster,
  type Posting,
  type Request,
  systemAccount,
} from '#modules/ledger';
import { walletNotFound } from './find-wallets.ts';
import { walletRoute } from './wallet-route.ts';
import { answerAsBefore, readAsPosted, transactionOf, type WalletTransaction } from './wallet-transaction.ts';

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
 * @throws DomainError WALLET_NOT_FOUND, REFERENCE_REUSED, and the ledger's refusals
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
    // The wallet may be revoked: the next request reads it again.
    if (error instanceof DomainError && error.code === 'WALLET_BLOCKED')
      movementAccounts.forget([movementKeyOf(named)]);
    throw error;
  });
  return posted.replayed ? readAsPosted(db, partnerId, posted) : transactionOf(posted, posting, wallet);
}

/** The two accounts between which a partner moves money of one of its wallets. */
export interface MovementAccounts {
  wallet: number;
  float: number;
  currency: Currency;
}

/** The accounts of live wallets, by partner and reference; of an altered wallet, the AlteredRecord. */
export type MovementAccountsCache = BoundedCache<MovementAccounts | AlteredRecord>;

/** The cache that a revocation invalidates, also through `wallets.notify_revoked`. */
export const WALLETS = 'wallets';

/** The accounts never change, and the ledger refuses a movement of a revoked wallet, whose account is closed. */
const BOUNDS = { lifeMs: 10 * 60_000, entriesMax: 50_000 };

export const movementKeyOf = ({ partnerId, reference }: { partnerId: string; reference: string }): string =>
  `${partnerId}/${reference}`;

const UUID_LENGTH = 36;

interface Rows {
  key: string;
  wallet: RowInSql<typeof walletRoute>;
  account: RowInSql<typeof accountRoute>;
  float: RowInSql<typeof accountRoute>;
}

const selectAccounts = preparedText<Rows>(
  'wallets.movement-accounts',
  `select asked.key, ${rowInSql(walletRoute, 'w')} as wallet, ${rowInSql(accountRoute, 'a')} as account,
       ${rowInSql(accountRoute, 'f')} as float
     from unnest($1::text[], $2::uuid[], $3::text[]) asked (key, partner, reference)
     join wallets.partner_wallet w on w.reference = asked.reference and w.partner_id = asked.partner and w.revoked_at is null
     join ledger.account a on a.id = w.account_id
     join ledger.account f on f.kind = 'FLOAT' and f.reference = w.partner_id::text and f.currency = a.currency`,
);

/** Caches the accounts of a partner's movements, so that a movement takes one round trip. */
export const cacheMovementAccounts = (caches: Caches, db: Database, keyring: Keyring): MovementAccountsCache =>
  caches.open(
    WALLETS,
    async (keys) => {
      const partners = keys.map((key) => key.slice(0, UUID_LENGTH));
      const references = keys.map((key) => key.slice(UUID_LENGTH + 1));
      const rows = await selectAccounts(db, [keys, partners, references]);
      return new Map(rows.map((row) => [row.key, accountsOf(keyring, row)]));
    },
    BOUNDS,
  );

/** The accounts of a wallet with valid MACs, or else the AlteredRecord. */
function accountsOf(keyring: Keyring, { wallet, account, float }: Rows): MovementAccounts | AlteredRecord {
  try {
    assertAuthentic(keyring, walletRoute, readRow(wallet));
    for (const one of [account, float]) assertAuthentic(keyring, accountRoute, readRow(one));
  } catch (error) {
    if (error instanceof AlteredRecord) return error;
    throw error;
  }
  return { wallet: Number(account.id), float: Number(float.id), currency: account.currency as Currency };
}

/**
 * The accounts of a live wallet of this partner; undefined when there is none.
 *
 * @throws AlteredRecord when the wallet is not as we stored it
 */
async function movementAccountsOf(
  cache: MovementAccountsCache,
  wallet: { partnerId: string; reference: string },
): Promise<MovementAccounts | undefined> {
  const found = await cache.get(movementKeyOf(wallet), (one) => !(one instanceof AlteredRecord));
  if (found instanceof AlteredRecord) throw found;
  return found;
}
