import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { WorkLong } from '#lib/postgres/long-work.ts';
import { installedAt, signDocument } from '#modules/keys';
import { digestOf, hoursOf, SEAL_TYPE, type Seal, seal } from './seal.ts';
import {
  databaseTime,
  everySeal,
  hasEnded,
  insertSeal,
  type Period,
  type SealRow,
  selectContents,
  selectHours,
  selectLast,
  selectSeals,
  tryLockSealing,
} from './seal-store.ts';

const HOUR_MS = 60 * 60 * 1000;

const DAY_MS = 24 * HOUR_MS;

/** Africa/Lagos is this far ahead of UTC, without summer time. */
const LAGOS_MS = HOUR_MS;

/** The wait after the end of an hour before it is sealed, in case a clock is set back a little. */
const GRACE_MS = 5 * 60 * 1000;

/** The most seals in one run; the next run continues. */
const SEALS_MAX = 200;

type Deps = { db: Database; workLong: WorkLong; keyring: Keyring; clock: Clock; log: Logger };

/** A seal as it is published. */
export interface PublishedSeal {
  number: number;
  period: Seal['period'];
  startsAt: string | null;
  endsAt: string;
  seal: string;
}

/** The form that is logged, listed and exported. */
const published = ({ number, period, startsAt, endsAt, jws }: Omit<SealRow, 'sealedAt'>): PublishedSeal => ({
  number,
  period,
  startsAt: startsAt?.toISOString() ?? null,
  endsAt: endsAt.toISOString(),
  seal: jws,
});

/**
 * Seals each hour and each day (in Africa/Lagos) that has ended and is not sealed, oldest first, and logs each. An hour has ended
 * when no transaction can commit into it. One process seals at a time; the others return.
 *
 * @param limit how many seals at most
 * @param closing aborts the seal in progress; the next run creates it
 * @returns the new seals
 */
export async function sealDue(deps: Deps, limit = SEALS_MAX, closing?: AbortSignal): Promise<PublishedSeal[]> {
  const created: PublishedSeal[] = [];
  if ((await nextDue(deps.db)) === undefined) return created;
  try {
    await deps.workLong(async (db) => {
      while (created.length < limit) {
        const row = await db.transaction((tx) => sealNext(tx, deps));
        if (row === undefined) break;
        const one = published(row);
        deps.log.info({ event: 'books.sealed', ...one }, 'sealed the books: keep this line elsewhere');
        created.push(one);
      }
    }, closing);
  } catch (error) {
    if (closing?.aborted !== true) throw error;
  }
  return created;
}

interface Due {
  last: SealRow | undefined;
  now: Date;
  period: Seal['period'];
  startsAt: Date | null;
  endsAt: Date;
}

/** The next period to seal; undefined while transactions can still commit into it. */
async function nextDue(on: Executor): Promise<Due | undefined> {
  const last = await selectLast(on);
  const now = await databaseTime(on);
  if (last?.period === 'HOUR' && endsDay(last.endsAt)) {
    const startsAt = new Date(last.endsAt.getTime() - DAY_MS);
    return { last, now, period: 'DAY', startsAt, endsAt: last.endsAt };
  }
  const hour = await nextHour(on, last, now);
  const isOver = hour.endsAt.getTime() + GRACE_MS <= now.getTime() && (await hasEnded(on, hour.endsAt));
  return isOver ? { last, now, period: 'HOUR', ...hour } : undefined;
}

async function sealNext(tx: Tx, deps: Deps): Promise<SealRow | undefined> {
  if (!(await tryLockSealing(tx))) return undefined;
  const due = await nextDue(tx);
  if (due === undefined) return undefined;
  const { last, now, period, startsAt, endsAt } = due;
  const common = {
    format: 1,
    number: (last?.number ?? 0) + 1,
    previous: last === undefined ? null : digestOf(last.jws),
    sealedAt: now.toISOString(),
    startsAt: startsAt?.toISOString() ?? null,
    endsAt: endsAt.toISOString(),
  } as const;
  if (period === 'HOUR') {
    return write(tx, deps, { ...common, period, contents: await selectContents(tx, { startsAt, endsAt }) });
  }
  return write(tx, deps, { ...common, period, hours: hoursOf(await selectHours(tx, startsAt ?? new Date(0), endsAt)) });
}

/** The hour after the last seal; first, everything before the hour of installation. */
async function nextHour(on: Executor, last: SealRow | undefined, now: Date): Promise<Period> {
  if (last !== undefined) return { startsAt: last.endsAt, endsAt: new Date(last.endsAt.getTime() + HOUR_MS) };
  const installed = ((await installedAt(on)) ?? now).getTime();
  return { startsAt: null, endsAt: new Date(installed - (installed % HOUR_MS)) };
}

const endsDay = (endsAt: Date): boolean => (endsAt.getTime() + LAGOS_MS) % DAY_MS === 0;

async function write(tx: Tx, deps: Deps, content: Seal): Promise<SealRow> {
  const { number, period, startsAt, endsAt, sealedAt } = content;
  const row: SealRow = {
    number,
    period,
    startsAt: startsAt === null ? null : new Date(startsAt),
    endsAt: new Date(endsAt),
    jws: await signDocument(deps, SEAL_TYPE, seal.parse(content)),
    sealedAt: new Date(sealedAt),
  };
  await insertSeal(tx, row);
  return row;
}

/** Seals, newest first. `count` is of all. */
export async function listSeals(
  db: Database,
  query: { period?: SealRow['period'] | undefined } & PageRequest<number>,
): Promise<Listed<PublishedSeal, number>> {
  const { items, ...found } = await selectSeals(db, query);
  return { items: items.map(published), ...found };
}

/** Every seal from a number on, oldest first: for a copy to be kept elsewhere. */
export async function* exportSeals(db: Database, from: number): AsyncGenerator<PublishedSeal> {
  for await (const row of everySeal(db, from)) yield published(row);
}

/** The number of the last seal, and the end of the last sealed hour. Undefined before the first. */
export async function sealedUntil(db: Database): Promise<{ number: number; endsAt: Date } | undefined> {
  const last = await selectLast(db);
  return last && { number: last.number, endsAt: last.endsAt };
}
