import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { onOneConnection } from '#lib/postgres/executor.ts';
import { claimDeliveries, measureBacklog, oldestDue } from '#modules/webhooks';
import { asServer } from '../support/database.ts';
import { useOutbox } from '../support/outbox.ts';
import { endOfLog, explainAll, explainedSince, nodesOf, rowsReadBy } from '../support/plans.ts';

const RECEIVERS = 20;
/** Of each receiver. */
const DELIVERED = 2_000;
const BURST = 300;
const DUE = 5;
const LATER = 2_000;
/** Rows that are looked up for receivers, some for each. */
const LOOKED_UP = 10 * RECEIVERS;

const outbox = useOutbox();
let handle: DatabaseHandle;

/** Of each receiver. @param due SQL: when the n-th is due */
const add = (count: number, status: string, due: string) =>
  outbox.pool.query(
    `insert into webhooks.delivery (event_id, receiver_id, status, due_at)
     select e.id, e.receiver_id, $2, ${due} from outbox.event e, generate_series(1, $1::int) n`,
    [count, status],
  );
/** As PostgreSQL does by itself. */
const vacuum = () => outbox.pool.query('vacuum analyze webhooks.delivery');

beforeAll(async () => {
  for (let at = 0; at < RECEIVERS; at += 1) {
    await outbox.emitTo(await outbox.newReceiver('https://partner.example/hook'));
  }
  await outbox.pool.query(`update webhooks.delivery set status = 'DELIVERED', due_at = null`);
  await add(DELIVERED, 'DELIVERED', 'null');
  await vacuum();
  await explainAll(outbox.pool);
  handle = openDatabase(asServer(outbox.url), 1, () => undefined);
});
afterAll(() => handle.close());

/** What was read, and the steps that read deliveries for it, those inside functions included. */
async function stepsOf<Read>(read: (db: DatabaseHandle['db']) => Promise<Read>) {
  const from = await endOfLog(outbox.pool);
  const found = await onOneConnection(handle.db, read); // as a scrape reads: shared reads have other settings of the planner
  const nodes = (await explainedSince(outbox.pool, from)).flatMap(({ Plan }) => nodesOf(Plan));
  const steps = nodes.filter((node) => node['Relation Name'] === 'delivery');
  expect(steps.length).toBeGreaterThan(0);
  return { found, steps, rows: steps.reduce((sum, step) => sum + rowsReadBy(step), 0) };
}
const nothingWaits = () =>
  outbox.pool.query(`update webhooks.delivery set status = 'DELIVERED', due_at = null where status = 'PENDING'`);

it('a burst that comes after PostgreSQL planned for none is read twice, and not once for each receiver', async () => {
  expect((await stepsOf(measureBacklog)).found).toMatchObject({ due: 0, pending: 0 });
  await add(BURST, 'PENDING', 'now() - make_interval(secs => n)');
  const { found, rows } = await stepsOf(measureBacklog);
  const waiting = RECEIVERS * BURST;
  expect(found).toMatchObject({ due: waiting, pending: waiting });
  expect(rows).toBeLessThan(2 * waiting + LOOKED_UP);
});

it('what is due is counted without a look at what is due later, however much that is', async () => {
  await nothingWaits();
  await add(DUE, 'PENDING', 'now() - make_interval(secs => n)');
  await add(LATER, 'PENDING', 'now() + make_interval(hours => n)');
  const limits = { limit: 2 * RECEIVERS, perReceiver: 1, inFlight: new Map(), leaseMs: 3_600_000 };
  expect((await claimDeliveries(outbox.pool, limits)).claimed).toHaveLength(RECEIVERS);
  await vacuum();
  const { found, steps } = await stepsOf(measureBacklog);
  const pending = RECEIVERS * (DUE + LATER);
  expect(found).toMatchObject({ due: RECEIVERS * (DUE - 1), pending });
  expect(steps.map(rowsReadBy).filter((rows) => rows > LOOKED_UP)).toEqual([pending]); // for the number of all that wait
});

it('nor is one that comes after everything was analyzed while nothing waited', async () => {
  await nothingWaits();
  await vacuum();
  await handle.close();
  handle = openDatabase(asServer(outbox.url), 1, () => undefined);
  await add(BURST, 'PENDING', 'now() - make_interval(secs => n)');
  const gauges = await stepsOf(measureBacklog);
  expect(gauges.rows).toBeLessThan(2 * RECEIVERS * BURST + LOOKED_UP);
  const overview = await stepsOf(oldestDue);
  expect(overview.rows).toBeLessThan(LOOKED_UP);
  expect(Date.now() - (overview.found?.getTime() ?? 0)).toBeGreaterThan(BURST * 1000);
});
