import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { logIn } from '../../support/onboarding.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { throttledLogin, throttlesOf } from '../../support/throttled.ts';

const server = useApp({ RATE_LIMIT_FINDS_PER_H: '1' });
const REASON = { reason: 'the customer called' };
const lift = (by: Pick<TestOperator, 'operate'>, id = '', body: object = REASON) =>
  by.operate('POST', `/throttles/${id}/lift`, body);

/** An operator whose searches are used up, and the limit. */
async function usedUp(role: 'support' | 'admin') {
  const by = await newOperator(server, role);
  for (let search = 0; search < 2; search += 1) await by.operate('POST', '/customers/find', { paytag: 'ada' });
  const [throttle] = await throttlesOf(server, `about=${by.id}`);
  return { by, id: throttle?.id ?? '' };
}

describe('200', () => {
  it('a customer who was kept out logs in at once, and the count begins from zero', async () => {
    const { partner, paytag, throttle } = await throttledLogin(server);
    expect((await logIn(server, partner, paytag)).statusCode).toBe(429);
    const answer = await lift(await newOperator(server, 'support'), throttle.id);
    expect([answer.statusCode, answer.json()]).toEqual([200, throttle]);
    expect(await throttlesOf(server, `about=${partner.id}`)).toEqual([]);
    expect((await logIn(server, partner, paytag)).statusCode).toBe(200);
  });

  it('of an operator, by an admin', async () => {
    const { by, id } = await usedUp('support');
    expect((await lift(await newOperator(server, 'admin'), id)).statusCode).toBe(200);
    expect((await by.operate('POST', '/customers/find', { paytag: 'ada' })).statusCode).toBe(200);
  });
});

describe('403', () => {
  it('what holds operators back, by somebody below admin, and by an admin their own', async () => {
    const [support, admin] = [await usedUp('support'), await usedUp('admin')];
    const another = await newOperator(server, 'finance');
    expect(refusalOf(await lift(another, support.id))).toEqual([403, 'ROLE_REFUSED']);
    expect(refusalOf(await lift(admin.by, admin.id))).toEqual([403, 'ROLE_REFUSED']);
  });
});
