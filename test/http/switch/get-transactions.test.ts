import { describe, expect, it } from 'vitest';
import { type Answer, useSharedApp } from '../../support/app.ts';
import { decide, initiate, newSide, type Side } from '../../support/switch.ts';

const server = useSharedApp();
const find = (who: Pick<Side, 'headers'>, query: string): Promise<Answer> =>
  server.call('GET', `/api/v1/transactions${query}`, { headers: who.headers });

describe('200', () => {
  it('the transaction to which the sender gave this reference, as it is now', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const made = await initiate(server, acme, { receiverTag: market.tag, reference: 'order-1' });
    const answer = await find(acme, '?reference=order-1');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.json()).toMatchObject({ success: true, errorCode: '', data: [made.json().data] });
    await decide(server, market, made.json().data.id, 'accept');
    expect((await find(acme, '?reference=order-1')).json().data).toMatchObject([{ status: 'ACCEPTED' }]);
  });

  it('one that was declined, with the reason', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    const asked = { receiverTag: market.tag, reference: 'too-much', amount: 2_000_000 };
    const declined = await initiate(server, acme, asked);
    expect(declined.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    const { data } = (await find(acme, '?reference=too-much')).json();
    expect(data).toMatchObject([{ status: 'DECLINED', failureReason: 'INSUFFICIENT_FUNDS', amount: 2_000_000 }]);
    expect((await initiate(server, acme, asked)).json().errorCode).toBe('INSUFFICIENT_FUNDS');
  });

  it('nothing for a reference that the caller did not use: the receiver’s application finds it not', async () => {
    const [acme, market] = [await newSide(server), await newSide(server)];
    await initiate(server, acme, { receiverTag: market.tag, reference: 'order-2' });
    for (const [who, reference] of [
      [market, 'order-2'],
      [acme, 'order-3'],
    ] as const) {
      const answer = await find(who, `?reference=${reference}`);
      expect([answer.statusCode, answer.json().data]).toEqual([200, []]);
    }
  });
});
