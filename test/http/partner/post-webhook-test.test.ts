import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { seeDeliveries, TARGET } from '../../support/deliveries.ts';

const server = useApp();
const limited = useApp({ RATE_LIMIT_WEBHOOK_TESTS_PER_M: '3' });
const url = '/v2/partner/webhook/test';

const test = ({ headers }: TestPartner, app = server) => app.call('POST', url, { headers });

describe('200', () => {
  it('an event in the contract’s envelope, marked as a test, due at once', async () => {
    const partner = await server.newPartner({ webhookUrl: TARGET });
    const answer = await test(partner);
    expect(answer.statusCode).toBe(200);
    const { id, eventId, reference } = answer.json();
    expect(answer.json()).toMatchObject({
      event: 'webhook.test',
      ownerId: partner.id,
      status: 'PENDING',
      attempts: [],
    });
    const { rows } = await server.owner.query(
      `select e.body, d.due_at is not null as due from outbox.event e join webhooks.delivery d on d.event_id = e.id
        where e.id = $1 and d.id = $2`,
      [eventId, id],
    );
    expect(rows).toMatchObject([{ due: true }]);
    expect(JSON.parse(rows[0].body)).toEqual({
      event: 'webhook.test',
      reference,
      data: { Test: true, Message: 'A test event: no money has moved.', CreatedAt: expect.any(String) },
    });
    expect(rows[0].body).toBe(JSON.stringify(JSON.parse(rows[0].body)));
    expect((await test(partner)).json().reference).not.toBe(reference);
  });
});

describe('429', () => {
  it('too many in a minute, also when all are sent at once; other partners are not limited', async () => {
    const partner = await limited.newPartner({ webhookUrl: TARGET });
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await test(partner, limited)).statusCode),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await seeDeliveries(limited, partner)).json().count).toBe(3);
    const refused = await test(partner, limited);
    expect(refused.json().errorCode).toBe('TOO_MANY_REQUESTS');
    const waitS = Number(refused.headers['retry-after']);
    expect(waitS).toBeGreaterThan(0);
    expect((await test(await limited.newPartner({ webhookUrl: TARGET }), limited)).statusCode).toBe(200);
    limited.clock.advance(waitS * 1000);
    expect((await test(partner, limited)).statusCode).toBe(200);
  });
});
