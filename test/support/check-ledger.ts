import { systemClock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import type { Invariant } from '#lib/invariant.ts';
import { createLog } from '#lib/log.ts';
import { createChecker, type IntegrityReport } from '#modules/integrity';
import { invariants as ledgerInvariants } from '#modules/ledger';
import { authenticate } from './post.ts';

const log = createLog('silent');

/** What the rooms hold, and the ledger does not ask of them: tests of the ledger alone post any legs that balance, at any time, and restrict any account. */
const OF_THE_ROOMS = new Set([
  'transactions_are_their_entries',
  'reversals_undo_their_original',
  'histories_run_forwards',
  'only_wallets_are_restricted',
]);
const held = ledgerInvariants(authenticate, () => 'false').filter(({ name }) => !OF_THE_ROOMS.has(name));

/** The check that the server runs, of these invariants alone: by default what the ledger holds by itself. */
export async function checkLedger(
  db: Database,
  { invariants = held, since, limitMs }: { invariants?: readonly Invariant[]; since?: Date; limitMs?: number } = {},
): Promise<IntegrityReport> {
  const { connectionString } = (db as Database & { $client: { options: { connectionString: string } } }).$client
    .options;
  return createChecker({
    databaseUrl: connectionString,
    db,
    clock: systemClock,
    log,
    invariants: async () => invariants,
    ...(limitMs === undefined ? {} : { limitMs }),
  }).check(since);
}
