import { isStalePlan } from '#lib/stale-plan.ts';

/** SQLSTATEs and socket errors that mean the database was not there or gave up waiting, as opposed to: it said no. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '53300', // too many connections
  '57P01', // shut down by the administrator
  '57P02', // crash
  '57P03', // starting up
  '57P05', // idle connection timeout
  '57014', // statement timeout
  '55P03', // lock timeout
  '25P03', // idle transaction timeout
  '25P04', // transaction timeout
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

/**
 * True when the error, or what caused it, is the database being away, or changed by a migration while this process runs: the
 * request is safe to send again, and done once.
 */
export function isStoreDown(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && (codes.has(code) || code.startsWith('08'))) return true;
    const { message } = at;
    if (texts.some((text) => message.includes(text))) return true;
  }
  return false;
}
