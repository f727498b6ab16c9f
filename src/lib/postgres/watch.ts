import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backendOf, bytesRead, type ClientClass, cut, endLate, isBusy, isConnected, watchedClient } from './client.ts';
import { type DatabaseTrouble, troubleOf } from './failures.ts';

/** Between two looks at the connections. */
const LOOK_MS = 1_000;
/** A connection on which a statement has been unanswered for so long is looked into. */
const UNANSWERED_MS = 2_000;
/** A commit that has waited for its standby for so long is not waited for any more. */
const UNREPLICATED_MS = 4_000;
/** PostgreSQL answers on a new connection within this, or does not answer at all. */
const PROBE_MS = 3_000;
/** Between two attempts to reach a database that is away. */
const RETRY_MS = 500;
/** How long a state that a statement failed by counts as that of the database. */
const TROUBLE_MS = 5_000;
/** PostgreSQL answers, and has no connection left. */
const TOO_MANY_CONNECTIONS = '53300';

/** The backends that are at work, of those of $1, and those of a commit that has waited $2 milliseconds for a standby. */
const AT_WORK = `
  select pid, unreplicated from pg_stat_activity, lateral (
    select wait_event is not distinct from 'SyncRep' and state_change < clock_timestamp() - $2 * interval '1 ms' as unreplicated
  ) as waiting
  where coalesce(state, '') not like 'idle%' and (pid = any ($1) or unreplicated)`;

/** The database does not answer, or commits nothing: every statement is refused at once. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/**
 * Looks after the connections of a process to one database. One that has gone dead is ended, so that its statements fail and
 * another is opened. While the database does not answer, statements fail, new ones at once; so do writes while commits wait for
 * a standby that does not answer.
 */
export interface DatabaseWatch {
  /** Why the database cannot serve requests; undefined while nothing is known to be wrong with it. */
  readonly trouble: DatabaseTrouble | undefined;
  /** A client whose connections are looked after. */
  readonly Client: ClientClass;
  /** The same, for what writes: it takes no connection to a server that is read-only. */
  readonly WritingClient: ClientClass;
  /** Called for a connection that leads to a server that is read-only: another is taken for it. */
  isReadOnly(client: pg.ClientBase): void;
  close(): void;
}

interface WatchOptions {
  /** How the database is reached, to ask whether it answers. */
  readonly settings: pg.ClientConfig;
  /** A pooler stands between: what it says of PostgreSQL as a connection begins is not of now, and the backend of a connection is unknown. */
  readonly isPooled?: boolean;
  /** Called when trouble begins, and with undefined when it is over. */
  readonly onTrouble?: (trouble: DatabaseTrouble | undefined) => void;
}

/** What was seen of a connection. */
interface Seen {
  readonly writes: boolean;
  bytes: number;
  /** When it last got on, or had nothing to do. */
  at: number;
  /** How often PostgreSQL has said that it is not at work for it. */
  forgotten: number;
}

/** What PostgreSQL says of its work. */
interface Work {
  /** The backends that are at it, of those that were asked about. */
  readonly working: ReadonlySet<number>;
  /** Whether a commit has waited for a synchronous standby for long: it is on this disk, and unacknowledged. */
  readonly unreplicated: boolean;
}

/** Costs nothing but a look at each connection now and then, until one of them waits for long. */
export function watchDatabase(options: WatchOptions): DatabaseWatch {
  const { settings, isPooled = false, onTrouble = () => undefined } = options;
  const clients = new Map<pg.Client, Seen>();
  const lookMs = Math.min(LOOK_MS, (settings.query_timeout ?? LOOK_MS) / 2);
  const closing = new AbortController();
  let looking: NodeJS.Timeout | undefined;
  let inquiry: Promise<void> | undefined;
  let away: 'SILENT' | 'UNREPLICATED' | undefined;
  let reported: { trouble: DatabaseTrouble; expiry: NodeJS.Timeout } | undefined;

  const begins = (client: pg.Client, writes: boolean): void => {
    clients.set(client, { writes, bytes: 0, at: performance.now(), forgotten: 0 });
    looking ??= setInterval(look, lookMs).unref();
    client.once('end', () => {
      clients.delete(client);
      if (clients.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    });
    client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      const trouble = troubleOf(code);
      if (trouble === undefined || (trouble === 'READ_ONLY' && !writes)) return;
      if (trouble === 'READ_ONLY') isReadOnly(client);
      else report(trouble);
    });
  };

  /** Another connection may lead to a server that can be written to. */
  function isReadOnly(client: pg.ClientBase): void {
    report('READ_ONLY');
    void (client as pg.Client).end();
  }

  function report(trouble: DatabaseTrouble): void {
    if (closing.signal.aborted) return;
    if (reported?.trouble !== trouble && away === undefined) onTrouble(trouble);
    clearTimeout(reported?.expiry);
    reported = { trouble, expiry: setTimeout(forget, TROUBLE_MS).unref() };
  }

  function forget(): void {
    clearTimeout(reported?.expiry);
    if (reported !== undefined && away === undefined) onTrouble(undefined);
    reported = undefined;
  }

  /** The connections that have waited for an answer for too long. */
  function unanswered(): pg.Client[] {
    const now = performance.now();
    const found: pg.Client[] = [];
    for (const [client, seen] of clients) {
      if (!isConnected(client)) continue; // which has a time limit of its own
      const bytes = bytesRead(client);
      if (!isBusy(client) || bytes !== seen.bytes) Object.assign(seen, { bytes, at: now, forgotten: 0 });
      else if (now - seen.at >= UNANSWERED_MS) found.push(client);
    }
    return found;
  }

  function look(): void {
    endLate(clients);
    if (inquiry === undefined && unanswered().length > 0) inquiry = inquire().finally(() => (inquiry = undefined));
  }

  async function inquire(): Promise<void> {
    const waiting = unanswered();
    try {
      const { working, unreplicated } = await workOf(waiting.map(backendOf));
      if (unreplicated) await untilItCommits();
      else if (!isPooled) endForgotten(waiting, working);
    } catch (error) {
      const stillWaits = unanswered().length > 0;
      if (stillWaits && !isFull(error) && !closing.signal.aborted) await untilItAnswers();
    }
  }

  /** A connection is dead when PostgreSQL, in two looks, was not at work for it. Who knows then about those that are idle? */
  function endForgotten(waiting: readonly pg.Client[], working: ReadonlySet<number>): void {
    const still = new Set(unanswered());
    const dead = waiting.filter((client) => {
      const seen = clients.get(client);
      if (seen === undefined || !still.has(client) || working.has(backendOf(client))) return false;
      seen.forgotten += 1;
      return seen.forgotten > 1;
    });
    if (dead.length === 0) return;
    for (const client of dead) cut(client);
    for (const client of clients.keys()) if (isConnected(client) && !isBusy(client)) cut(client);
  }

  const untilItAnswers = () => whileAway('SILENT', async () => !(await workOf([]).then(() => true, isFull)));
  /** Reads continue; when it stops answering, they find out. */
  const untilItCommits = () =>
    whileAway('UNREPLICATED', async () => workOf([]).then(({ unreplicated }) => unreplicated, isFull));

  async function whileAway(trouble: NonNullable<typeof away>, isStill: () => Promise<boolean>): Promise<void> {
    away = trouble;
    if (reported === undefined) onTrouble(trouble);
    for (const [client, { writes }] of clients) if (writes || trouble === 'SILENT') cut(client);
    while (!closing.signal.aborted && (await isStill())) {
      await sleep(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
    away = undefined;
    if (reported === undefined && !closing.signal.aborted) onTrouble(undefined);
  }

  /**
   * What PostgreSQL does for these connections, asked over one of its own.
   *
   * @throws when it does not answer in time
   */
  async function workOf(pids: readonly number[]): Promise<Work> {
    const client = new pg.Client({ ...settings, application_name: 'paytag-probe' });
    client.on('error', () => undefined);
    const asked = client.connect().then(async () => {
      const { rows } = await client.query<{ pid: number; unreplicated: boolean }>(AT_WORK, [pids, UNREPLICATED_MS]);
      return {
        working: new Set(rows.map(({ pid }) => pid)),
        unreplicated: rows.some(({ unreplicated }) => unreplicated),
      };
    });
    asked.catch(() => undefined);
    try {
      return await Promise.race([asked, tooLate(PROBE_MS)]);
    } finally {
      cut(client);
    }
  }

  const watcherOf = (writes: boolean) => ({
    refusal: () =>
      away === 'SILENT' || (away !== undefined && writes)
        ? new DatabaseAway('the database does not answer')
        : undefined,
    begins: (client: pg.Client) => begins(client, writes),
    isReadOnly,
    isWritable() {
      if (reported?.trouble === 'READ_ONLY') forget();
    },
  });
  return {
    get trouble() {
      return away ?? reported?.trouble;
    },
    Client: watchedClient(watcherOf(false), { mustWrite: false }),
    WritingClient: watchedClient(watcherOf(true), { mustWrite: !isPooled }),
    isReadOnly,
    close() {
      closing.abort();
      clearInterval(looking);
      clearTimeout(reported?.expiry);
    },
  };
}

const isFull = (error: unknown): boolean => (error as { code?: unknown }).code === TOO_MANY_CONNECTIONS;

/** Rejects after so long, once what came in the meantime has been read: this process may have been held up itself. */
async function tooLate(afterMs: number): Promise<never> {
  await sleep(afterMs, undefined, { ref: false });
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the database did not answer in time');
}
