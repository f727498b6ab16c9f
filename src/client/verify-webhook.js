import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;
const SECRET_PREFIX = 'whsec_';

/** A webhook is not from PayTag, or is not as it was sent, or was sent too long ago. */
export class PayTagSignatureError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'PayTagSignatureError';
  }
}

/** @type {typeof import('./index.d.ts').verifyWebhook} */
export function verifyWebhook({ body, headers, clientId, secret, toleranceS = TOLERANCE_S }) {
  if (clientId === undefined && secret === undefined) throw new TypeError('verifyWebhook needs clientId or secret');
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  /** @param {string} name */
  const header = (name) => headerOf(headers, name);
  if (clientId !== undefined) checkRSignature(bytes, header('r-signature'), clientId);
  if (secret !== undefined) checkWebhookSignature(bytes, header, secret, toleranceS);
  return { id: header('webhook-id'), ...JSON.parse(Buffer.from(bytes).toString()) };
}

/**
 * `R-Signature`: HMAC-SHA512 of the raw body in hex, keyed with the client id.
 *
 * @param {Uint8Array} body
 * @param {string} signature
 * @param {string} clientId
 */
function checkRSignature(body, signature, clientId) {
  const expected = createHmac('sha512', clientId).update(body).digest('hex');
  if (!isSame(signature, expected)) throw new PayTagSignatureError('R-Signature does not match the body');
}

/**
 * `webhook-signature` of Standard Webhooks: it covers the id and the time too. While a secret is being replaced there are two.
 *
 * @param {Uint8Array} body
 * @param {(name: string) => string} header
 * @param {string} secret
 * @param {number} toleranceS
 */
function checkWebhookSignature(body, header, secret, toleranceS) {
  const timestamp = header('webhook-timestamp');
  const offS = /^\d+$/.test(timestamp) ? Math.abs(Date.now() / 1000 - Number(timestamp)) : Number.POSITIVE_INFINITY;
  if (offS > toleranceS) throw new PayTagSignatureError(`webhook-timestamp is more than ${toleranceS} s off`);
  const key = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64');
  const signed = createHmac('sha256', key)
    .update(`${header('webhook-id')}.${timestamp}.`)
    .update(body);
  const expected = `v1,${signed.digest('base64')}`;
  const signatures = header('webhook-signature').split(' ');
  if (!signatures.some((signature) => isSame(signature, expected))) {
    throw new PayTagSignatureError('webhook-signature does not match the id, the time and the body');
  }
}

/**
 * Compares in a time that tells nothing of where they differ.
 *
 * @param {string} given
 * @param {string} expected
 */
function isSame(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * A header of a `Request`, or of Node's own requests; the empty string where there is none.
 *
 * @param {import('./index.d.ts').WebhookHeaders} headers
 * @param {string} name in lower case
 */
function headerOf(headers, name) {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(' ') : value;
}
