import { describe, expect, it } from 'vitest';
import { purgeDeliveries } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnersWithFailures, partnerWithEvents, seeDeliveries } from '../../support/deliveries.ts';

const server = useApp();
const HOUR_MS = 60 * 60 * 1000;

const urlOf = (id: string) => `/v2/partner/webhook/deliveries/${id}/resend`;
const resend = ({ headers }: TestPartner, id: string) => server.call('POST', urlOf(id), { headers });
const firstOf = async (partner: TestPartner) => (await seeDeliveries(server, partner)).json().items[0];

describe('200', () => {
  it('a new delivery of the same event, and an audit entry', async () => {
    const { partner } = await partnersWithFailures(server);
    const first = await firstOf(partner);
    const answer = await resend(partner, first.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ eventId: first.eventId, status: 'PENDING', attempts: [] });
    expect((await seeDeliveries(server, partner)).json().count).toBe(3);
    expect(await auditOf(server, first.id)).toMatchObject([
      { actor: `partner:${partner.id}`, action: 'delivery.resend', after: { delivery: answer.json().id } },
    ]);
  });
});

describe('410', () => {
  it('delivered so long ago that its body is not kept: nothing is sent or audited', async () => {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, null);
    const afterwards = new Date(server.clock.now().getTime() + HOUR_MS);
    await purgeDeliveries(server.resources, { status: 'DELIVERED', before: afterwards, limit: 100 });
    const { id } = await firstOf(partner);
    const answer = await resend(partner, id);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([410, 'DELIVERY_PURGED']);
    expect((await seeDeliveries(server, partner)).json().count).toBe(2);
    expect(await auditOf(server, id)).toEqual([]);
  });
});
