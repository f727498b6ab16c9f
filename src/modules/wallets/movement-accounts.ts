import type { BoundedCache } from '#lib/bounded-cache.ts';
import type { Caches } from '#lib/caches.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RowInSql, readRow, rowInSql } from '#lib/crypto/routing-facts.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';
import type { Currency } from '#modules/ledger';
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

const selectAccounts = preparedText<MovementAccounts & { key: string; route: RowInSql<typeof walletRoute> }>(
  'wallets.movement-accounts',
  `select asked.key, ${rowInSql(walletRoute, 'w')} as route, w.account_id::float8 as wallet, f.id::float8 as float, a.currency
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
      return new Map(rows.map(({ key, route, ...accounts }) => [key, alteration(keyring, route) ?? accounts]));
    },
    BOUNDS,
  );

/** Of a wallet that is not as we stored it: why nothing may move there. */
function alteration(keyring: Keyring, route: RowInSql<typeof walletRoute>): AlteredRecord | undefined {
  try {
    assertAuthentic(keyring, walletRoute, readRow(route));
  } catch (error) {
    if (error instanceof AlteredRecord) return error;
    throw error;
  }
  return undefined;
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
