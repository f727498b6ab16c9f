import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { outageLogger } from '#lib/log.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type ClosedCounter, type CounterStore, GUESSES, inOrder, type Limit, type StoredLimit } from './limit.ts';
import { redisStore } from './redis-store.ts';
import { postgresStore } from './store.ts';

/** The pause before Redis is tried again after a failure. */
const REDIS_PAUSE_MS = 2_000;

/** A limit and the counted key. */
export type Count = readonly [limit: Limit, key: string];

/** Limits across all processes. Keys are stored only as keyed digests. */
export interface Throttles {
  /**
   * Counts `cost` against a limit. A refusal counts nothing.
   *
   * @param key the counted key
   * @throws DomainError TOO_MANY_REQUESTS when the limit is used up
   */
  take(limit: Limit, key: string, cost?: number): Promise<void>;
  /** Refuses as `take` would, and counts nothing. @throws DomainError TOO_MANY_REQUESTS */
  assertOpen(limit: Limit, key: string): Promise<void>;
  /**
   * As `assertOpen`, queued behind the calls that count: of many concurrent calls, few pass a limit that the others use up.
   *
   * @throws DomainError TOO_MANY_REQUESTS
   */
  assertOpenInTurn(limit: Limit, key: string): Promise<void>;
  /** Refuses as `take` of each would, by the first of them, and counts nothing. @throws DomainError TOO_MANY_REQUESTS */
  assertAllOpen(counts: readonly Count[]): Promise<void>;
  /**
   * Counts one against each of several limits, or against none.
   *
   * @throws DomainError TOO_MANY_REQUESTS when one of them is used up
   */
  takeAll(counts: readonly Count[]): Promise<void>;
  /** Whether `take` would count now. */
  isOpen(limit: Limit, key: string): Promise<boolean>;
  /** Undoes a `take`. */
  giveBack(limit: Limit, key: string, cost?: number): Promise<void>;
  /** Sets the count back to zero. */
  reset(limit: Limit, key: string): Promise<void>;
  /** The refusing limits, latest to open first; at most `max`. */
  closed(max: number, behind?: ClosedPlace): Promise<Closed[]>;
  /** The number of refusing limits; counted up to `max`. */
  countClosed(max: number): Promise<number>;
  /** A refusing limit by its id; undefined if it is open. */
  findClosed(id: string): Promise<Closed | undefined>;
  /** Resets the count of a refusing limit. */
  open(id: string): Promise<void>;
}

/** A position in the list of refusing limits. */
export interface ClosedPlace {
  at: Date;
  id: string;
}

/** A limit that is used up for a key. */
export interface Closed {
  /** The keyed digest of the counted key. */
  id: string;
  /** The counted things, in the plural. */
  name: string;
  /** Our ids in the counted key, e.g. of a partner. */
  about: string | undefined;
  spent: number;
  /** It refuses until then. */
  until: Date;
}

interface Deps {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  /** Undefined: PostgreSQL counts. */
  redisUrl: string | undefined;
  metrics?: Meter;
}

/**
 * Counts in Redis if configured, and in PostgreSQL while Redis is down: a limit is never lifted, at most restarted. PostgreSQL always
 * counts guesses, so those never restart.
 */
export function createThrottles({
  db,
  keyring,
  clock,
  log,
  redisUrl,
  metrics = noMeter,
}: Deps): Throttles & { close(): void } {
  const postgres = postgresStore(db);
  const redis = redisUrl === undefined ? undefined : redisStore(redisUrl);
  const absence = outageLogger(log, 'counting in Redis: PostgreSQL counts instead, and that');
  let pausedUntilMs = 0;

  async function inStore<Result>(ask: (store: CounterStore) => Promise<Result>): Promise<Result> {
    if (redis !== undefined && performance.now() >= pausedUntilMs) {
      try {
        const answer = await ask(redis);
        absence.recovered();
        return answer;
      } catch (error) {
        absence.failed(error);
        pausedUntilMs = performance.now() + REDIS_PAUSE_MS;
      }
    }
    return ask(postgres);
  }
  /** The store that counts a limit. */
  const inStoreOf = <Result>({ name }: Limit, ask: (store: CounterStore) => Promise<Result>): Promise<Result> =>
    GUESSES.has(name) ? ask(postgres) : inStore(ask);
  /** Each store that counts now: with Redis, also PostgreSQL for guesses. */
  async function inEach<Result>(
    ask: (store: CounterStore, names?: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result[]> {
    let byRedis = false;
    const first = await inStore(async (store) => {
      byRedis = store === redis;
      return ask(store);
    });
    return byRedis ? [first, await ask(postgres, GUESSES)] : [first];
  }
  const keyOf = ({ name }: Limit, key: string) => keyring.blindIndex('throttle', `${name}\0${key}`);

  async function take(limit: Limit, key: string, cost = 1): Promise<void> {
    if (limit.points === 0) return;
    const stored = toStored(limit, key);
    const nowMs = clock.now().getTime();
    refuseFor(limit, await inStoreOf(limit, (store) => store.spend(keyOf(limit, key), stored, cost, nowMs)));
  }
  async function closedForMs(limit: Limit, key: string, inTurn = false): Promise<number> {
    if (limit.points === 0) return 0;
    const nowMs = clock.now().getTime();
    return inStoreOf(limit, (store) => store.closedFor(keyOf(limit, key), nowMs, inTurn));
  }
  async function giveBack(limit: Limit, key: string, cost = 1): Promise<void> {
    await inStoreOf(limit, (store) => store.giveBack(keyOf(limit, key), cost));
  }

  function refuseFor({ name, event }: Limit, closedMs: number): void {
    if (closedMs <= 0) return;
    const retryAfterS = Math.ceil(closedMs / 1000);
    metrics.add('paytag_throttled_total', { limit: name });
    throw new DomainError('TOO_MANY_REQUESTS', `too many ${name}: wait ${retryAfterS} s`, {
      retryAfterS,
      ...(event !== undefined && { event }),
    });
  }

  return {
    take,
    giveBack,
    async takeAll(counts) {
      const asked = await Promise.allSettled(counts.map((count) => take(...count)));
      const refusal = asked.find(({ status }) => status === 'rejected');
      if (refusal === undefined) return;
      const taken = counts.filter((_, at) => asked[at]?.status === 'fulfilled');
      await Promise.all(taken.map(([limit, key]) => giveBack(limit, key)));
      throw (refusal as PromiseRejectedResult).reason;
    },
    async assertAllOpen(counts) {
      const closedMs = await Promise.all(counts.map((count) => closedForMs(...count)));
      for (const [at, [limit]] of counts.entries()) refuseFor(limit, closedMs[at] ?? 0);
    },
    isOpen: async (limit, key) => (await closedForMs(limit, key)) <= 0,
    assertOpen: async (limit, key) => refuseFor(limit, await closedForMs(limit, key)),
    assertOpenInTurn: async (limit, key) => refuseFor(limit, await closedForMs(limit, key, true)),
    async reset(limit, key) {
      await inStoreOf(limit, (store) => store.reset(keyOf(limit, key)));
    },
    async closed(max, behind) {
      const place = behind && { until: behind.at, key: Buffer.from(behind.id, 'hex') };
      const nowMs = clock.now().getTime();
      const found = await inEach((store, names) => store.closed(nowMs, max, place, names));
      return found.flat().toSorted(inOrder).slice(0, max).map(toClosed);
    },
    async countClosed(max) {
      const nowMs = clock.now().getTime();
      const counts = await inEach((store, names) => store.countClosed(nowMs, max, names));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async findClosed(id) {
      const nowMs = clock.now().getTime();
      const found = await inEach((store, names) => store.findClosed(Buffer.from(id, 'hex'), nowMs, names));
      const one = found.find((each) => each !== undefined);
      return one && toClosed(one);
    },
    async open(id) {
      await inEach((store) => store.reset(Buffer.from(id, 'hex')));
    },
    close() {
      absence.end();
      redis?.close();
    },
  };
}

const UUIDS = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

const toClosed = ({ key, ...counter }: ClosedCounter): Closed => ({ id: key.toString('hex'), ...counter });

const toStored = ({ name, points, windowS, delays, isUnlisted }: Limit, key: string): StoredLimit => ({
  name: isUnlisted ? undefined : name,
  about: key.match(UUIDS)?.join(' '),
  points,
  windowMs: windowS * 1000,
  firstDelayMs: (delays?.firstS ?? 0) * 1000,
  maxDelayMs: (delays?.maxS ?? 0) * 1000,
});

/** The most counters read for one page, after its offset. */
const SCANNED_MAX = 1_000;

const COUNTED_MAX = 10_000;

/** Limits on operators, who could otherwise lift their own. */
const OF_OPERATORS: ReadonlySet<string> = new Set([
  'reveals and exports',
  'searches for customers',
  'wrong operator tokens',
]);

/** An absent field does not filter. */
interface ThrottleFilter {
  name?: string | undefined;
  /** One of our ids in the counted key. */
  about?: string | undefined;
}

/**
 * The refusing limits, latest to open first. A page may be short and still have a next one. `count` is of all without a filter, and
 * of those that were read with one.
 */
export async function listClosed(
  { throttles }: { throttles: Throttles },
  { limit, offset, cursor, name, about }: ThrottleFilter & PageRequest<ClosedPlace>,
): Promise<Listed<Closed, ClosedPlace>> {
  const isAsked = (one: Closed) =>
    (name === undefined || one.name === name) && (about === undefined || idsOf(one).includes(about));
  const max = Math.min(SCANNED_MAX + offset, COUNTED_MAX);
  const [scanned, total] = await Promise.all([throttles.closed(max, cursor), throttles.countClosed(COUNTED_MAX + 1)]);
  const asked = scanned.filter(isAsked);
  const { items, next } = pageOfRows(asked.slice(offset), limit, placeOf);
  const last = scanned.at(-1);
  const isShort = next === undefined && limit > 0 && scanned.length === max && offset < max && last !== undefined;
  const isFiltered = name !== undefined || about !== undefined;
  return {
    items,
    next: isShort ? placeOf(last) : next,
    count: isFiltered ? asked.length : Math.min(total, COUNTED_MAX),
    countIsExact: isFiltered ? total <= max && cursor === undefined : total <= COUNTED_MAX,
  };
}

/** Our ids in the key of a refusing limit. */
export const idsOf = ({ about }: Closed): string[] => about?.split(' ') ?? [];

const placeOf = ({ until, id }: Closed): ClosedPlace => ({ at: until, id });

/**
 * Lifts a refusing limit: its count restarts at zero. Audited. Only an admin lifts limits on operators, and not their own.
 *
 * @throws DomainError THROTTLE_NOT_FOUND if it does not refuse; ROLE_REFUSED
 */
export async function liftThrottle(
  { transact, throttles, securityLog }: { transact: Transact; throttles: Throttles; securityLog: SecurityLog },
  { id, by, reason }: { id: string; by: { id: string; actor: string; isAdmin: boolean }; reason: string },
): Promise<Closed> {
  const found = await throttles.findClosed(id);
  if (found === undefined)
    throw new DomainError('THROTTLE_NOT_FOUND', 'no limit with this id is refusing requests now');
  if (OF_OPERATORS.has(found.name)) {
    if (!by.isAdmin)
      throw new DomainError(
        'ROLE_REFUSED',
        `the limit on ${found.name} applies to operators: lifting it needs the role admin`,
      );
    const isOwn = found.about === undefined ? by.id === 'root' : idsOf(found).includes(by.id);
    if (isOwn && found.name !== 'wrong operator tokens') {
      throw new DomainError('ROLE_REFUSED', 'this limit is your own: ask another admin');
    }
  }
  const before = { name: found.name, about: idsOf(found), until: found.until.toISOString() };
  const change = { actor: by.actor, action: 'throttle.lift', target: id, before, after: { spent: 0 }, reason };
  await transact((tx) => recordChange(tx, change));
  await throttles.open(id); // only after the audit entry has committed
  securityLog.record('limit_lifted');
  return found;
}

/** With more counters the oldest is dropped, so that made-up keys cannot fill the memory. */
const COUNTERS_MAX = 100_000;

/** A limit within one process, without a store: it costs almost nothing. */
export interface LocalThrottle {
  /** Counts `cost` against the limit. A refusal counts nothing. @throws DomainError TOO_MANY_REQUESTS when it is used up */
  take(key: string, cost?: number): void;
}

/** Creates a limit within this process. */
export function createLocalThrottle(
  { name, points, windowS }: Omit<Limit, 'delays'>,
  clock: Clock,
  metrics: Meter = noMeter,
): LocalThrottle {
  const counters = new Map<string, { spent: number; expiresAtMs: number }>();

  return {
    take(key, cost = 1) {
      if (points === 0) return;
      const nowMs = clock.now().getTime();
      const held = counters.get(key);
      if (held === undefined || held.expiresAtMs <= nowMs) {
        counters.delete(key); // keeps the map in order of the counters' start
        counters.set(key, { spent: cost, expiresAtMs: nowMs + windowS * 1000 });
        const [oldest] = counters.keys();
        if (counters.size > COUNTERS_MAX && oldest !== undefined) counters.delete(oldest);
        return;
      }
      if (held.spent >= points) {
        const retryAfterS = Math.ceil((held.expiresAtMs - nowMs) / 1000);
        metrics.add('paytag_throttled_total', { limit: name });
        throw new DomainError('TOO_MANY_REQUESTS', `too many ${name}: wait ${retryAfterS} s`, { retryAfterS });
      }
      held.spent += cost;
    },
  };
}
