import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';

const PER_S = 4;
const MANY = 15 * PER_S;
const server = useApp({ RATE_LIMIT_CALLS_PER_S: String(PER_S) });
beforeAll(() => server.clock.stop());

const flood = (url: string, headers: Record<string, string>) =>
  Promise.all(Array.from({ length: MANY }, () => server.call('GET', url, { headers })));

describe('calls of one credential in a second', () => {
  it('are refused beyond the limit, and another credential’s are not', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const answers = await flood('/v2/partner/float', partner.headers);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(PER_S);
    expect(refused).toHaveLength(MANY - PER_S);
    expect(refused[0]?.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS' });
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await server.call('GET', '/v2/partner/float', { headers: other.headers })).statusCode).toBe(200);
    server.clock.advance(1000);
    expect((await server.call('GET', '/v2/partner/float', { headers: partner.headers })).statusCode).toBe(200);
  });

  it('are counted for the operator as well', async () => {
    const answers = await flood('/operator/v1/deliveries', { authorization: `Bearer ${OPERATOR_TOKEN}` });
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]));
    server.clock.advance(1000);
  });

  it('are not counted for a wrong key: guessing cannot use up a partner’s limit', async () => {
    const partner = await server.newPartner();
    const wrong = await flood('/v2/partner/float', { ...partner.headers, 'x-api-key': 'sk_sandbox_wrong' });
    expect(new Set(wrong.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    expect((await server.call('GET', '/v2/partner/float', { headers: partner.headers })).statusCode).toBe(200);
  });
});
