import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { refuseOtherCallers } from '../../support/caller-refusals.ts';
import { refuseReusedKeys, refuseUnfitKeys } from '../../support/unfit-keys.ts';
import { seeDeliveries, TARGET } from '../../support/webhook-self-service.ts';

const server = useApp();
const url = '/v2/partner/webhook/test';

const test = ({ headers }: TestPartner) => server.call('POST', url, { headers });
const newPost = async () => ({ url, headers: (await server.newPartner({ webhookUrl: TARGET })).headers });

describe('200', () => {
  it('an event in the contract’s envelope that nobody takes for money, due at once', async () => {
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
    const { rows } = await server.resources.pool.query(
      `select e.body, d.due_at is not null as due from outbox.event e join outbox.delivery d on d.event_id = e.id
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

describe('400', () => {
  refuseUnfitKeys(server, newPost);
});

describe('409', () => {
  it('there is nobody to tell, and nothing is kept', async () => {
    const partner = await server.newPartner();
    const answer = await test(partner);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([409, 'WEBHOOK_URL_NOT_SET']);
    expect((await seeDeliveries(server, partner)).json().count).toBe(0);
  });

  refuseReusedKeys(server, newPost);
});

refuseOtherCallers(server, 'POST', url);
