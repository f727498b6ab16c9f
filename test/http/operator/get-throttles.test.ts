import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { newOperator } from '../../support/operators.ts';
import { throttledLogin, throttlesOf } from '../../support/throttled.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useApp({ RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: '2' });
const namesOf = async (query: string) => (await throttlesOf(server, query)).map(({ name }) => name);

describe('200', () => {
  it('what is refused now, that first which opens last, by what is counted or of whom; nothing that says who somebody is', async () => {
    const { partner, paytag, throttle } = await throttledLogin(server);
    for (let guess = 0; guess < 3; guess += 1) {
      const headers = { authorization: `Bearer op_sandbox_${'x'.repeat(43)}` };
      await server.call('GET', '/operator/v1/overview', { headers });
    }
    const viewer = await newOperator(server, 'viewer');
    const answer = await viewer.operate('GET', '/throttles');
    expect(answer.json()).toMatchObject({ count: 2, items: [{ name: 'wrong operator tokens', about: [] }, throttle] });
    expect(throttle).toMatchObject({ name: 'logins', about: [partner.id], spent: 5 });
    for (const secret of [paytag, '127.0.0.1']) expect(answer.body).not.toContain(secret);

    expect(await namesOf('name=logins')).toEqual(['logins']);
    expect(await namesOf(`about=${partner.id}`)).toEqual(['logins']);
    expect(await namesOf(`about=${viewer.id}`)).toEqual([]);
    const first = (await server.operate('GET', '/throttles?limit=1')).json();
    expect(await namesOf(`limit=1&cursor=${first.nextCursor}`)).toEqual(['logins']);
    server.clock.advance(new Date(throttle.until).getTime() - server.clock.now().getTime());
    expect(await namesOf('')).toEqual(['wrong operator tokens']);
  });
});

describe('200, of many', () => {
  it('an offset passes over as many as it says, also behind the first thousand', async () => {
    const limit = { name: 'planted', points: 1, windowS: 3600 };
    const keys = Array.from({ length: 1_100 }, (_, n) => `planted-${n}`);
    await Promise.all(keys.map((key) => server.resources.throttles.take(limit, key)));
    const { items, count } = (await server.operate('GET', '/throttles?limit=100&offset=1050')).json();
    expect(items).toHaveLength(Math.min(100, count - 1050));
    const past = (await server.operate('GET', '/throttles?offset=20000')).json();
    expect([past.items, past.nextCursor]).toEqual([[], undefined]);
  });

  it('who logged in rightly is not among what is refused', async () => {
    const partner = await server.newPartner();
    await newCustomer(server, partner);
    await loggedIn(server, partner);
    expect(await namesOf(`about=${partner.id}`)).toEqual([]);
  });
});
