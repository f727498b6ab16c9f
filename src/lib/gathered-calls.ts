import { DatabaseError, type Pool, type QueryResultRow } from 'pg';
import { BATCH_MAX, type Batch, createCallQueues } from './call-queues.ts';
import { WHOLE_LOCK_TIMEOUT_MS } from './database.ts';
import { queryAs } from './marked-commit.ts';
import { type Meter, noMeter } from './meter.ts';
import { noShare, shareOf, type Taker } from './pool-share.ts';
import { currentRun, type RunOnce } from './run-once.ts';
import { currentSpan, runIn, type Span, startSpan, TRACEPARENT_SETTING } from './tracing.ts';

/** Calls at the same time, those that are kept waiting not counted. What is asked meanwhile is gathered for the next one. */
const CALLS_MAX = 2;
/** A call costs as much as several of its members. So beside one that has just begun, another waits until so many would share it, */
const GATHERED_MIN = 16;
/** or for so long. */
const GATHER_MS = 5;
/** Calls of one owner at the same time. */
const OWNER_CALLS_MAX = 2;
/** A call that takes longer is kept waiting by a locked account, and others need not wait for it. */
const STALL_MS = 250;

/** A function of SQL that takes a JSON array, each of whose members has its own outcome. */
export interface BatchFunction {
  /** Its name in SQL. */
  readonly name: string;
  /** What is read of its answer, `ordinal` first. */
  readonly columns: string;
  /** The part of the pool that its calls may take when they are kept waiting. Those that lock accounts share a bound besides (`pool-share.ts`). */
  readonly poolShare: number;
  readonly locksAccounts: boolean;
}

/**
 * Has a function do what one member asks, in a database transaction of its own or shared with what came at the same time.
 * When nobody else asks it does not wait, and it never waits for what only another owner's members need. What is a part of a
 * run says in the same database transaction that the run has committed.
 *
 * @throws what this member alone fails with; DomainError BUSY when too many wait already
 */
export type GatheredCall<Row> = (owner: string, member: string) => Promise<Row>;

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

/** It waited too long for a lock, or for all of its locks together: so would each of its members. */
const isKeptWaiting = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '55P03' || error.code === '57014');

/** @param done called after each commit, also of what had been committed before: its events may wait */
export function createGatheredCalls<Row extends QueryResultRow & { ordinal: number }>(
  pool: Pool,
  { name, columns, poolShare, locksAccounts }: BatchFunction,
  done: () => void,
  metrics: Meter = noMeter,
): GatheredCall<Row> {
  /** A statement that waits so long for a lock, with settings besides. */
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
  let young = 0;
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
    done();
    metrics.observe('paytag_ledger_batch_size', { function: name }, items.length);
    for (const row of rows) items[row.ordinal - 1]?.resolve(row);
  }

  /** A call that several share is a part of the first one's trace, which is where its events go on; it names the others. */
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
   * Those that may be done again. What is done under a key and may have been committed is not: who sends it again is told
   * what became of it.
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
    let isYoung = true;
    const grow = () => {
      if (isYoung) young -= 1;
      isYoung = false;
    };
    young += 1;
    share.begin(taker);
    const gathering = setTimeout(() => {
      grow();
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
    grow();
    if (isStalled) stalled -= 1;
    else if (batch.owners.length === 1) queues.rejoin(batch);
    share.end(taker);
  }

  function pump(): void {
    while (taker.underWay - stalled < CALLS_MAX && taker.underWay < underWayMax && share.hasRoomFor(taker)) {
      if (young > 0 && queues.waiting < GATHERED_MIN) return;
      // Once half of what there is is taken, an owner has one call, so that there is one for others.
      const batch = queues.take(taker.underWay < underWayMax / 2 ? OWNER_CALLS_MAX : 1);
      if (batch === undefined) return;
      void send(batch);
    }
  }

  let isGathering = false;
  return (owner, member) =>
    new Promise((resolve, reject) => {
      queues.add({ owner, member, resolve, reject, span: currentSpan(), run: currentRun() });
      if (queues.waiting >= BATCH_MAX) pump();
      if (isGathering) return;
      isGathering = true;
      // With what else comes in this turn of the event loop: those that an earlier call answered together come together.
      setImmediate(() => {
        isGathering = false;
        pump();
      });
    });
}
