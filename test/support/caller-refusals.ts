import { describe, expect, it } from 'vitest';
import type { TestApp } from './app.ts';
import { customerToken, newCustomer } from './onboarding.ts';

type Method = Parameters<TestApp['call']>[0];
type Headers = Record<string, string>;

/** Whoever is not a partner; what is changed of a partner's headers. */
const noPartners: [who: string, change: Headers, errorCode: string][] = [
  ['without a client id', { 'x-client-id': '' }, 'INVALID_CREDENTIALS'],
  ['without an API key', { 'x-api-key': '' }, 'INVALID_CREDENTIALS'],
  ['with a client id that is unknown', { 'x-client-id': 'pc_unknown' }, 'INVALID_CREDENTIALS'],
  ['with a key that is wrong', { 'x-api-key': 'sk_sandbox_wrong' }, 'INVALID_CREDENTIALS'],
];
const strangers = {
  partner: noPartners,
  customer: [
    ...noPartners,
    ['without a customer token', { authorization: '' }, 'INVALID_CUSTOMER_TOKEN'],
    ['with a token that we did not sign', { authorization: 'Bearer x.y.z' }, 'INVALID_CUSTOMER_TOKEN'],
  ] satisfies typeof noPartners,
};

/**
 * The blocks 401 and 403 of an operation, which are those of every operation that asks for the same caller.
 *
 * @param caller a partner alone, or with the token of one of its customers
 */
export function refuseOtherCallers(
  server: TestApp,
  method: Method,
  url: string,
  caller: keyof typeof strangers = 'partner',
): void {
  const answerTo = async (headers: Headers) => {
    const answer = await server.call(method, url, { headers });
    return [answer.statusCode, answer.json<{ errorCode: string }>().errorCode];
  };
  const credentials = async (): Promise<{ id: string; headers: Headers }> => {
    const partner = await server.newPartner();
    if (caller === 'partner') return partner;
    const { paytag } = await newCustomer(server, partner);
    const authorization = `Bearer ${await customerToken(server, partner, paytag)}`;
    return { id: partner.id, headers: { ...partner.headers, authorization } };
  };

  describe('401', () => {
    it.each(strangers[caller])('knows nobody %s', async (_, change, errorCode) => {
      const { headers } = await credentials();
      expect(await answerTo({ ...headers, ...change })).toEqual([401, errorCode]);
    });
  });

  describe('403', () => {
    it('turns a suspended partner away, with whomever it sends', async () => {
      const { id, headers } = await credentials();
      await server.operate('POST', `/partners/${id}/suspend`, { reason: 'a complaint' });
      expect(await answerTo(headers)).toEqual([403, 'PARTNER_SUSPENDED']);
    });
  });
}
