import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents, seeWebhook } from '../../support/deliveries.ts';

const server = useApp();
const url = '/v2/partner/webhook/pause';

const pause = ({ headers }: TestPartner, payload?: object) =>
  server.call('POST', url, { headers, ...(payload && { payload }) });
const see = async (partner: TestPartner) => (await seeWebhook(server, partner)).json();

describe('200', () => {
  it('holds this partner’s events and says why; others’ are still sent', async () => {
    const { partner } = await partnerWithEvents(server);
    const { partner: other } = await partnerWithEvents(server);
    const answer = await pause(partner, { reason: 'we move house' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'PAUSED',
      pausedBy: 'OWNER',
      pauseReason: 'we move house',
      pausedAt: expect.any(String),
      pending: 2,
    });
    expect(await see(partner)).toEqual(answer.json());
    expect(await see(other)).toMatchObject({ status: 'ACTIVE', pending: 2 });
    expect(await endAll(server.resources.pool, null)).toBe(2);
    expect((await see(partner)).pending).toBe(2);
    expect((await see(other)).pending).toBe(0);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'receiver.pause',
      reason: 'we move house',
    });
  });

  it('without a reason, also without a body', async () => {
    for (const payload of [undefined, {}]) {
      const answer = await pause(await server.newPartner(), payload);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ status: 'PAUSED', pauseReason: 'paused by its owner' });
    }
  });
});
