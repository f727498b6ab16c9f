import type { Socket } from 'node:net';
import pg from 'pg';
import { askNotingWhen } from './ask.ts';

/** A client with what we use of it beside what `pg` describes. */
interface Inner {
  readonly _connected: boolean;
  readonly _activeQuery: unknown;
  readonly _sentQueryQueue: readonly unknown[];
  readonly processID: number | null;
}
const inner = (client: pg.Client): Inner => client as unknown as Inner;

/** What a client asks of whoever looks after it. */
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

/** Ends a connection without a word: what waits for an answer on it fails. */
export const cut = ({ connection }: pg.Client): void => void connection.stream.destroy();

/** Parameters by which PostgreSQL says, as a connection begins, that it will refuse to write; what each says then. */
const READ_ONLY_PARAMETERS = new Set(['in_hot_standby', 'default_transaction_read_only']);

const readOnlyError = (): Error =>
  Object.assign(new Error('the database is read-only: the connection is not taken'), { code: '25006' });

/**
 * A client whose connection somebody looks after.
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
export const answerMsOf = (client: pg.Client): number =>
  (client as pg.Client & { answerMs?: number }).answerMs ?? Number.POSITIVE_INFINITY;

/** What of a client is replaced below, without the many ways in which it can be called. */
type Ask = (this: pg.Client, statement: unknown, ...rest: unknown[]) => unknown;

/** A client that sends every statement with its text and leaves none prepared: for a pooler that would give them to others. */
export function withoutPreparing(Client: ClientClass): ClientClass {
  class Unprepared extends Client {}
  const { query } = Client.prototype as unknown as { query: Ask };
  const value: Ask = function ask(statement, ...rest) {
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
