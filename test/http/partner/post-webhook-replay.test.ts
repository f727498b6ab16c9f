import { describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { partnersWithFailures, seeDeliveries } from '../../support/deliveries.ts';

const server = useApp();
const url = '/v2/partner/webhook/replay';

const replay = ({ headers }: TestPartner, payload: object = {}) => server.call('POST', url, { headers, payload });
const countOf = async (partner: TestPartner, query = '') => (await seeDeliveries(server, partner, query)).json().count;

describe('200', () => {
  it('only this partner’s failed deliveries, and an audit entry', async () => {
    const { partner, other } = await partnersWithFailures(server);
    const preview = await replay(partner, { dryRun: true, partnerId: other.id });
    expect(preview.json()).toMatchObject({ dryRun: true, matched: 2, replayed: 0, left: 2 });
    const answer = await replay(partner, { error: 'status 5xx', partnerId: other.id });
    expect(answer.statusCode).toBe(200);
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
});

describe('503', () => {
  it('while another replay runs; afterwards it goes', async () => {
    const { partner } = await partnersWithFailures(server);
    const holder = await server.resources.pool.connect();
    try {
      await holder.query("select pg_advisory_lock(hashtext('webhooks.replay'), 0)");
      const busy = await replay(partner);
      expect([busy.statusCode, busy.json().errorCode]).toEqual([503, 'BUSY']);
      expect(busy.headers['retry-after']).toBe('1');
      expect(await countOf(partner)).toBe(2);
    } finally {
      await holder.query('select pg_advisory_unlock_all()');
      holder.release();
    }
    expect((await replay(partner)).json()).toMatchObject({ replayed: 2 });
  });
});
