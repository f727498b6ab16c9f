import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { logIn, newCustomer } from '../../support/onboarding.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { throttledLogin, throttlesOf } from '../../support/throttled.ts';
import { loggedIn } from '../../support/wallets.ts';

const server = useApp({ RATE_LIMIT_WRONG_OPERATOR_TOKENS_PER_M: '2' });

describe('GET /throttles', () => {
  const namesOf = async (query: string) => (await throttlesOf(server, query)).map(({ name }) => name);

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
});

describe('POST /throttles/{id}/lift', () => {
  const alone = useApp({ RATE_LIMIT_FINDS_PER_H: '1' });
  const REASON = { reason: 'the customer called' };
  const lift = (by: Pick<TestOperator, 'operate'>, id = '', body: object = REASON) =>
    by.operate('POST', `/throttles/${id}/lift`, body);

  /** An operator whose searches are used up, and the limit. */
  async function usedUp(role: 'support' | 'admin') {
    const by = await newOperator(alone, role);
    for (let search = 0; search < 2; search += 1) await by.operate('POST', '/customers/find', { paytag: 'ada' });
    const [throttle] = await throttlesOf(alone, `about=${by.id}`);
    return { by, id: throttle?.id ?? '' };
  }

  it('a customer who was kept out logs in at once, and the count begins from zero', async () => {
    const { partner, paytag, throttle } = await throttledLogin(alone);
    expect((await logIn(alone, partner, paytag)).statusCode).toBe(429);
    const answer = await lift(await newOperator(alone, 'support'), throttle.id);
    expect([answer.statusCode, answer.json()]).toEqual([200, throttle]);
    expect(await throttlesOf(alone, `about=${partner.id}`)).toEqual([]);
    expect((await logIn(alone, partner, paytag)).statusCode).toBe(200);
  });

  it('of an operator, by an admin', async () => {
    const { by, id } = await usedUp('support');
    expect((await lift(await newOperator(alone, 'admin'), id)).statusCode).toBe(200);
    expect((await by.operate('POST', '/customers/find', { paytag: 'ada' })).statusCode).toBe(200);
  });

  it('403: what holds operators back, by somebody below admin, and by an admin their own', async () => {
    const [support, admin] = [await usedUp('support'), await usedUp('admin')];
    const another = await newOperator(alone, 'finance');
    expect(refusalOf(await lift(another, support.id))).toEqual([403, 'ROLE_REFUSED']);
    expect(refusalOf(await lift(admin.by, admin.id))).toEqual([403, 'ROLE_REFUSED']);
  });
});
