import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  getDelivery,
  listDeliveries,
  maintainWebhooks,
  purgeDeliveries,
  replayDeliveries,
  resendDelivery,
} from '#modules/webhooks';
import { cleanUp } from '../../../src/worker/start-worker.ts';
import { useApp } from '../../support/app.ts';
import { endAll, partnerWithDeliveries } from '../../support/deliveries.ts';
import { eventually } from '../../support/eventually.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();

describe('the maintenance of deliveries', () => {
  const server = useApp({ WEBHOOK_RETENTION_D: '2', WEBHOOK_FAILED_RETENTION_D: '20' });
  const patient = useApp({ WEBHOOK_FAILED_RETENTION_D: '0' });
  const DAY_MS = 24 * 60 * 60 * 1000;

  it('more that was held for a receiver than a resume makes due itself is due after a run', async () => {
    const partner = await partnerWithDeliveries(server, 1);
    await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'broken' });
    const { owner: pool } = server;
    await pool.query(`select outbox.emit($1, 'wallet.credited', n::text, '{}') from generate_series(1, 1800) n`, [
      partner.id,
    ]);
    await server.operate('POST', `/receivers/${partner.id}/resume`);
    await maintainWebhooks(server.resources);
    const { rows } = await pool.query('select count(*)::int from webhooks.delivery where due_at is null');
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('what was delivered longer ago than the retention is forgotten, all of it in one run; what was not is kept', async () => {
    const { owner: pool } = server;
    await endAll(pool, null);
    const bodies = async () => (await pool.query('select count(body)::int as kept from outbox.event')).rows;
    server.clock.advance(DAY_MS);
    await cleanUp(server.resources);
    expect(await bodies()).toEqual([{ kept: 1801 }]);
    server.clock.advance(2 * DAY_MS);
    await cleanUp(server.resources);
    expect(await bodies()).toEqual([{ kept: 0 }]);
  });

  it('what failed is kept for as long as its own retention says, then forgotten; the log says so', async () => {
    await partnerWithDeliveries(server, 2);
    await endAll(server.resources.pool, 'timeout');
    const bodies = async () => (await server.owner.query('select count(body)::int as kept from outbox.event')).rows;
    server.clock.advance(8 * DAY_MS);
    await cleanUp(server.resources);
    expect(await bodies()).toEqual([{ kept: 2 }]);
    server.clock.advance(13 * DAY_MS);
    await cleanUp(server.resources);
    expect(await bodies()).toEqual([{ kept: 0 }]);
    expect(server.logged).toContain('"purged":2');
  });

  it('what failed is kept for ever where the retention is 0', async () => {
    await partnerWithDeliveries(patient, 1);
    await endAll(patient.resources.pool, 'timeout');
    patient.clock.advance(4_000 * DAY_MS);
    await cleanUp(patient.resources);
    const { rows } = await patient.owner.query('select count(body)::int as kept from outbox.event');
    expect(rows).toEqual([{ kept: 1 }]);
  });
});

describe('a purge', () => {
  beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

  const NOW = Date.now();
  /** The retention ended so long ago, or ends so far ahead. */
  const cutoff = (inMs: number) => new Date(NOW + inMs);
  const LATER = cutoff(3_600_000);
  const purge = async (before = LATER, limit = 100) =>
    (await purgeDeliveries(outbox, { status: 'DELIVERED', before, limit })).purged;
  const purgeFailed = async (before = LATER, limit = 100) =>
    (await purgeDeliveries(outbox, { status: 'FAILED', before, limit })).purged;
  const resend = (deliveryId: string) => resendDelivery(outbox, { actor: 'test', deliveryId });
  const previewReplay = (status: 'DELIVERED' | 'FAILED') =>
    replayDeliveries(outbox, { actor: 'test', dryRun: true, status });
  const counts = async () => {
    const { rows } = await outbox.pool.query(`
    select (select count(body)::int from outbox.event) as bodies, (select count(*)::int from webhooks.attempt)
             + (select count(last_duration_ms)::int from webhooks.delivery) as attempts,
           (select count(*)::int from webhooks.delivery) as deliveries`);
    return rows[0];
  };

  /** Of one receiver, so many events, each brought with this error or none. */
  async function ended(count: number, error: string | null): Promise<string[]> {
    await outbox.emitTo(await outbox.newReceiver('https://partner.example/hook'), count);
    await endAll(outbox.pool, error);
    const { items } = await listDeliveries(outbox.db, { limit: 100, offset: 0 });
    return items.map(({ id }) => id);
  }

  describe('purging', () => {
    test('deletes bodies and attempts of what was delivered before, and keeps the delivery as the record', async () => {
      const [id = ''] = await ended(2, null);
      expect(await purge(cutoff(-3_600_000))).toBe(0);
      expect(await counts()).toEqual({ bodies: 2, attempts: 2, deliveries: 2 });
      expect(await purge()).toBe(2);
      expect(await counts()).toEqual({ bodies: 0, attempts: 0, deliveries: 2 });
      expect(await getDelivery(outbox.db, id)).toMatchObject({ status: 'DELIVERED', attempts: 1, history: [] });
      expect(await purge()).toBe(0);
    });

    test('goes in batches of the size it is given', async () => {
      await ended(5, null);
      expect([await purge(LATER, 2), await purge(LATER, 2), await purge(LATER, 2), await purge(LATER, 2)]).toEqual([
        2, 2, 1, 0,
      ]);
    });

    test('leaves alone what failed or waits', async () => {
      const [failed = ''] = await ended(1, 'timeout');
      await outbox.emitTo(await outbox.newReceiver(null), 1);
      expect(await purge()).toBe(0);
      expect(await resend(failed)).toMatchObject({ id: expect.any(String) });
    });

    test('of an event that failed and was delivered when it was sent again takes both deliveries along', async () => {
      const [failed = ''] = await ended(1, 'timeout');
      await resend(failed);
      await endAll(outbox.pool, null);
      expect(await purge()).toBe(1);
      expect(await counts()).toEqual({ bodies: 0, attempts: 0, deliveries: 2 });
    });

    test('leaves alone an event that is on its way again', async () => {
      const [delivered = ''] = await ended(1, null);
      await resend(delivered);
      expect(await purge()).toBe(0);
      expect(await counts()).toMatchObject({ bodies: 1 });
    });

    test('skips an event that is being sent again', async () => {
      const [delivered = ''] = await ended(1, null);
      await outbox.db.transaction(async (tx) => {
        await resendDelivery({ transact: (work) => work(tx) }, { actor: 'test', deliveryId: delivered });
        expect(await purge()).toBe(0);
      });
      expect(await counts()).toMatchObject({ bodies: 1, deliveries: 2 });
    });

    test('is waited for by a resend, which then is refused', async () => {
      const [delivered = ''] = await ended(1, null);
      let resent: Promise<unknown> = Promise.resolve();
      await outbox.db.transaction(async (tx) => {
        await tx.execute('select 1 from outbox.event for update');
        resent = resend(delivered).catch((error: unknown) => error);
        await eventually(async () => {
          const { rows } = await outbox.pool.query(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          expect(rows).toHaveLength(1);
        });
        await tx.execute("update outbox.event set body = null, body_digest = sha256(convert_to(body, 'UTF8'))");
      });
      expect(await resent).toMatchObject({ code: 'DELIVERY_PURGED' });
    });
  });

  describe('purging what failed', () => {
    test('deletes bodies and attempts of what failed before, in batches, and keeps the delivery as the record', async () => {
      const [id = ''] = await ended(3, 'timeout');
      expect(await purgeFailed(cutoff(-3_600_000))).toBe(0);
      expect([await purgeFailed(LATER, 2), await purgeFailed(LATER, 2), await purgeFailed(LATER, 2)]).toEqual([
        2, 1, 0,
      ]);
      expect(await counts()).toEqual({ bodies: 0, attempts: 0, deliveries: 3 });
      expect(await getDelivery(outbox.db, id)).toMatchObject({ status: 'FAILED', lastError: 'timeout', history: [] });
      await expect(resend(id)).rejects.toMatchObject({ code: 'DELIVERY_PURGED' });
      expect(await previewReplay('FAILED')).toMatchObject({ matched: 0 });
    });

    test('leaves alone what waits, what was delivered, and what was delivered when it was sent again', async () => {
      const [failed = ''] = await ended(1, 'timeout');
      await resend(failed);
      await endAll(outbox.pool, null);
      await ended(1, null);
      await outbox.emitTo(await outbox.newReceiver(null), 1);
      expect(await purgeFailed()).toBe(0);
      expect(await counts()).toMatchObject({ bodies: 3 });
    });

    test('leaves alone an event that is on its way again, and one that failed again since', async () => {
      const [failed = ''] = await ended(1, 'timeout');
      await outbox.pool.query("update webhooks.delivery set updated_at = now() - interval '1 day'");
      await resend(failed);
      expect(await purgeFailed()).toBe(0);
      await endAll(outbox.pool, 'status 500');
      expect(await purgeFailed(cutoff(-3_600_000))).toBe(0);
      expect(await purgeFailed()).toBe(1);
      expect(await counts()).toEqual({ bodies: 0, attempts: 0, deliveries: 2 });
    });
  });

  test('a purged delivery is not sent again: DELIVERY_PURGED, and no replay finds it', async () => {
    const [id = ''] = await ended(1, null);
    await purge();
    await expect(resend(id)).rejects.toMatchObject({ code: 'DELIVERY_PURGED' });
    expect(await previewReplay('DELIVERED')).toMatchObject({ matched: 0 });
    expect((await counts()).deliveries).toBe(1);
  });
});
