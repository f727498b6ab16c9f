import { describe, expect, it } from 'vitest';
import { purgeDeliveries } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();
const HOUR_MS = 60 * 60 * 1000;
const resend = (id: string) => server.operate('POST', `/deliveries/${id}/resend`);
const deliveriesOf = async ({ id }: TestPartner) =>
  (await server.operate('GET', `/deliveries?partnerId=${id}`)).json<{
    count: number;
    items: { id: string; eventId: string }[];
  }>();
const firstOf = async (partner: TestPartner) => {
  const [first] = (await deliveriesOf(partner)).items;
  if (first === undefined) throw new Error('this partner has no delivery');
  return first;
};

describe('200', () => {
  it('is a new delivery of the same event, and in the audit log', async () => {
    const { partner } = await partnerWithEvents(server);
    const first = await firstOf(partner);
    const answer = await resend(first.id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ eventId: first.eventId, status: 'PENDING', attempts: [] });
    expect(answer.json().id).not.toBe(first.id);
    expect((await deliveriesOf(partner)).count).toBe(3);
    expect(await auditOf(server, first.id)).toMatchObject([
      { actor: 'operator:root', action: 'delivery.resend', after: { delivery: answer.json().id } },
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
    expect(refusalOf(await resend(id))).toEqual([410, 'DELIVERY_PURGED']);
    expect((await deliveriesOf(partner)).count).toBe(2);
    expect(await auditOf(server, id)).toEqual([]);
  });
});
