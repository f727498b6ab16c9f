/** The server refused. `errorCode` says why, in the words of the guide of errors. */
export class PayTagError extends Error {
  /**
   * @param {number} status
   * @param {unknown} body the members of every failure; whatever came, when something between us and the server answered
   * @param {Headers} headers
   */
  constructor(status, body, headers) {
    const { message, errorCode, errors, requestId } = membersOf(body);
    super(typeof message === 'string' ? message : `The answer has the status ${status}`);
    this.name = 'PayTagError';
    this.status = status;
    this.errorCode = typeof errorCode === 'string' ? errorCode : '';
    this.errors = Array.isArray(errors) ? errors.map(String) : [];
    this.requestId = typeof requestId === 'string' ? requestId : (headers.get('x-request-id') ?? '');
    /** @type {number | undefined} */
    this.retryAfterS = retryAfterS(headers);
  }
}

/**
 * No answer came, however often the request was repeated. What was asked may have been done: ask for it again under the same
 * reference, or the same Idempotency-Key.
 */
export class PayTagConnectionError extends Error {
  /**
   * @param {string} message
   * @param {unknown} cause
   */
  constructor(message, cause) {
    super(message, { cause });
    this.name = 'PayTagConnectionError';
  }
}

/**
 * The seconds that an answer asks to wait, or undefined.
 *
 * @param {Headers} headers
 */
export function retryAfterS(headers) {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/**
 * @param {unknown} body
 * @returns {Record<string, unknown>}
 */
const membersOf = (body) => (typeof body === 'object' && body !== null ? { ...body } : {});
