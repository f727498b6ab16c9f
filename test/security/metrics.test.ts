import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const server = useApp();

/** How many connections read for the metrics, and whether they wait. */
const readers = async () =>
  (
    await server.owner.query<{ waits: boolean }>(
      `select wait_event_type = 'Lock' as waits from pg_stat_activity
       where application_name = 'paytag-metrics' and datname = current_database() and state = 'active'`,
    )
  ).rows;

it('V15.2.2: forty who read the metrics cost one computation, on one connection of its own, and no partner waits for it', async () => {
  const { headers } = await server.newPartner({ float: 100 });
  const holder = await server.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table webhooks.breaker');
    const asked = Array.from({ length: 40 }, () => server.call('GET', '/metrics'));
    await eventually(async () => expect(await readers()).toEqual([{ waits: true }]));
    const float = await server.call('GET', '/v2/partner/float', { headers });
    expect([float.statusCode, await readers()]).toEqual([200, [{ waits: true }]]);
    await holder.query('rollback');
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.body).toMatch(/^paytag_webhook_pending 0$/m);
  } finally {
    holder.release();
  }
});

it('V15.2.2: who reads the metrics again and again does not read the database again and again', async () => {
  server.clock.stop();
  const first = (await server.call('GET', '/metrics')).body;
  await server.owner.query('alter table webhooks.breaker rename to hidden');
  for (let again = 0; again < 20; again += 1) expect((await server.call('GET', '/metrics')).body).toBe(first);
  await server.owner.query('alter table webhooks.hidden rename to breaker');
});
