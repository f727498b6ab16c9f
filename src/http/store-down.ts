/** SQLSTATEs and socket errors that mean the database was not there, as opposed to: it said no. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '53300', // too many connections
  '57P01', // shut down by the administrator
  '57P02', // crash
  '57P03', // starting up
  '57014', // statement timeout
]);

const texts = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end',
];

/** True when the error, or what caused it, is the database being away: the request is safe to send again. */
export function isStoreDown(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && (codes.has(code) || code.startsWith('08'))) return true;
    const { message } = at;
    if (texts.some((text) => message.includes(text))) return true;
  }
  return false;
}
