import pg from 'pg';
import type { Meter } from '../meter.ts';
import { currentSpan, keepSpan, type Span, startSpan } from '../tracing.ts';

/** What of a client or a pool is replaced here, without the many ways in which it can be called. */
type Ask = (...given: unknown[]) => unknown;
type Done = (error: unknown, ...rest: unknown[]) => void;

/** Measures what a pool has and gives, and every statement on its connections. @param name for the metrics */
export function measurePool(pool: pg.Pool, name: string, metrics: Meter): void {
  const labels = { db_client_connection_pool_name: name };
  metrics.watch('db_client_connection_count', () => [
    { labels: { ...labels, db_client_connection_state: 'used' as const }, value: pool.totalCount - pool.idleCount },
    { labels: { ...labels, db_client_connection_state: 'idle' as const }, value: pool.idleCount },
  ]);
  metrics.watch('db_client_connection_max', () => [{ labels, value: pool.options.max }]);
  metrics.watch('db_client_connection_pending_requests', () => [{ labels, value: pool.waitingCount }]);
  measure(
    pool as unknown as { connect: Ask },
    'connect',
    metrics.observer('db_client_connection_wait_time_seconds', labels),
  );
  const measured = measuredStatements(metrics);
  pool.on('connect', (client) => measureStatements(client, measured));
}

/** Measures the statements of one connection. */
function measureStatements(client: pg.ClientBase, measured: Statements): void {
  const ended = (seconds: number, error: unknown, [statement]: readonly unknown[]) =>
    measured(statement, seconds, error);
  measure(client as unknown as { query: Ask }, 'query', ended, ([statement]) => beginStatement(statement));
}

/** Records of each statement how long it took, and how it failed. */
export type Statements = (statement: unknown, seconds: number, error?: unknown) => void;

export function measuredStatements(metrics: Meter): Statements {
  /** By what a statement does: found once, as they come all the time. */
  const answered = new Map<string, (seconds: number) => void>();
  return (statement, seconds, error) => {
    const operation = operationOf(statement);
    if (error !== undefined) {
      const labels = { db_operation_name: operation, error_type: errorTypeOf(error) };
      metrics.observe('db_client_operation_duration_seconds', labels, seconds);
      return;
    }
    let observe = answered.get(operation);
    if (observe === undefined) {
      const labels = { db_operation_name: operation, error_type: undefined };
      answered.set(operation, (observe = metrics.observer('db_client_operation_duration_seconds', labels)));
    }
    observe(seconds);
  };
}

/** Wraps a method that answers by a callback or a promise: it reports how long each call took, and how it failed. */
function measure<Name extends string>(
  on: { [N in Name]: Ask },
  name: Name,
  ended: (seconds: number, error: unknown, given: readonly unknown[]) => void,
  begin: (given: readonly unknown[]) => Span | undefined = () => undefined,
): void {
  const of = Object.getPrototypeOf(on) as { [N in Name]: Ask };
  const ask: Ask = (...given) => of[name].apply(on, given); // looked up each time: a test may replace it
  on[name] = (...given) => {
    const beganAt = performance.now();
    const span = begin(given);
    const end = (error?: unknown) => {
      ended((performance.now() - beganAt) / 1000, error, given);
      span?.end(error === undefined ? undefined : failureOf(error));
    };
    const last = given.length - 1;
    const done = given[last];
    if (typeof done !== 'function') {
      const answer = ask(...given);
      if (answer instanceof Promise) answer.then(() => end(), end);
      return answer;
    }
    const measured: Done = (error, ...rest) => {
      end(error ?? undefined);
      (done as Done)(error, ...rest);
    };
    return ask(...given.slice(0, last), keepSpan(measured));
  };
}

const FIRST_WORD = /^\s*(\w+)/;
const OPERATIONS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SET']);

/** Of prepared statements, which come again and again, by their name. */
const operations = new Map<string, string>();

/** What a statement does, by its first word. */
function operationOf(statement: unknown): string {
  const { name } = statement as { name?: unknown };
  if (typeof name !== 'string' || name === '') return readOperation(statement);
  let known = operations.get(name);
  if (known === undefined) operations.set(name, (known = readOperation(statement)));
  return known;
}

function readOperation(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text?: unknown }).text;
  const word = typeof text === 'string' ? FIRST_WORD.exec(text)?.[1]?.toUpperCase() : undefined;
  return word !== undefined && OPERATIONS.has(word) ? word : 'other';
}

/** By its name, where it has one; never its text or its values. */
export function beginStatement(statement: unknown): Span | undefined {
  if (currentSpan() === undefined) return undefined;
  const operation = operationOf(statement);
  const { name } = statement as { name?: unknown };
  const summary = typeof name === 'string' && name !== '' ? name : operation;
  return startSpan(summary, {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.summary': summary },
  });
}

/** PostgreSQL's code, or what became of the connection. */
export const failureOf = (error: unknown): string =>
  error instanceof pg.DatabaseError ? (error.code ?? 'other') : errorTypeOf(error);

/** The class of PostgreSQL's code: 23 a constraint, 40 a conflict, 57 an operator's intervention, and so on. */
function errorTypeOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code?.slice(0, 2) ?? 'other';
  return /timeout/i.test(String(error)) ? 'timeout' : 'connection';
}
