import { DatabaseError, type Pool, type QueryResultRow } from 'pg';
import { DomainError } from '../domain-error.ts';
import { type Meter, noMeter } from '../meter.ts';
import { currentSpan, runIn, type Span, startSpan, TRACEPARENT_SETTING } from '../tracing.ts';
import { WHOLE_LOCK_TIMEOUT_MS } from './database.ts';
import { onceATurn } from './gathered-reads.ts';
import { currentRun, queryAs, type RunOnce } from './transact.ts';

/** Most calls that run at the same time, without those that wait for locks. Later members are batched for the next call. */
const CALLS_MAX = 2;
/** A call costs as much as several of its members. So while one has just begun, the next waits until so many members share it, */
const GATHERED_MIN = 16;
/** or until so long has passed. */
const GATHER_MS = 5;
/** Calls of one owner at the same time. */
const OWNER_CALLS_MAX = 2;
/** A call that takes longer waits for a locked account; other calls do not wait for it. */
const STALL_MS = 250;

/** A function of SQL that takes a JSON array, each of whose members has its own outcome. */
interface BatchFunction {
  /** Its name in SQL. */
  readonly name: string;
  /** What is read of its answer, `ordinal` first. */
  readonly columns: string;
  /** The part of the pool that its calls may take while they wait for locks. Functions that lock accounts also share a bound (`PoolShare`). */
  readonly poolShare: number;
  readonly locksAccounts: boolean;
  /** Called after each commit, also of what had been committed before: its events may wait. */
  readonly committed?: () => void;
  readonly metrics?: Meter;
}

/**
 * Has a function do what one member asks, in a database transaction of its own or shared with what came at the same time.
 * Alone it does not wait, and it never waits for a lock that only another owner's members need. What is a part of a
 * run says in the same database transaction that the run has committed.
 *
 * @throws what this member alone fails with; DomainError BUSY when too many wait already
 */
type BatchCall<Row> = (owner: string, member: string) => Promise<Row>;

interface Waiting<Row> {
  /** Whose queue it waits in. */
  owner: string;
  member: string;
  resolve: (row: Row) => void;
  reject: (error: unknown) => void;
  /** Undefined where nothing is traced. */
  span: Span | undefined;
  /** What it is a part of, where it is done under a key. */
  run: RunOnce | undefined;
}

/** The call waited too long for a lock, or for all of its locks together: each of its members would as well. */
const isKeptWaiting = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '55P03' || error.code === '57014');

/** One for each function and what it locks: calls that take their locks in different orders are apart. */
export function createBatchCall<Row extends QueryResultRow & { ordinal: number }>(
  pool: Pool,
  { name, columns, poolShare, locksAccounts, committed, metrics = noMeter }: BatchFunction,
): BatchCall<Row> {
  /** A statement that waits so long for a lock, with further settings. */
  const waiting = (suffix: string, lockMs: number, settings = ''): { name: string; text: string } => ({
    name: `${name}${suffix}`,
    text: `select ${columns} from (select set_config('lock_timeout', '${lockMs}ms', true)${settings} offset 0) s,
      lateral ${name}(case when s is not null then $1::jsonb end)`,
  });
  const traceparent = `, set_config('${TRACEPARENT_SETTING}', $2, true)`;
  const plain = waiting('', WHOLE_LOCK_TIMEOUT_MS);
  /** Lets go of all its locks, and fails, when it is kept waiting for one. */
  const orLetGo = waiting('-or-let-go', STALL_MS);
  /** The same two, for calls that are traced. */
  const traced = waiting('-traced', WHOLE_LOCK_TIMEOUT_MS, traceparent);
  const tracedOrLetGo = waiting('-traced-or-let-go', STALL_MS, traceparent);
  const queues = createCallQueues<Waiting<Row>>();
  const underWayMax = Math.max(1, Math.floor(pool.options.max * poolShare));
  const share = locksAccounts ? shareOf(pool) : noShare;
  const taker: Taker = { underWay: 0, pump };
  let stalled = 0;
  /** Calls that have just begun. */
  let recent = 0;
  share.join(taker);

  async function call(items: readonly Waiting<Row>[], statement = plain): Promise<void> {
    const members = `[${items.map((one) => one.member).join()}]`;
    const span = spanOf(items);
    const asked =
      span === undefined
        ? { ...statement, values: [members] }
        : { ...(statement === plain ? traced : tracedOrLetGo), values: [members, span.traceparent] };
    const runs = new Set(items.flatMap(({ run }) => run ?? []));
    const { rows } = await runIn(span, async () =>
      runs.size === 0 ? pool.query<Row>(asked) : queryAs<Row>(pool, [...runs], asked),
    ).finally(() => span?.end());
    if (rows.length !== items.length) throw new Error(`${name} gave not one result for each member`);
    committed?.();
    metrics.observe('paytag_ledger_batch_size', { function: name }, items.length);
    for (const row of rows) items[row.ordinal - 1]?.resolve(row);
  }

  /** A call that several share is a part of the first one's trace, where its events continue; it names the others. */
  function spanOf(items: readonly Waiting<Row>[]): Span | undefined {
    const [parent, ...links] = items.flatMap(({ span }) => span ?? []);
    if (parent === undefined) return undefined;
    return startSpan(name, { kind: 'internal', parent, links, attributes: { 'paytag.batch_size': items.length } });
  }

  /** A shared call that fails leaves it to a call of each owner to find out why, so that no other is kept waiting by it. */
  async function settleShared(batch: Batch<Waiting<Row>>): Promise<void> {
    try {
      await call(batch.items, orLetGo);
      queues.end(batch);
    } catch (error) {
      queues.putBack({ ...batch, items: withoutDoubted(batch.items, error) });
    }
  }

  async function settleOwn(batch: Batch<Waiting<Row>>): Promise<void> {
    const { items } = batch;
    const [only, ...others] = items;
    try {
      await call(items);
    } catch (error) {
      if (isKeptWaiting(error)) for (const one of [...items, ...queues.drain(batch)]) one.reject(error);
      else if (others.length === 0) only?.reject(error);
      else await settleEach(withoutDoubted(items, error));
    }
    queues.end(batch);
  }

  /**
   * Those that may be done again. What is done under a key and may have been committed is not: a caller who sends it again
   * gets the outcome.
   */
  const withoutDoubted = (items: readonly Waiting<Row>[], error: unknown): Waiting<Row>[] =>
    items.filter(({ run, reject }) => {
      if (run?.isInDoubt === true) reject(error);
      return run?.isInDoubt !== true;
    });

  /**
   * One by one, so that only the one at fault fails. If the batch was committed and its answer lost, each answers as one
   * that was done before. Once the database does not answer at all, or an account stays locked, the rest are not tried.
   */
  async function settleEach(items: readonly Waiting<Row>[]): Promise<void> {
    let gaveUp: unknown;
    for (const one of items) {
      if (gaveUp !== undefined) one.reject(gaveUp);
      else
        await call([one]).catch((error: unknown) => {
          one.reject(error);
          if (!(error instanceof DatabaseError) || isKeptWaiting(error)) gaveUp = error;
        });
    }
  }

  async function send(batch: Batch<Waiting<Row>>): Promise<void> {
    let isStalled = false;
    let isRecent = true;
    const endRecent = () => {
      if (isRecent) recent -= 1;
      isRecent = false;
    };
    recent += 1;
    share.begin(taker);
    const gathering = setTimeout(() => {
      endRecent();
      pump();
    }, GATHER_MS);
    const timer = setTimeout(() => {
      isStalled = true;
      stalled += 1;
      pump();
    }, STALL_MS);
    if (batch.owners.length > 1) await settleShared(batch);
    else await settleOwn(batch);
    clearTimeout(gathering);
    clearTimeout(timer);
    endRecent();
    if (isStalled) stalled -= 1;
    else if (batch.owners.length === 1) queues.rejoin(batch);
    share.end(taker);
  }

  function pump(): void {
    while (taker.underWay - stalled < CALLS_MAX && taker.underWay < underWayMax && share.hasRoomFor(taker)) {
      if (recent > 0 && queues.waiting < GATHERED_MIN) return;
      // Once half of what there is is taken, an owner has one call, so that there is one for others.
      const batch = queues.take(taker.underWay < underWayMax / 2 ? OWNER_CALLS_MAX : 1);
      if (batch === undefined) return;
      void send(batch);
    }
  }

  // Those that an earlier call answered together come together.
  const pumpSoon = onceATurn(pump);
  return (owner, member) =>
    new Promise((resolve, reject) => {
      queues.add({ owner, member, resolve, reject, span: currentSpan(), run: currentRun() });
      if (queues.waiting >= BATCH_MAX) pump();
      pumpSoon();
    });
}

/** Members of one call at most, which bounds how long what they need stays locked. */
const BATCH_MAX = 64;
/** Members that may wait for a call: of one owner, and of all together. */
const OWNER_WAITING_MAX = 1_024;
const WAITING_MAX = 8_192;

/** Members of one call, and the owners they are of. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  readonly owners: readonly string[];
}

/** Members that wait for a call, in one queue for each owner. A batch that was taken is under way until it ends or is put back. */
export interface CallQueues<Item> {
  /** How many wait. */
  readonly waiting: number;
  /** @throws DomainError BUSY when too many wait already; nothing was done then */
  add(item: Item): void;
  /**
   * The next batch, or undefined when none may go. Owners take turns. Those that have nothing under way share a batch;
   * one that stands apart has a batch of its own, as has one that has a batch under way already.
   *
   * @param ofOwnerMax batches of one owner that may be under way at the same time
   */
  take(ofOwnerMax: number): Batch<Item> | undefined;
  end(batch: Batch<Item>): void;
  /** Its owners share batches again. */
  rejoin(batch: Batch<Item>): void;
  /** Has it wait again, before what came later. Its owners stand apart until they rejoin. */
  putBack(batch: Batch<Item>): void;
  /** Takes out all that waits of its owners. */
  drain(batch: Batch<Item>): Item[];
}

interface Queue<Item> {
  readonly owner: string;
  waiting: Item[];
  underWay: number;
  isApart: boolean;
}

export function createCallQueues<Item extends { readonly owner: string }>(): CallQueues<Item> {
  /** In the order of their turns. An owner without anything waiting or under way has none, unless it stands apart. */
  const queues = new Map<string, Queue<Item>>();
  let waiting = 0;

  function queuesOf({ owners }: Batch<Item>): Queue<Item>[] {
    return owners.flatMap((owner) => queues.get(owner) ?? []);
  }

  function forgetIdle(queue: Queue<Item>): void {
    if (queue.waiting.length + queue.underWay === 0 && !queue.isApart) queues.delete(queue.owner);
  }

  function leave(batch: Batch<Item>): void {
    for (const queue of queuesOf(batch)) {
      queue.underWay -= 1;
      forgetIdle(queue);
    }
  }

  /** Whose members go into the next batch. */
  function nextOwners(ofOwnerMax: number): Queue<Item>[] {
    const chosen: Queue<Item>[] = [];
    let room = BATCH_MAX;
    for (const queue of queues.values()) {
      if (queue.waiting.length === 0 || queue.underWay >= ofOwnerMax) continue;
      const goesAlone = queue.isApart || queue.underWay > 0;
      if (goesAlone && chosen.length > 0) continue;
      chosen.push(queue);
      room -= queue.waiting.length;
      if (goesAlone || room <= 0) break;
    }
    return chosen;
  }

  return {
    get waiting() {
      return waiting;
    },
    add(item) {
      const known = queues.get(item.owner);
      if (waiting >= WAITING_MAX || (known?.waiting.length ?? 0) >= OWNER_WAITING_MAX) {
        throw new DomainError('BUSY', 'too many requests wait: send the same request again', {
          retryAfterS: 1,
        });
      }
      waiting += 1;
      if (known !== undefined) known.waiting.push(item);
      else queues.set(item.owner, { owner: item.owner, waiting: [item], underWay: 0, isApart: false });
    },
    take(ofOwnerMax) {
      const chosen = nextOwners(ofOwnerMax);
      if (chosen.length === 0) return undefined;
      const items: Item[] = [];
      for (const queue of chosen) {
        items.push(...queue.waiting.splice(0, BATCH_MAX - items.length));
        queue.underWay += 1;
        queues.delete(queue.owner); // and to the end, so that everybody else has a turn before its next one
        queues.set(queue.owner, queue);
      }
      waiting -= items.length;
      return { items, owners: chosen.map(({ owner }) => owner) };
    },
    end: leave,
    rejoin(batch) {
      for (const queue of queuesOf(batch)) {
        queue.isApart = false;
        forgetIdle(queue);
      }
    },
    putBack(batch) {
      for (const queue of queuesOf(batch)) {
        queue.waiting.unshift(...batch.items.filter(({ owner }) => owner === queue.owner));
        queue.isApart = true;
      }
      waiting += batch.items.length;
      leave(batch);
    },
    drain(batch) {
      const drained = queuesOf(batch).flatMap((queue) => queue.waiting.splice(0));
      waiting -= drained.length;
      return drained;
    },
  };
}

/** What gathered calls of all functions may take of a pool together: the rest of the server needs connections too. */
const SHARE = 7 / 8;

/** A function whose calls take connections. */
export interface Taker {
  /** Its calls under way. */
  underWay: number;
  /** Starts the calls that may start now. */
  pump: () => void;
}

/** What gathered calls take of one pool. */
export interface PoolShare {
  /** Whether one more call may start. The last place is for a function that has none under way: no other's stalls keep it waiting. */
  hasRoomFor(taker: Taker): boolean;
  begin(taker: Taker): void;
  /** Others may start then; they take turns. */
  end(taker: Taker): void;
  join(taker: Taker): void;
}

/** For a function that no account keeps waiting: others' stalls must not either, and its own bound is all. */
const noShare: PoolShare = {
  hasRoomFor: () => true,
  begin(taker) {
    taker.underWay += 1;
  },
  end(taker) {
    taker.underWay -= 1;
    taker.pump();
  },
  join: () => undefined,
};

const shares = new WeakMap<Pool, PoolShare>();

/** The share of a pool: one for all functions that are called over it. */
function shareOf(pool: Pool): PoolShare {
  let share = shares.get(pool);
  if (share === undefined) shares.set(pool, (share = createShare(Math.max(1, Math.floor(pool.options.max * SHARE)))));
  return share;
}

function createShare(max: number): PoolShare {
  /** In the order of their turns. */
  const takers = new Set<Taker>();
  let underWay = 0;
  return {
    hasRoomFor: (taker) => underWay < (taker.underWay === 0 ? max : max - 1),
    begin(taker) {
      underWay += 1;
      taker.underWay += 1;
      takers.delete(taker); // and to the end
      takers.add(taker);
    },
    end(taker) {
      underWay -= 1;
      taker.underWay -= 1;
      const inTurn = [...takers]; // one that begins now moves to the end
      for (const one of inTurn) one.pump();
    },
    join: (taker) => void takers.add(taker),
  };
}
