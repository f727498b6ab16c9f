import createClient from 'openapi-fetch';
import { PayTagError } from './paytag-error.js';
import { canBeRepeated } from './send.js';

/**
 * What calls the operations of one OpenAPI document: each method gives what the operation answers, or throws a PayTagError.
 *
 * @param {object} given
 * @param {string} given.baseUrl
 * @param {Record<string, string>} given.headers sent with every call
 * @param {(request: Request, repeatable: boolean) => Promise<Response>} given.send
 * @param {(answer: any) => unknown} [given.read] takes what is asked for out of an answer
 */
export function createCaller({ baseUrl, headers, send, read = (answer) => answer }) {
  /** @type {import('openapi-fetch').Client<any>} */
  const client = createClient({ baseUrl, headers });

  /** @param {string} method */
  const calling =
    (method) =>
    /**
     * @param {string} path
     * @param {Record<string, any>} [options]
     * @returns {Promise<any>} its type is in index.d.ts, by method and path
     */
    async (path, options = {}) => {
      const repeatable = canBeRepeated(method, path);
      const { data, error, response } = await client.request(/** @type {any} */ (method.toLowerCase()), path, {
        ...options,
        parseAs: 'text',
        fetch: (/** @type {Request} */ request) => {
          if (method === 'POST' && repeatable && !request.headers.has('idempotency-key')) {
            request.headers.set('idempotency-key', crypto.randomUUID());
          }
          return send(request, repeatable);
        },
      });
      if (!response.ok) throw new PayTagError(response.status, error, response.headers);
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      return read(isJson ? JSON.parse(String(data)) : data);
    };

  return {
    get: calling('GET'),
    post: calling('POST'),
    put: calling('PUT'),
    delete: calling('DELETE'),
  };
}
