import type { Duplex } from 'node:stream';
import pg from 'pg';
import { DomainError } from '../domain-error.ts';
import type { Meter } from '../meter.ts';
import { keepSpan } from '../tracing.ts';
import { type ClientClass, endClient, isBusy } from './client.ts';
import { isSpent, isStalePlan } from './failures.ts';
import { beginStatement, failureOf, measuredStatements } from './measured.ts';
import { DatabaseAway } from './watch.ts';

/**
 * Reads outside a transaction, over connections that all of them share: each is sent at once, without waiting for the
 * answers before it (the pipeline of PostgreSQL's protocol). Such a connection can only read, and no transaction runs on it.
 */
export interface Reads {
  /**
   * Runs a prepared statement. When the connection breaks before the answer, or is from before a migration that changed what
   * the statement answers, it is asked again on a new one. When PostgreSQL refuses it by its own state, such as a full disk, the
   * caller gets the error, and the connection is not used again.
   *
   * @throws DomainError BUSY when too many wait already
   */
  query(query: PreparedText, values?: unknown[]): Promise<Answer>;
  /** Ends the connections once what is under way has been answered. */
  close(): Promise<void>;
}

/** Two, so that a slow read keeps no more than half of the others waiting. */
const CONNECTIONS = 2;
/** While all of them have answered nothing for so long, another is opened, and kept, up to so many. */
const ALL_STALL_MS = 250;
const CONNECTIONS_MAX = 4;
/** The most reads that wait for an answer at once. */
const WAITING_MAX = 4_000;

/** How long what is under way may take when the connections are ended. */
const LAST_MAX_MS = 6_000;

/** While both are busy, reads of one turn of the event loop go out together over one of them, up to so many. */
const TOGETHER_MAX = 8;

/** A connection that has answered nothing for so long is kept by a slow read; others go round it. */
const STALL_MS = 20;

/** A pending read. */
interface Asked {
  readonly query: PreparedText;
  readonly values: unknown[];
  /** How often it was asked in vain. */
  readonly tried: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Connection {
  readonly client: Promise<pg.Client>;
  /** The same, once it is. */
  connected: pg.Client | undefined;
  waiting: number;
  /** Reads that were asked over it in the turn of the event loop in which the last one was. */
  together: number;
  /** When it last answered, or was given something to do. */
  progressAt: number;
  isBroken: boolean;
}

/**
 * Connects when the first read comes, and again whenever a connection broke.
 *
 * @param Client whose connections are looked after
 * @param onError called when a connection breaks; the next read opens another
 */
export function openReads(
  settings: pg.ClientConfig,
  Client: ClientClass,
  onError: (error: Error) => void,
  metrics?: Meter,
): Reads {
  const connections: Connection[] = [];
  let waiting = 0;
  let isClosed = false;
  const measured = metrics && measuredStatements(metrics);
  const labels = { db_client_connection_pool_name: settings.application_name };
  metrics?.watch('db_client_connection_count', () => [
    { labels: { ...labels, db_client_connection_state: 'used' as const }, value: connections.length },
  ]);
  metrics?.watch('db_client_connection_max', () => [{ labels, value: CONNECTIONS_MAX }]);

  function forget(connection: Connection): void {
    connection.isBroken = true;
    const at = connections.indexOf(connection);
    if (at >= 0) connections.splice(at, 1);
  }

  function connect(): Connection {
    const client = new Client({ ...settings, pipeline: true });
    const connected = client.connect().then(() => (connection.connected = client));
    const connection: Connection = {
      client: connected,
      connected: undefined,
      waiting: 0,
      together: 0,
      progressAt: 0,
      isBroken: false,
    };
    connections.push(connection);
    client.on('error', (error) => {
      if (!connection.isBroken && !isClosed) onError(error);
      forget(connection);
    });
    client.on('end', () => forget(connection));
    connection.client.catch(() => forget(connection)); // each read that waits for it fails
    return connection;
  }

  const stalls = ({ waiting: asked, progressAt }: Connection, now: number, ms: number): boolean =>
    asked > 0 && progressAt < now - ms;

  /** A connection that can take one more read in the write that it is about to make. */
  function takesOneMore({ connected, together }: Connection): boolean {
    return connected !== undefined && together < TOGETHER_MAX && isGathering(connected);
  }

  /** One that does not stall before one that does; of those an idle one, else one that is about to write, else the less busy. */
  function costOf(one: Connection, now: number): number {
    if (stalls(one, now, STALL_MS)) return WAITING_MAX + one.waiting;
    return one.waiting > 0 && takesOneMore(one) ? 0.5 : one.waiting;
  }

  function leastBusy(now: number): Connection {
    if (connections.length < CONNECTIONS) return connect();
    let best: Connection | undefined;
    let least = Number.POSITIVE_INFINITY;
    let allStall = true;
    for (const one of connections) {
      allStall &&= stalls(one, now, ALL_STALL_MS);
      const cost = costOf(one, now);
      if (cost < least) [best, least] = [one, cost];
    }
    return best === undefined || (allStall && connections.length < CONNECTIONS_MAX) ? connect() : best;
  }

  /** Whether a read that failed on a connection is asked again, on a new one. */
  function mayAskAgain(error: unknown, connection: Connection, client: pg.Client, tried: number): boolean {
    const isStale = isStalePlan(error);
    const isFinal = isStale ? tried >= CONNECTIONS : tried > 0 || !hasBroken(error);
    if (isFinal || isClosed) return false;
    if (isStale) retire(connection, client);
    else forget(connection);
    return true;
  }

  /** Nothing more is asked over it, and it ends once what others have asked there is answered. */
  function retire(connection: Connection, client: pg.Client): void {
    if (!connection.isBroken) void client.end();
    forget(connection);
  }

  function ask(asked: Asked): void {
    const now = performance.now();
    const connection = leastBusy(now);
    if (connection.waiting === 0) connection.progressAt = now;
    connection.waiting += 1;
    waiting += 1;
    if (connection.connected !== undefined) {
      send(asked, connection, connection.connected);
      return;
    }
    connection.client.then(
      (client) => send(asked, connection, client),
      (error: unknown) => {
        isOver(connection, performance.now());
        asked.reject(error);
      },
    );
  }

  function isOver(connection: Connection, now: number): void {
    waiting -= 1;
    connection.waiting -= 1;
    connection.progressAt = now;
  }

  function send(asked: Asked, connection: Connection, client: pg.Client): void {
    const { query, values, tried } = asked;
    connection.together = isGathering(client) ? connection.together + 1 : 1;
    const span = beginStatement(query);
    const beganAt = performance.now();
    const answered = (error: Error | null, answer?: Answer): void => {
      const now = performance.now();
      isOver(connection, now);
      measured?.(query, (now - beganAt) / 1000, error ?? undefined);
      span?.end(error ? failureOf(error) : undefined);
      if (error === null) asked.resolve(answer as Answer);
      else if (mayAskAgain(error, connection, client, tried)) ask({ ...asked, tried: tried + 1 });
      else {
        if (isSpent(error) && !isClosed) retire(connection, client);
        asked.reject(error);
      }
    };
    askPrepared(client, query, values, keepSpan(answered));
  }

  return {
    query(query, values = []) {
      return new Promise((resolve, reject) => {
        if (isClosed) throw new Error('Cannot use a pool after calling end');
        if (waiting >= WAITING_MAX) {
          throw new DomainError('BUSY', 'too many reads at once: send the same request again', { retryAfterS: 1 });
        }
        ask({ query, values, tried: 0, resolve, reject });
      });
    },
    async close() {
      isClosed = true;
      const clients = await Promise.allSettled(connections.map(({ client }) => client));
      await Promise.all(
        clients.map(async (one) => {
          if (one.status === 'fulfilled') await endClient(one.value, isBusy(one.value) ? LAST_MAX_MS : undefined);
        }),
      );
    },
  };
}

/** The connection broke, which another need not: as opposed to a refusal by PostgreSQL, or a time limit. */
const hasBroken = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError || error instanceof DatabaseAway || /timeout/.test(String(error)));

/**
 * A prepared statement on a pipelined connection, for less than node-postgres takes for one. What a statement's rows look like
 * is asked once on each connection, where node-postgres has it described and reads the description each time; PostgreSQL
 * refuses a statement whose rows have changed since (`cached plan must not change result type`). And what is asked in one
 * turn of the event loop goes out together, in one write to the socket.
 */
function askPrepared(client: pg.Client, query: PreparedText, values: unknown[], answered: Answered): void {
  client.query(new PreparedQuery(query, values) as unknown as pg.QueryConfig, answered as () => void);
}

/** Called once, with an error or with the answer. */
export type Answered = (error: Error | null, answer?: Answer) => void;

/** A statement with its name, and how node-postgres is to read its rows. */
export interface PreparedText {
  readonly name: string;
  readonly text: string;
  readonly rowMode?: 'array';
  readonly types?: pg.CustomTypesConfig;
}

/** What reads use of a result of node-postgres. */
export interface Answer {
  readonly rows: unknown[];
}

/** How the rows of a statement are read. */
interface RowReader {
  addFields(fields: readonly unknown[]): void;
  parseRow(fields: readonly (string | null)[]): unknown;
}

/** What we use of a connection of node-postgres, as its own queries and `pg-cursor` do. */
interface Wire {
  readonly stream: Duplex;
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
const Result = pg.Result as unknown as new (rowMode: string | undefined, types: unknown) => RowReader;
/** By connection and name of the statement: kept for as long as the statement is prepared there. */
const readers = new WeakMap<Wire, Map<string, RowReader>>();

function readersOf(connection: Wire): Map<string, RowReader> {
  let known = readers.get(connection);
  if (known === undefined) readers.set(connection, (known = new Map()));
  return known;
}

class PreparedQuery {
  /** Empty where nothing is left prepared: then it is parsed each time. */
  name: string;
  readonly text: string;
  /** Set by the client that it is given to. */
  callback: Answered | undefined;
  readonly #query: PreparedText;
  readonly #values: unknown[];
  readonly #rows: unknown[] = [];
  #known: Map<string, RowReader> | undefined;
  #reader: RowReader | undefined;
  #failure: Error | undefined;

  constructor(query: PreparedText, values: unknown[]) {
    this.name = query.name;
    this.text = query.text;
    this.#query = query;
    this.#values = values;
  }

  submit(connection: Wire): Error | null {
    const { name, text } = this;
    this.#known = readersOf(connection);
    this.#reader = this.#known.get(name || text);
    sendTogether(connection.stream);
    if (name === '') connection.parse({ name, text });
    else if (
      connection.parsedStatements[name] === undefined &&
      connection.submittedNamedStatements[name] === undefined
    ) {
      connection.parse({ name, text });
      connection.submittedNamedStatements[name] = text;
    }
    try {
      connection.bind({ statement: name, values: this.#values, valueMapper: prepareValue });
    } catch (error) {
      connection.sync(); // what was sent is answered, and so is this
      this.#failure = error as Error;
      return null;
    }
    if (this.#reader === undefined) connection.describe({ type: 'P' });
    connection.execute();
    connection.sync();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly unknown[] }): void {
    this.#reader = new Result(this.#query.rowMode, this.#query.types);
    this.#reader.addFields(fields);
    this.#known?.set(this.name || this.text, this.#reader);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#failure !== undefined) return;
    try {
      this.#rows.push(this.#reader?.parseRow(fields));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.#end(this.#failure ?? error);
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) this.handleError(this.#failure);
    else this.#end(null, { rows: this.#rows });
  }

  #end(error: Error | null, answer?: Answer): void {
    const { callback } = this;
    this.callback = undefined;
    callback?.(error, answer);
  }
}

// Only what descends from its own may be pipelined: other queries could keep a portal open, and this one keeps none. What its own
// prepares for each query, this one does not need.
Object.setPrototypeOf(PreparedQuery.prototype, pg.Query.prototype);

const gathering = new WeakSet<Duplex>();

/** Whether a connection was used in this turn of the event loop: the next read is sent with it. */
const isGathering = ({ connection }: pg.Client): boolean => gathering.has(connection.stream);

/** Keeps what is written to a socket in this turn of the event loop, until all who are answered in it have asked theirs. */
function sendTogether(stream: Duplex): void {
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  setImmediate(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
