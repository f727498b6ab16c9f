import { keepToken } from './application-token.js';
import { createCaller } from './caller.js';
import { createSend } from './send.js';

export { PayTagConnectionError, PayTagError } from './paytag-error.js';
export { PayTagSignatureError, verifyWebhook } from './verify-webhook.js';

/** @type {typeof import('./index.d.ts').createPayTag} */
export function createPayTag({ baseUrl, clientId, apiKey, ...options }) {
  const send = createSend(options);
  const headers = { 'x-client-id': clientId, 'x-api-key': apiKey };
  return {
    ...createCaller({ baseUrl, headers, send }),
    customer: (token) => createCaller({ baseUrl, headers: { ...headers, authorization: `Bearer ${token}` }, send }),
  };
}

/** @type {typeof import('./index.d.ts').createPayTagApplication} */
export function createPayTagApplication({ baseUrl, clientId, clientSecret, ...options }) {
  const send = createSend(options);
  const anybody = createCaller({ baseUrl, headers: {}, send });
  const body = { client_id: clientId, client_secret: clientSecret };
  const tokens = keepToken(() => anybody.post('/v1/auth/token', { body }));

  /**
   * Sends with the token. One that is not good any more, because it was revoked or our clock is wrong, is replaced once: the server
   * has done nothing for it.
   *
   * @param {Request} request
   * @param {boolean} repeatable
   */
  async function sendWithToken(request, repeatable) {
    const token = await tokens.get();
    request.headers.set('authorization', `Bearer ${token}`);
    const answer = await send(request, repeatable);
    if (answer.headers.get('www-authenticate')?.includes('error="invalid_token"') !== true) return answer;
    tokens.drop(token);
    request.headers.set('authorization', `Bearer ${await tokens.get()}`);
    return send(request, repeatable);
  }
  return createCaller({ baseUrl, headers: {}, send: sendWithToken, read: ({ data }) => data });
}
