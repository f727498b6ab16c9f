import { isStalePlan } from '#lib/postgres/failures.ts';
import { DatabaseAway } from '#lib/postgres/watch.ts';

/** Classes of SQLSTATEs, and socket errors, that mean the database was not there or could not, as opposed to: it said no. */
const classes = new Set([
  '08', // the connection
  '28', // it does not let us in
  '53', // no disk, memory or connection left
  '57', // shut down, starting up, a statement that took too long
  '58', // its files or its system
]);

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006', // read-only, e.g. since a failover
  '25P02', // the rest of a transaction of which a statement failed
  '25P03', // idle transaction timeout
  '25P04', // transaction timeout
  '3D000', // the database is not there, e.g. while it is restored
  '40001', // serialisation failure
  '40003', // nobody knows whether it was done
  '40P01', // deadlock
  '55P03', // lock timeout
]);

/** What node-postgres says without a code. */
const texts = [
  'Connection terminated',
  'is not queryable', // the rest of a transaction whose connection broke
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end',
];

const isSqlState = (code: string): boolean => /^[\dA-Z]{5}$/.test(code);

/**
 * True when the error, or what caused it, is the database being away or in no state to work, or changed by a migration while this
 * process runs: the request is safe to send again, and done once.
 */
export function isStoreDown(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof DatabaseAway) return true;
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string') {
      if (codes.has(code) || (isSqlState(code) && classes.has(code.slice(0, 2)))) return true;
    }
    const { message } = at;
    if (texts.some((text) => message.includes(text))) return true;
  }
  return false;
}
