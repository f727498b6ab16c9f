import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents, seeWebhook } from '../../support/deliveries.ts';

const server = useApp();
const url = '/v2/partner/webhook/resume';

const pause = ({ headers }: TestPartner) => server.call('POST', '/v2/partner/webhook/pause', { headers });
const resume = ({ headers }: TestPartner) => server.call('POST', url, { headers });
const see = async (partner: TestPartner) => (await seeWebhook(server, partner)).json();

describe('200', () => {
  it('sends what was held; another’s pause stays', async () => {
    const { partner } = await partnerWithEvents(server);
    const { partner: other } = await partnerWithEvents(server);
    await pause(partner);
    await pause(other);
    const answer = await resume(partner);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ACTIVE', pending: 2, oldestDueAt: expect.any(String) });
    expect(answer.json()).not.toHaveProperty('pauseReason');
    expect(await see(other)).toMatchObject({ status: 'PAUSED', pending: 2 });
    expect(await endAll(server.resources.pool, null)).toBe(2);
    expect((await see(partner)).pending).toBe(0);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'receiver.resume',
    });
  });
});
