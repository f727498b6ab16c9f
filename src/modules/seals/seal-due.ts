import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { signDocument } from '#modules/signing-keys';
import { digestOf, hoursOf, SEAL_TYPE, type Seal, seal } from './seal.ts';
import {
  allowLongStatements,
  databaseTime,
  hasEnded,
  insertSeal,
  installedAt,
  type Period,
  type SealRow,
  selectContents,
  selectHours,
  selectLast,
  tryLockSealing,
} from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Of a day's end in UTC before that of Africa/Lagos, which has no summer time. */
const LAGOS_MS = HOUR_MS;
/** An hour is sealed so long after its end, so that a clock that is set back a little changes nothing. */
const GRACE_MS = 5 * 60 * 1000;
/** In one run at most; what is left is made up in the next. */
const SEALS_MAX = 200;

type Deps = { db: Database; keyring: Keyring; clock: Clock; log: Logger };

/** A seal as it is published. */
export interface PublishedSeal {
  number: number;
  period: Seal['period'];
  startsAt: string | null;
  endsAt: string;
  seal: string;
}

/** As it is logged, listed and exported. */
export const published = ({ number, period, startsAt, endsAt, jws }: Omit<SealRow, 'sealedAt'>): PublishedSeal => ({
  number,
  period,
  startsAt: startsAt?.toISOString() ?? null,
  endsAt: endsAt.toISOString(),
  seal: jws,
});

/**
 * Seals each hour and each day (in Africa/Lagos) that has ended and is not sealed, oldest first, and logs each. An hour has
 * ended when nothing can be committed into it any more. Of several processes at once one does so; the others return.
 *
 * @param limit how many seals at most
 * @returns what was sealed
 */
export async function sealDue(deps: Deps, limit = SEALS_MAX): Promise<PublishedSeal[]> {
  const made: PublishedSeal[] = [];
  while (made.length < limit) {
    const row = await deps.db.transaction((tx) => sealNext(tx, deps));
    if (row === undefined) break;
    const one = published(row);
    deps.log.info({ ...one }, 'sealed the books: keep this line elsewhere');
    made.push(one);
  }
  return made;
}

async function sealNext(tx: Tx, deps: Deps): Promise<SealRow | undefined> {
  if (!(await tryLockSealing(tx))) return undefined;
  const last = await selectLast(tx);
  const now = await databaseTime(tx);
  const common = {
    format: 1,
    number: (last?.number ?? 0) + 1,
    previous: last === undefined ? null : digestOf(last.jws),
    sealedAt: now.toISOString(),
  } as const;
  if (last?.period === 'HOUR' && endsDay(last.endsAt)) {
    const period = { startsAt: new Date(last.endsAt.getTime() - DAY_MS), endsAt: last.endsAt };
    const hours = hoursOf(await selectHours(tx, period.startsAt, period.endsAt));
    return write(tx, deps, { ...common, ...texts(period), period: 'DAY', hours });
  }
  const period = await nextHour(tx, last, now);
  if (period.endsAt.getTime() + GRACE_MS > now.getTime() || !(await hasEnded(tx, period.endsAt))) return undefined;
  await allowLongStatements(tx);
  const contents = await selectContents(tx, period);
  return write(tx, deps, { ...common, ...texts(period), period: 'HOUR', contents });
}

/** The hour after the last one, or all that came before the hour in which this was installed. */
async function nextHour(tx: Tx, last: SealRow | undefined, now: Date): Promise<Period> {
  if (last !== undefined) return { startsAt: last.endsAt, endsAt: new Date(last.endsAt.getTime() + HOUR_MS) };
  const installed = ((await installedAt(tx)) ?? now).getTime();
  return { startsAt: null, endsAt: new Date(installed - (installed % HOUR_MS)) };
}

const endsDay = (endsAt: Date): boolean => (endsAt.getTime() + LAGOS_MS) % DAY_MS === 0;

const texts = ({ startsAt, endsAt }: Period) => ({
  startsAt: startsAt?.toISOString() ?? null,
  endsAt: endsAt.toISOString(),
});

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
