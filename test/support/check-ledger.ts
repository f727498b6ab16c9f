import { systemClock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Invariant } from '#lib/invariant.ts';
import { createLog } from '#lib/log.ts';
import { createChecker, type IntegrityReport } from '#modules/integrity';
import { invariants as ledgerInvariants } from '#modules/ledger';
import { authenticate } from './post.ts';

const log = createLog('silent');

/** What the rooms hold that make postings, and the ledger does not ask of one: tests of the ledger alone post any legs that balance. */
const OF_THE_ROOMS = new Set(['transactions_are_their_entries', 'reversals_undo_their_original']);
const held = ledgerInvariants(authenticate).filter(({ name }) => !OF_THE_ROOMS.has(name));

/** The check that the server runs, of these invariants alone: by default what the ledger holds by itself. */
export async function checkLedger(
  db: Database,
  given: { invariants?: readonly Invariant[]; since?: Date; limitMs?: number } = {},
): Promise<IntegrityReport> {
  const { connectionString } = (db as Database & { $client: { options: { connectionString: string } } }).$client
    .options;
  return createChecker({
    databaseUrl: connectionString,
    db,
    clock: systemClock,
    log,
    invariants: held,
    ...given,
  }).check(given.since);
}
