import type { Socket } from 'node:net';
import pg from 'pg';
import { withTimeout } from '../clock.ts';

/** What we use of a client that `pg` does not describe: `test/unit/lib/insides.test.ts` lists it. */
interface Inner {
  readonly _connected: boolean;
  readonly _activeQuery: Asked | null;
  readonly _sentQueryQueue: readonly Asked[];
  readonly _queryQueue: readonly Asked[];
  readonly processID: number | null;
}
const inner = (client: pg.Client): Inner => client as unknown as Inner;

/** What a client asks of its watcher. */
export interface Watcher {
  /** Why nothing new is begun; undefined while it may be. */
  refusal(): Error | undefined;
  /** Called before it connects. */
  begins(client: pg.Client): void;
  /** Called when it has connected, but to a server that cannot be written to: ends it. */
  isReadOnly(client: pg.Client): void;
  /** Called when it has connected to one that can. */
  isWritable(): void;
}

interface Parameter {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export type Connected = (error: Error | null, client?: pg.Client) => void;
export type ClientClass = new (config?: pg.ClientConfig) => pg.Client;

/** A connection that has begun, and is not beginning any more. */
export const isConnected = (client: pg.Client): boolean => inner(client)._connected;

/** Whether a statement has not been answered yet. */
export function isBusy(client: pg.Client): boolean {
  const { _activeQuery, _sentQueryQueue } = inner(client);
  return Boolean(_activeQuery) || _sentQueryQueue.length > 0;
}

/** How PostgreSQL calls the process that works for this connection. */
export const backendOf = (client: pg.Client): number => inner(client).processID ?? 0;

/** How much has come over the connection. */
export const bytesRead = ({ connection }: pg.Client): number => (connection.stream as unknown as Socket).bytesRead;

/** Ends a connection without a word: every statement on it that has no answer fails. */
export const cut = ({ connection }: pg.Client): void => void connection.stream.destroy();

/** Parameters by which PostgreSQL says, as a connection begins, that it will refuse to write; what each says then. */
const READ_ONLY_PARAMETERS = new Set(['in_hot_standby', 'default_transaction_read_only']);

const readOnlyError = (): Error =>
  Object.assign(new Error('the database is read-only: the connection is not taken'), { code: '25006' });

/**
 * A client whose connection is watched.
 *
 * @param mustWrite refuses a server that cannot be written to, as libpq does with `target_session_attrs=read-write`
 */
export function watchedClient(watcher: Watcher, { mustWrite }: { mustWrite: boolean }): ClientClass {
  class WatchedClient extends pg.Client {
    readonly #readOnly = new Set<string>();
    readonly answerMs: number;

    constructor(config?: pg.ClientConfig) {
      super({ ...config, query_timeout: 0 });
      this.answerMs = config?.query_timeout ?? Number.POSITIVE_INFINITY;
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
        if (!READ_ONLY_PARAMETERS.has(parameterName)) return;
        if (parameterValue === 'on') this.#readOnly.add(parameterName);
        else this.#readOnly.delete(parameterName);
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined) {
        return new Promise((resolve, reject) => {
          this.connect((error) => (error ? reject(error) : resolve(this)));
        });
      }
      const refusal = watcher.refusal();
      if (refusal !== undefined) {
        process.nextTick(callback, refusal);
        return undefined;
      }
      watcher.begins(this);
      super.connect((error: Error | null) => {
        if (error || !mustWrite) return callback(error, this);
        if (this.#readOnly.size === 0) {
          watcher.isWritable();
          return callback(null, this);
        }
        watcher.isReadOnly(this);
        callback(readOnlyError());
      });
      return undefined;
    }
  }
  Object.defineProperty(WatchedClient.prototype, 'query', { value: askNotingWhen, writable: true });
  return WatchedClient;
}

/** How long a client waits for an answer, by its `query_timeout`. */
const answerMsOf = (client: pg.Client): number =>
  (client as pg.Client & { answerMs?: number }).answerMs ?? Number.POSITIVE_INFINITY;

/** A client that sends every statement with its text and leaves none prepared: for a pooler that would give them to others. */
export function withoutPreparing(Client: ClientClass): ClientClass {
  class Unprepared extends Client {}
  const { query } = Client.prototype as unknown as { query: (this: pg.Client, ...asked: unknown[]) => unknown };
  const value: typeof query = function ask(statement, ...rest) {
    return query.call(this, unnamed(statement), ...rest);
  };
  Object.defineProperty(Unprepared.prototype, 'query', { value, writable: true });
  return Unprepared;
}

function unnamed(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  if (!('submit' in statement)) return { ...statement, name: undefined };
  statement.name = '';
  return statement;
}

/** A statement, as node-postgres keeps it while it waits for its answer. */
export interface Asked {
  askedAt?: number;
  callback?: Answered | undefined;
  submit?: unknown;
}
type Answered = (error: Error | null, answer?: unknown) => void;

const Query = pg.Query as unknown as new (statement: unknown, values: unknown, answered: unknown) => Asked;
type Ask = (this: pg.Client, statement: unknown, values?: unknown, answered?: unknown) => unknown;
const clientPrototype = pg.Client.prototype as unknown as { query: Ask };

/**
 * As `query` of node-postgres, which has a timer for each statement and a promise of its own: what they close over kept a fifth
 * of all requests in memory until the next collection of everything, and took a third of the processor time of a read. Here a
 * statement only says when it was asked; `endLate`, which looks at all connections once a second, ends what is late.
 */
const askNotingWhen: Ask = function askNotingWhen(statement, values, answered) {
  if (typeof (statement as Asked).submit === 'function') {
    (statement as Asked).askedAt = performance.now();
    return clientPrototype.query.call(this, statement, values, answered);
  }
  if (typeof values === 'function' || typeof answered === 'function') {
    noting(this, new Query(statement, values, answered));
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const settle: Answered = (error, answer) => (error ? reject(error) : resolve(answer));
    noting(this, new Query(statement, values, settle));
  }).catch(withOurStack);
};

function noting(client: pg.Client, asked: Asked): void {
  asked.askedAt = performance.now();
  clientPrototype.query.call(client, asked);
}

/** The stack leads to the socket that the error came from: one that leads to the caller says more. */
function withOurStack(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/**
 * Has what waited for longer than its connection is to be waited for fail, and ends the connection. First what has come is read:
 * this process may have been held up itself.
 */
export function endLate(clients: ReadonlyMap<pg.Client, unknown>): void {
  if (![...clients.keys()].some((client) => lateOn(client).length > 0)) return;
  setImmediate(() => {
    for (const client of clients.keys()) {
      const late = lateOn(client);
      if (late.length === 0) continue;
      for (const asked of late) giveUp(asked);
      cut(client);
    }
  });
}

function lateOn(client: pg.Client): Asked[] {
  const before = performance.now() - answerMsOf(client);
  const isLate = ({ askedAt = Number.POSITIVE_INFINITY }: Asked) => askedAt <= before;
  const { _activeQuery: active, _sentQueryQueue: sent, _queryQueue: queued } = inner(client);
  if (active === null || !isLate(active)) return []; // they are answered in turn: it was asked first
  return [active, ...sent, ...queued].filter(isLate);
}

function giveUp(asked: Asked): void {
  const { callback } = asked;
  asked.callback = () => undefined;
  callback?.(new Error('Query read timeout'));
}

const END_MAX_MS = 1_000;

/**
 * Ends a connection in good order, and cuts it when that takes too long: the other end may not answer any more. Never rejects.
 *
 * @param maxMs with the time that what was asked may still take
 */
export async function endClient(client: pg.Client, maxMs: number = END_MAX_MS): Promise<void> {
  const ended = client.end().then(
    () => true,
    () => false,
  );
  if ((await withTimeout(ended, maxMs)) !== true) cut(client);
}
