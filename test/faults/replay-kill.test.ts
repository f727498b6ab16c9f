import { afterEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { KEYRING_ROOT, useOutbox } from '../support/outbox.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';
import { holdTable } from './kill-postgres.ts';

const outbox = useOutbox();
const receiver = useReceiver();
const processes: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill('SIGKILL')));
});

async function startWorker(): Promise<ServerProcess> {
  const started = await startServer({
    ...serverEnv(outbox.url),
    ROLE: 'worker',
    MASTER_KEY: KEYRING_ROOT.toString('hex'),
    WEBHOOK_BACKOFF_BASE_MS: '1',
    WEBHOOK_REPLAY_FAILED: 'on',
    WEBHOOK_WELL_AFTER_S: '1',
  });
  processes.push(started);
  return started;
}

/** Of each event its deliveries, the first one first. */
async function deliveries(): Promise<string[]> {
  const { rows } = await outbox.pool.query<{ told: string }>(
    `select string_agg(status || ' ' || attempts || case when replay_of is null then '' else ' again' end, ', ' order by id) as told
       from webhooks.delivery group by event_id order by event_id`,
  );
  return rows.map(({ told }) => told);
}

test('of what FAILED nothing is lost and nothing goes out twice by itself, though the worker that sends it again is killed with -9 and two take over', async () => {
  const target = await outbox.newReceiver(receiver.url);
  receiver.answer(() => 503);
  const worker = await startWorker();
  await outbox.emitTo(target, 12);
  await eventually(async () => expect(await deliveries()).toEqual(Array(12).fill('FAILED 5')));

  receiver.reset();
  const held = await holdTable(outbox.pool, 'audit.entry'); // the last that its transaction writes
  await outbox.emitTo(target);
  await held.waitedForBy('insert into audit.entry');
  await worker.kill('SIGKILL');
  await held.refuseWaiting();
  expect((await deliveries()).slice(0, 12)).toEqual(Array(12).fill('FAILED 5'));

  await Promise.all([startWorker(), startWorker()]);
  await held.waitedForBy('insert into audit.entry');
  await held.release();
  const isOver = async () => {
    const { rows } = await outbox.pool.query('select from webhooks.episode where ended_at is null');
    expect(rows).toEqual([]);
  };
  await eventually(async () => {
    expect((await deliveries()).slice(0, 12)).toEqual(Array(12).fill('FAILED 5, DELIVERED 1 again'));
    await isOver();
  });
  expect(receiver.accepted).toHaveLength(13);
});
