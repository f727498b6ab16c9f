import { describe, expect, it } from 'vitest';
import { purgeDeliveries } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { endAll, partnersWithFailures, partnerWithEvents, seeDeliveries } from '../../support/deliveries.ts';
import { auditOf } from '../../support/operators.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('GET /webhook/deliveries', () => {
  it('only this partner’s, as the operator sees them, found by filters, in pages', async () => {
    const { partner, wallet, other } = await partnersWithFailures(server);
    const all = (await seeDeliveries(server, partner)).json();
    expect(all).toMatchObject({ count: 2, limit: 20, offset: 0 });
    expect(all.items).toMatchObject([
      { event: 'wallet.debited', reference: wallet, status: 'FAILED', attempts: 1, lastError: 'status 500' },
      { event: 'wallet.credited', ownerKind: 'PARTNER', ownerId: partner.id },
    ]);
    expect(all).toEqual((await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json());
    for (const [query, count] of [
      ['event=wallet.credited', 1],
      ['status=FAILED&error=status 5xx', 2],
      ['error=timeout', 0],
      ['status=PENDING', 0],
      ['from=2026-01-01T00:00:00Z', 2],
      ['to=2026-01-01T00:00:00Z', 0],
      [`partnerId=${NOBODY}`, 2],
    ]) {
      expect((await seeDeliveries(server, partner, `?${query}`)).json().count).toBe(count);
    }
    const page = (await seeDeliveries(server, partner, '?limit=1&offset=1')).json();
    expect(page.items).toMatchObject([{ event: 'wallet.credited' }]);
    expect((await seeDeliveries(server, partner, `?partnerId=${other.id}`)).json()).toEqual(all);
  });

  it('of partners that ask at the same moment each gets its own, counted, as one with none does', async () => {
    const { partner, other } = await partnersWithFailures(server);
    const callers = [partner, other, partner, await server.newPartner(), other];
    const alone: unknown[] = [];
    for (const caller of callers) alone.push((await seeDeliveries(server, caller)).json());
    const together = await Promise.all(callers.map(async (caller) => (await seeDeliveries(server, caller)).json()));
    expect(together).toEqual(alone);
    expect(together).toMatchObject([{ count: 2 }, {}, { count: 2 }, { count: 0, items: [] }, {}]);
  });
});

describe('GET /webhook/deliveries/{id}', () => {
  it('with each attempt', async () => {
    const { partner } = await partnersWithFailures(server);
    const [{ id }] = (await seeDeliveries(server, partner)).json().items;
    const answer = await seeDeliveries(server, partner, `/${id}`);
    expect(answer.json()).toMatchObject({ id, attempts: [{ number: 1, error: 'status 500', durationMs: 1 }] });
  });
});

describe('POST /webhook/deliveries/{id}/resend', () => {
  const HOUR_MS = 60 * 60 * 1000;

  const urlOf = (id: string) => `/v2/partner/webhook/deliveries/${id}/resend`;
  const resend = ({ headers }: TestPartner, id: string) => server.call('POST', urlOf(id), { headers });
  const firstOf = async (partner: TestPartner) => (await seeDeliveries(server, partner)).json().items[0];

  it('a new delivery of the same event, and an audit entry', async () => {
    const { partner } = await partnersWithFailures(server);
    const first = await firstOf(partner);
    const answer = await resend(partner, first.id);
    expect(answer.json()).toMatchObject({ eventId: first.eventId, status: 'PENDING', attempts: [] });
    expect((await seeDeliveries(server, partner)).json().count).toBe(3);
    expect(await auditOf(server, first.id)).toMatchObject([
      { actor: `partner:${partner.id}`, action: 'delivery.resend', after: { delivery: answer.json().id } },
    ]);
  });

  it('410: delivered so long ago that its body is not kept: nothing is sent or audited', async () => {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, null);
    const afterwards = new Date(server.clock.now().getTime() + HOUR_MS);
    await purgeDeliveries(server.resources, { status: 'DELIVERED', before: afterwards, limit: 100 });
    const { id } = await firstOf(partner);
    expect(refusalOf(await resend(partner, id))).toEqual([410, 'DELIVERY_PURGED']);
    expect((await seeDeliveries(server, partner)).json().count).toBe(2);
    expect(await auditOf(server, id)).toEqual([]);
  });
});

describe('POST /webhook/replay', () => {
  const url = '/v2/partner/webhook/replay';

  const replay = ({ headers }: TestPartner, payload: object = {}) => server.call('POST', url, { headers, payload });
  const countOf = async (partner: TestPartner, query = '') =>
    (await seeDeliveries(server, partner, query)).json().count;

  it('only this partner’s failed deliveries, and an audit entry', async () => {
    const { partner, other } = await partnersWithFailures(server);
    const preview = await replay(partner, { dryRun: true, partnerId: other.id });
    expect(preview.json()).toMatchObject({ dryRun: true, matched: 2, replayed: 0, left: 2 });
    const answer = await replay(partner, { error: 'status 5xx', partnerId: other.id });
    expect(answer.json()).toMatchObject({ dryRun: false, matched: 2, replayed: 2, left: 0 });
    expect(await countOf(partner, '?status=PENDING')).toBe(2);
    expect(await countOf(other)).toBe(2);
    expect((await auditOf(server, partner.id)).at(-1)).toMatchObject({
      actor: `partner:${partner.id}`,
      action: 'delivery.replay',
      after: { partnerId: partner.id, status: 'FAILED', error: 'status 5xx', replayed: 2 },
    });
    expect((await replay(partner)).json()).toMatchObject({ matched: 0, replayed: 0, left: 0 });
  });

  it('503: while another replay runs; afterwards it goes', async () => {
    const { partner } = await partnersWithFailures(server);
    const holder = await server.resources.pool.connect();
    try {
      await holder.query("select pg_advisory_lock(hashtext('webhooks.replay'), 0)");
      const busy = await replay(partner);
      expect(refusalOf(busy)).toEqual([503, 'BUSY']);
      expect(busy.headers['retry-after']).toBe('1');
      expect(await countOf(partner)).toBe(2);
    } finally {
      await holder.query('select pg_advisory_unlock_all()');
      holder.release();
    }
    expect((await replay(partner)).json()).toMatchObject({ replayed: 2 });
  });
});
