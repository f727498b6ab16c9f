import type { BoundedCache } from '#lib/bounded-cache.ts';
import type { Caches } from '#lib/caches.ts';
import type { Database } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';
import type { Currency } from '#modules/ledger';

/** The two accounts between which a partner moves money of one of its wallets. */
export interface MovementAccounts {
  wallet: number;
  float: number;
  currency: Currency;
}

/** The accounts of live wallets, by partner and reference. */
export type MovementAccountsCache = BoundedCache<MovementAccounts>;

/** What is told to have changed when a wallet is revoked, by `wallets.notify_revoked` too. */
export const WALLETS = 'wallets';

/** Which accounts they are never changes, and those of a wallet that was revoked are closed: the ledger refuses what comes late. */
const BOUNDS = { lifeMs: 10 * 60_000, entriesMax: 50_000 };

export const movementKeyOf = ({ partnerId, reference }: { partnerId: string; reference: string }): string =>
  `${partnerId}/${reference}`;

const UUID_LENGTH = 36;

const selectAccounts = preparedText<MovementAccounts & { key: string }>(
  'wallets.movement-accounts',
  `select asked.key, w.account_id::float8 as wallet, f.id::float8 as float, a.currency
     from unnest($1::text[], $2::uuid[], $3::text[]) asked (key, partner, reference)
     join wallets.partner_wallet w on w.reference = asked.reference and w.partner_id = asked.partner and w.revoked_at is null
     join ledger.account a on a.id = w.account_id
     join ledger.account f on f.kind = 'FLOAT' and f.reference = w.partner_id::text and f.currency = a.currency`,
);

/** Keeps in memory which accounts a partner's movements are between, so that each is one round trip while they are remembered. */
export const cacheMovementAccounts = (caches: Caches, db: Database): MovementAccountsCache =>
  caches.open(
    WALLETS,
    async (keys) => {
      const partners = keys.map((key) => key.slice(0, UUID_LENGTH));
      const references = keys.map((key) => key.slice(UUID_LENGTH + 1));
      const rows = await selectAccounts(db, [keys, partners, references]);
      return new Map(rows.map(({ key, ...accounts }) => [key, accounts]));
    },
    BOUNDS,
  );
