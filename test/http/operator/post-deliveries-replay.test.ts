import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { endAll, partnerWithEvents } from '../../support/deliveries.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

const server = useApp();
const replay = (body?: object) => server.operate('POST', '/deliveries/replay', body);
const countOf = async (partnerId: string, status: string) =>
  (await server.operate('GET', `/deliveries?partnerId=${partnerId}&status=${status}`)).json().count;

async function partnerWithFailures() {
  const { partner } = await partnerWithEvents(server);
  await endAll(server.resources.pool, 'timeout');
  return partner;
}

describe('200', () => {
  it('delivers what failed once more, and is in the audit log with its reason', async () => {
    const partner = await partnerWithFailures();
    const from = '2026-01-01T00:00:00Z';
    const asked = { partnerId: partner.id, event: 'wallet.credited', error: 'timeout', from, reason: 'their outage' };
    const answer = await replay(asked);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ dryRun: false, matched: 1, replayed: 1, left: 0, sample: [expect.any(String)] });
    expect(await countOf(partner.id, 'PENDING')).toBe(1);
    expect(await countOf(partner.id, 'FAILED')).toBe(2);
    expect((await auditOf(server, partner.id)).at(-1)).toEqual({
      actor: 'operator:root',
      action: 'delivery.replay',
      before: null,
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
    });
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
});

describe('503', () => {
  it('another one is running, which is not kept under the Idempotency-Key', async () => {
    const partner = await partnerWithFailures();
    const call = {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': `busy-${partner.id}` },
      payload: { partnerId: partner.id },
    };
    const holder = await server.resources.pool.connect();
    try {
      await holder.query("select pg_advisory_lock(hashtext('webhooks.replay'), 0)");
      const busy = await server.call('POST', '/operator/v1/deliveries/replay', call);
      expect(busy.statusCode).toBe(503);
      expect(busy.json().errorCode).toBe('BUSY');
      expect(busy.headers['retry-after']).toBe('1');
    } finally {
      await holder.query('select pg_advisory_unlock_all()');
      holder.release();
    }
    expect((await server.call('POST', '/operator/v1/deliveries/replay', call)).json().replayed).toBe(2);
  });
});
