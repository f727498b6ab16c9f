import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { claimDeliveries, measureBacklog } from '#modules/webhooks';
import { asServer } from '../../support/database.ts';
import { useOutbox } from '../../support/outbox.ts';
import { endOfLog, explainAll, explainedSince, nodesOf, rowsReadBy } from '../../support/plans.ts';

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
/** As PostgreSQL does by itself, which leaves alone what is empty. */
async function vacuum() {
  const { rows } = await outbox.pool.query('select distinct tableoid::regclass::text as part from webhooks.delivery');
  for (const { part } of rows) await outbox.pool.query(`vacuum analyze ${part}`);
}

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

/** What is measured, and the steps that read deliveries for it. */
async function measured() {
  const from = await endOfLog(outbox.pool);
  const backlog = await measureBacklog(handle.db);
  const runs = (await explainedSince(outbox.pool, from)).filter((one) =>
    one['Query Text'].includes('oldestDueSeconds'),
  );
  expect(runs).toHaveLength(1);
  const nodes = runs.flatMap(({ Plan }) => nodesOf(Plan));
  return { backlog, steps: nodes.filter((node) => node['Relation Name']?.startsWith('delivery_')) };
}

it('a burst that comes after PostgreSQL planned for none is read twice, and not once for each receiver', async () => {
  expect((await measured()).backlog).toMatchObject({ due: 0, pending: 0 });
  await add(BURST, 'PENDING', 'now() - make_interval(secs => n)');
  const { backlog, steps } = await measured();
  const waiting = RECEIVERS * BURST;
  expect(backlog).toMatchObject({ due: waiting, pending: waiting });
  expect(steps.reduce((sum, step) => sum + rowsReadBy(step), 0)).toBeLessThan(2 * waiting + LOOKED_UP);
});

it('what is due is counted without a look at what is due later, however much that is', async () => {
  await outbox.pool.query(`update webhooks.delivery set status = 'DELIVERED', due_at = null where status = 'PENDING'`);
  await add(DUE, 'PENDING', 'now() - make_interval(secs => n)');
  await add(LATER, 'PENDING', 'now() + make_interval(hours => n)');
  const limits = { limit: 2 * RECEIVERS, perReceiver: 1, inFlight: new Map(), leaseMs: 3_600_000 };
  expect((await claimDeliveries(outbox.pool, limits)).claimed).toHaveLength(RECEIVERS);
  await vacuum();
  const { backlog, steps } = await measured();
  const pending = RECEIVERS * (DUE + LATER);
  expect(backlog).toMatchObject({ due: RECEIVERS * (DUE - 1), pending });
  expect(steps.map(rowsReadBy).filter((rows) => rows > LOOKED_UP)).toEqual([pending]); // for the number of all that wait
});
