import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase, withSettings } from '#lib/database.ts';
import { openSnapshots, type Snapshots } from '#lib/snapshots.ts';
import { recordChange } from '#modules/audit';
import {
  type ClosedMonth,
  closedMonths,
  closeMonth,
  countEntries,
  countWaitingBefore,
  detachMonth,
  dropMonth,
  type EntryPart,
  partsUntil,
} from '#modules/ledger';
import { hoursIn, type ReadSeal, readSealsBetween } from '#modules/seals';
import { checkFiles } from './check-files.ts';
import { MANIFEST, readManifest } from './manifest.ts';
import { allowLongStatements, totalledUntil } from './store.ts';
import { writeArchive } from './write-archive.ts';

/** Whole months that stay, beside the one that runs: a year of any customer's movements can be asked for. */
const MONTHS_KEPT = 12;
/** Only one connection to a database has it. */
const LOCK = 'ledger.archive';

/** A month of the busiest may take hours to add up. */
const STATEMENT_MAX_MS = 24 * 60 * 60 * 1000;
const LONG = {
  answerTimeoutMs: STATEMENT_MAX_MS,
  statementTimeoutMs: STATEMENT_MAX_MS,
  applicationName: 'paytag-archive',
};
const CONNECTIONS_MAX = 2;
/** PostgreSQL itself ends a statement within a second of this process being gone. */
const SETTINGS = { client_connection_check_interval: '1000' };

export interface ArchiveDeps {
  /** The owner's. */
  databaseUrl: string;
  keyring: Keyring;
  clock: Clock;
}

export interface Archiving {
  /** The first month that stays, YYYY-MM, in Africa/Lagos. */
  before: string;
  /** A directory that is there: each month gets one of its own in it. */
  directory: string;
  /** Drops what was taken off, once its files have been read back. */
  drop: boolean;
  /** Says what would be done, and does nothing. */
  dryRun: boolean;
  actor: string;
  reason: string;
  /** Told of each step. A run that is ended at any of them is gone on with by the next. */
  progress: (part: string, step: string) => void | Promise<void>;
}

type Deps = ArchiveDeps & Pick<DatabaseHandle, 'db' | 'pool'>;

/** Why a month cannot be archived now, and what to do. */
class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/**
 * Closes months, oldest first: writes the entries of each into files, reads those back and holds them against their seals, carries
 * on what they come to, and takes their table off, while postings go on. Stopped at any moment, also by kill -9, it goes on when it is
 * run again. Audited.
 *
 * @returns the parts that were, or would be, archived
 * @throws ArchiveRefused when a month cannot be closed; those before it are
 */
export async function archiveMonths(given: ArchiveDeps, archiving: Archiving): Promise<string[]> {
  const until = startOfMonth(archiving.before);
  const latest = monthsBefore(given.clock.now(), MONTHS_KEPT);
  if (until > latest) {
    throw new ArchiveRefused(
      `the last ${MONTHS_KEPT} months stay: the latest that can be asked for is --before ${monthOf(latest)}`,
    );
  }
  const url = withSettings(given.databaseUrl, SETTINGS);
  const handle = openDatabase(url, CONNECTIONS_MAX, () => undefined, LONG);
  const snapshots = await openSnapshots(given.databaseUrl);
  const deps = { ...given, db: handle.db, pool: handle.pool };
  try {
    if (!(await snapshots.lock(LOCK))) throw new ArchiveRefused('another run archives at this moment');
    if (!archiving.dryRun) await finishOthers(deps, archiving);
    const done: string[] = [];
    for (const part of await partsUntil(deps.db, until)) {
      await archiveOne(deps, snapshots, part, archiving);
      done.push(part.part);
    }
    return done;
  } finally {
    await snapshots.close();
    await handle.close();
  }
}

async function archiveOne(
  deps: Deps,
  snapshots: Snapshots,
  part: EntryPart,
  { directory, dryRun, actor, reason, drop, progress }: Archiving,
): Promise<void> {
  const seals = await assertReady(deps, part);
  const entries = await countEntries(deps.db, part);
  assertSealed(part, seals, entries);
  if (dryRun)
    return progress(part.part, `would be archived: ${entries} entries of ${hoursIn(seals).length} sealed hours`);
  const own = join(directory, part.part);
  if (await isThere(join(own, MANIFEST))) await progress(part.part, 'its files are there');
  else {
    await writeArchive({ snapshots, now: deps.clock.now() }, own, part, seals, (count) =>
      progress(part.part, `${count} of ${entries} entries written`),
    );
    await progress(part.part, 'written');
  }
  const { manifest, digest } = await readManifest(own);
  const wrong = await checkFiles(own, manifest, hoursIn(seals));
  if (manifest.part !== part.part || manifest.entries !== entries)
    wrong.push(`${own} is the archive of something else`);
  if (wrong.length > 0) throw new ArchiveRefused(`${own} was not closed: ${wrong.join('; ')}`);
  await progress(part.part, 'read back: every entry is as it was sealed');
  const { carriedDigest, accounts } = manifest;
  await deps.db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await closeMonth(tx, { ...part, entries, manifestDigest: digest, carriedDigest });
    const after = { until: part.endsAt.toISOString(), entries, accounts, manifest: digest, carried: carriedDigest };
    await recordChange(tx, { actor, action: 'ledger.archive', target: part.part, after, reason });
  });
  await progress(part.part, 'closed');
  await takeOff(deps, { ...part, entries, manifestDigest: digest, table: 'ATTACHED' }, { directory, drop, progress });
}

/** Of months that are closed: what a run that was ended has left to do, and with `drop` what was kept. */
async function finishOthers(deps: Deps, archiving: Archiving): Promise<void> {
  for (const closed of await closedMonths(deps.db)) await takeOff(deps, closed, archiving);
}

async function takeOff(
  { db, pool, keyring }: Deps,
  closed: ClosedMonth,
  { directory, drop, progress }: Pick<Archiving, 'directory' | 'drop' | 'progress'>,
): Promise<void> {
  if (closed.table === 'DROPPED') return;
  if (closed.table !== 'KEPT') {
    await progress(closed.part, 'being taken off');
    await detachMonth(pool, closed);
    await progress(closed.part, 'taken off');
  }
  if (!drop) return;
  const own = join(directory, closed.part);
  const { manifest, digest } = await readManifest(own);
  const wrong = await checkFiles(own, manifest, hoursIn(await readSealsBetween({ db, keyring }, closed)));
  if (digest !== closed.manifestDigest) wrong.push('its manifest is not the one that was closed with it');
  if (wrong.length > 0) throw new ArchiveRefused(`${closed.part} was not dropped: ${wrong.join('; ')}`);
  await dropMonth(pool, closed, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  await progress(closed.part, 'dropped');
}

/** @throws ArchiveRefused with what is to be done first */
async function assertReady({ db, keyring }: Deps, { part, ...period }: EntryPart): Promise<ReadSeal[]> {
  const waiting = await countWaitingBefore(db, period.endsAt);
  if (waiting > 0) {
    throw new ArchiveRefused(
      `${part}: ${waiting} transactions from before its end wait in suspense: resolve them first`,
    );
  }
  const totalled = await totalledUntil(db);
  if (totalled === undefined || totalled < period.endsAt) {
    throw new ArchiveRefused(`${part}: its days are not added up yet, which a worker does: try again later`);
  }
  return readSealsBetween({ db, keyring }, period);
}

function assertSealed({ part, startsAt, endsAt }: EntryPart, seals: readonly ReadSeal[], entries: number): void {
  const hours = hoursIn(seals);
  const [last] = hours.slice(-1);
  const isWhole =
    last?.endsAt === endsAt.toISOString() &&
    (hours[0]?.startsAt ?? startsAt?.toISOString() ?? null) === (startsAt?.toISOString() ?? null);
  if (isWhole || entries === 0) return;
  throw new ArchiveRefused(
    `${part}: its hours are not sealed to the end: run "paytag ledger seal", and keep the seals elsewhere`,
  );
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

const startOfMonth = (month: string): Date => new Date(`${month}-01T00:00:00+01:00`);
const LAGOS_MS = 3_600_000;
const monthOf = (moment: Date): string => new Date(moment.getTime() + LAGOS_MS).toISOString().slice(0, 7);

function monthsBefore(now: Date, months: number): Date {
  const lagos = new Date(now.getTime() + LAGOS_MS);
  return new Date(Date.UTC(lagos.getUTCFullYear(), lagos.getUTCMonth() - months, 1) - LAGOS_MS);
}
