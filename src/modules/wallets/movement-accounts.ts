import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RowInSql, readRow, rowInSql } from '#lib/crypto/routing-facts.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { accountRoute, type Currency } from '#modules/ledger';
import { walletRoute } from './wallet-route.ts';

/** The two accounts between which a partner moves money of one of its wallets. */
export interface MovementAccounts {
  wallet: number;
  float: number;
  currency: Currency;
}

/** The accounts of live wallets, by partner and reference; of a wallet that is not as we stored it, that it is not. */
export type MovementAccountsCache = BoundedCache<MovementAccounts | AlteredRecord>;

/** What is told to have changed when a wallet is revoked, by `wallets.notify_revoked` too. */
export const WALLETS = 'wallets';

/** Which accounts they are never changes, and those of a wallet that was revoked are closed: the ledger refuses what comes late. */
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

/** Keeps in memory which accounts a partner's movements are between, so that each is one round trip while they are remembered. */
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

/** The accounts of a wallet that is as we stored it, as these are; of another one why nothing may move there. */
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
export async function movementAccountsOf(
  cache: MovementAccountsCache,
  wallet: { partnerId: string; reference: string },
): Promise<MovementAccounts | undefined> {
  const found = await cache.get(movementKeyOf(wallet), (one) => !(one instanceof AlteredRecord));
  if (found instanceof AlteredRecord) throw found;
  return found;
}
