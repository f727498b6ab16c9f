import { expect, it } from 'vitest';
import { maintainWebhooks } from '#modules/webhooks';
import { cleanUp } from '../../../src/worker/cleanup.ts';
import { useApp } from '../../support/app.ts';
import { endAll, partnerWithDeliveries } from '../../support/deliveries.ts';

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
