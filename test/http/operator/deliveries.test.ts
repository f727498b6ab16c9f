import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimDeliveries, purgeDeliveries, recordAttempts } from '#modules/webhooks';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { auditOf, byRoot, newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('GET /deliveries', () => {
  const find = (query: Record<string, string>) =>
    server.operate('GET', `/deliveries?${new URLSearchParams(query).toString()}`);

  it('finds by partner, status and event, newest first, in pages', async () => {
    const { partner, wallet } = await partnerWithEvents(server);
    await partnerWithEvents(server);
    const partnerId = partner.id;
    const all = (await find({ partnerId })).json();
    expect(all).toMatchObject({ count: 2, limit: 20, offset: 0 });
    expect(all.items).toMatchObject([
      { event: 'wallet.debited', reference: wallet, status: 'PENDING', attempts: 0, ownerKind: 'PARTNER' },
      { event: 'wallet.credited', reference: wallet, status: 'PENDING', attempts: 0, ownerId: partnerId },
    ]);
    const credited = { partnerId, event: 'wallet.credited', status: 'PENDING' };
    expect((await find(credited)).json()).toMatchObject({ count: 1 });
    const page = (await find({ partnerId, limit: '1', offset: '1' })).json();
    expect(page).toMatchObject({ count: 2, limit: 1, offset: 1, items: [{ event: 'wallet.credited' }] });
    expect((await find({ limit: '0' })).json().items).toEqual([]);
    expect((await find({ limit: '101' })).json().limit).toBe(100);
  });

  it('finds by application; one without events, and an unknown one, have none', async () => {
    const { applicationId } = await newApplication(server);
    for (const owner of [applicationId, NOBODY]) {
      expect((await find({ applicationId: owner })).json()).toMatchObject({ count: 0, items: [] });
    }
  });

  it('finds by error and by when the event was written', async () => {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, 'status 502');
    const countOf = async (query: Record<string, string>) =>
      (await find({ partnerId: partner.id, ...query })).json().count;
    expect(await countOf({ error: 'status 502' })).toBe(2);
    expect(await countOf({ error: 'status 5xx', status: 'FAILED' })).toBe(2);
    expect(await countOf({ error: 'timeout' })).toBe(0);
    expect(await countOf({ from: '2026-01-01T00:00:00+01:00' })).toBe(2);
    expect(await countOf({ to: '2026-01-01T00:00:00Z' })).toBe(0);
  });
});

describe('GET /deliveries/{id}', () => {
  const get = (id: string) => server.operate('GET', `/deliveries/${id}`);

  it('shows the attempts one by one', async () => {
    const { partner, wallet } = await partnerWithEvents(server);
    const [listed] = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json().items;
    const waiting = await get(listed.id);
    expect(waiting.statusCode).toBe(200);
    const { request, ...delivery } = waiting.json();
    expect(delivery).toEqual({ ...listed, attempts: [] });
    expect(JSON.parse(request.body)).toMatchObject({ event: 'wallet.debited', reference: wallet });
    expect(request.headers).toMatchObject({ 'webhook-id': listed.eventId, 'content-type': 'application/json' });
    const mac = createHmac('sha512', partner.headers['x-client-id']).update(request.body).digest('hex');
    expect(request.signatures).toMatchObject({
      'R-Signature': mac,
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    const { operate } = await newOperator(server, 'support');
    const masked = (await operate('GET', `/deliveries/${listed.id}`)).json().request;
    expect(masked.signatures['R-Signature']).toBe(`${'*'.repeat(124)}${mac.slice(-4)}`);
    await endAll(server.resources.pool, 'status 502');
    expect((await get(listed.id)).json()).toMatchObject({
      id: listed.id,
      event: 'wallet.debited',
      reference: wallet,
      ownerId: partner.id,
      status: 'FAILED',
      lastError: 'status 502',
      attempts: [
        { number: 1, at: expect.any(String), url: 'http://127.0.0.1:9/hooks', durationMs: 1, error: 'status 502' },
      ],
    });
  });

  describe('where its attempts went', () => {
    it('is said of each, also when its receiver has moved since, and moves back', async () => {
      const { partner } = await partnerWithEvents(server);
      const [{ id }] = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json().items;
      const first = 'http://127.0.0.1:9/hooks';
      const second = 'http://127.0.0.1:9/elsewhere';
      const move = async (url: string) => {
        const moved = await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload: { url } });
        expect(moved.statusCode).toBe(200);
      };
      const attempt = async () => {
        await server.owner.query('update webhooks.delivery set due_at = now(), leased_until = null where id = $1', [
          id,
        ]);
        const { pool } = server.resources;
        const given = { limit: 100, perReceiver: 100, inFlight: new Map(), leaseMs: 30_000 };
        const { claimed } = await claimDeliveries(pool, given);
        const ended = { status: 'PENDING', error: 'status 503', retryInMs: 60_000, statusCode: 503 } as const;
        const results = claimed.map(({ deliveryId, number }) => {
          return { ...ended, deliveryId, number, durationMs: 1, response: null };
        });
        await recordAttempts(pool, results);
      };
      const urls = async () => {
        const { attempts } = (await get(id)).json<{ attempts: { url?: string }[] }>();
        return attempts.map(({ url }) => url);
      };
      await attempt();
      expect(await urls()).toEqual([first]);
      await move(second);
      expect(await urls()).toEqual([first]);
      await attempt();
      expect(await urls()).toEqual([first, second]);
      await move(first);
      expect(await urls()).toEqual([first, second]);
      const own = await server.call('GET', `/v2/partner/webhook/deliveries/${id}`, { headers: partner.headers });
      expect(own.json().attempts.map(({ url }: { url: string }) => url)).toEqual([first, second]);
    });
  });
});

describe('POST /deliveries/{id}/resend', () => {
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

  it('is a new delivery of the same event, and in the audit log', async () => {
    const { partner } = await partnerWithEvents(server);
    const first = await firstOf(partner);
    const answer = await resend(first.id);
    expect(answer.json()).toMatchObject({ eventId: first.eventId, status: 'PENDING', attempts: [] });
    expect(answer.json().id).not.toBe(first.id);
    expect((await deliveriesOf(partner)).count).toBe(3);
    expect(await auditOf(server, first.id)).toMatchObject([
      { actor: 'operator:root', action: 'delivery.resend', after: { delivery: answer.json().id } },
    ]);
  });

  it('410: delivered so long ago that its body is not kept: nothing is sent or audited', async () => {
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

describe('POST /deliveries/replay', () => {
  const replay = (body?: object) => server.operate('POST', '/deliveries/replay', body);
  const countOf = async (partnerId: string, status: string) =>
    (await server.operate('GET', `/deliveries?partnerId=${partnerId}&status=${status}`)).json().count;

  async function partnerWithFailures() {
    const { partner } = await partnerWithEvents(server);
    await endAll(server.resources.pool, 'timeout');
    return partner;
  }

  it('delivers what failed once more, and is in the audit log with its reason', async () => {
    const partner = await partnerWithFailures();
    const from = '2026-01-01T00:00:00Z';
    const asked = { partnerId: partner.id, event: 'wallet.credited', error: 'timeout', from, reason: 'their outage' };
    const answer = await replay(asked);
    expect(answer.json()).toEqual({ dryRun: false, matched: 1, replayed: 1, left: 0, sample: [expect.any(String)] });
    expect(await countOf(partner.id, 'PENDING')).toBe(1);
    expect(await countOf(partner.id, 'FAILED')).toBe(2);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual(
      byRoot('delivery.replay', {
        after: {
          partnerId: partner.id,
          event: 'wallet.credited',
          error: 'timeout',
          from: '2026-01-01T00:00:00.000Z',
          status: 'FAILED',
          matched: 1,
          replayed: 1,
        },
        reason: 'their outage',
      }),
    );
  });

  it('in a dry run counts and shows, and does nothing', async () => {
    const partner = await partnerWithFailures();
    const before = await auditOf(server, partner.id);
    const answer = await replay({ partnerId: partner.id, dryRun: true });
    expect(answer.json()).toMatchObject({ dryRun: true, matched: 2, replayed: 0, left: 2 });
    expect(answer.json().sample).toHaveLength(2);
    expect(await countOf(partner.id, 'PENDING')).toBe(0);
    expect(await auditOf(server, partner.id)).toEqual(before);
  });

  it('without an owner, of all receivers; of an application, of that one', async () => {
    const partner = await partnerWithFailures();
    const { applicationId } = await newApplication(server);
    expect((await replay({ applicationId })).json()).toMatchObject({ matched: 0, replayed: 0 });
    const all = (await replay({})).json();
    expect(all.replayed).toBeGreaterThanOrEqual(2);
    expect(await countOf(partner.id, 'PENDING')).toBe(2);
    expect((await auditOf(server, 'deliveries')).at(-1)).toMatchObject({ after: { replayed: all.replayed } });
  });

  it('two at once under one Idempotency-Key make one delivery of each event', async () => {
    const partner = await partnerWithFailures();
    const call = {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': partner.id },
      payload: { partnerId: partner.id },
    };
    const url = '/operator/v1/deliveries/replay';
    const pair = await Promise.all([server.call('POST', url, call), server.call('POST', url, call)]);
    const again = await server.call('POST', url, call);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json()).toMatchObject({ matched: 2, replayed: 2 });
    for (const one of pair) expect([200, 409]).toContain(one.statusCode);
    expect(await countOf(partner.id, 'PENDING')).toBe(2);
  });

  it('503: another one is running, which is not kept under the Idempotency-Key', async () => {
    const partner = await partnerWithFailures();
    const call = {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': `busy-${partner.id}` },
      payload: { partnerId: partner.id },
    };
    const holder = await server.resources.pool.connect();
    try {
      await holder.query("select pg_advisory_lock(hashtext('webhooks.replay'), 0)");
      const busy = await server.call('POST', '/operator/v1/deliveries/replay', call);
      expect(refusalOf(busy)).toEqual([503, 'BUSY']);
      expect(busy.headers['retry-after']).toBe('1');
    } finally {
      await holder.query('select pg_advisory_unlock_all()');
      holder.release();
    }
    expect((await server.call('POST', '/operator/v1/deliveries/replay', call)).json().replayed).toBe(2);
  });
});
