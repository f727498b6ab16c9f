import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createKeyring, fingerprintOf } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { stampInstallation } from '#modules/keys';
import { registerReceiver } from '#modules/outbox';
import { freePort } from '../../../src/embedded/port.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { openProducer } from '../../../src/worker/queue-producer.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY, serverEnv, startServer } from '../../support/process.ts';
import { eventBody } from './event-body.ts';
import { openHeap, type Receiver, rateOf } from './receiver.ts';
import type { Sender } from './senders.ts';

/** Receivers that the events are spread over: one alone may not have all deliveries that are in flight. */
const RECEIVERS = 16;
const BATCH = 1_000;
const MEMORY_EVERY_MS = 100;
const RECORDED_WITHIN_MS = 60_000;

export interface PayTagWorker extends Sender {
  /** Resident memory of the worker in megabytes, sampled while it delivered. */
  readonly memoryMb: readonly number[];
  /**
   * Collects all garbage, and resolves to the megabytes of its heap that are in use. What V8 has compiled of the program goes with it:
   * the next run is slower than the one before.
   */
  readonly heapMb: () => Promise<number>;
  /** Makes a partner with a receiver at this path, and resolves to the partner's id. */
  readonly newReceiver: (path: string) => Promise<string>;
  /** Commits one event for each reference, and wakes the worker as the API does. */
  readonly publish: (owner: string, references: readonly string[]) => Promise<void>;
}

/** Starts our worker in its own process, with database and queue as in a deployment. */
export async function startPayTagWorker(
  receiver: Receiver,
  databaseUrl: string,
  redisUrl?: string,
): Promise<PayTagWorker> {
  await migrateDatabase(databaseUrl);
  const rootKey = Buffer.from(MASTER_KEY, 'hex');
  const queue = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  const database = openDatabase(databaseUrl, 2, () => undefined);
  const { db, pool } = database;
  // the worker takes over the keys of an installation that was stamped before keys were stored
  await stampInstallation(db, 'sandbox', [fingerprintOf(rootKey)]);
  const producer = openProducer({ redisUrl, databaseUrl, log: pino({ level: 'warn' }) });
  const inspectPort = await freePort();
  const worker = await startServer({
    ...serverEnv(databaseUrl),
    ...queue,
    ROLE: 'worker',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
  });
  const workerHeap = await openHeap(inspectPort);
  const keyring = createKeyring(rootKey);
  const memoryMb: number[] = [];

  async function newReceiver(path: string): Promise<string> {
    const ownerId = randomUUID();
    const keys = { clientId: `pc_${ownerId}`, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
    await db.transaction((tx) =>
      registerReceiver(tx, keyring, {
        ownerId,
        ownerKind: 'PARTNER',
        now: new Date(),
        url: receiver.origin + path,
        ...keys,
      }),
    );
    return ownerId;
  }

  async function emit(owners: readonly string[], references: readonly string[]): Promise<void> {
    await pool.query(
      `select outbox.emit_all(array_agg(row(null, u.owner, 'wallet.credited', u.reference, null, u.body, null, now(), null)::outbox.event))
         from unnest($1::uuid[], $2::text[], $3::text[]) u(owner, reference, body)`,
      [references.map((_, index) => owners[index % owners.length]), references, references.map(eventBody)],
    );
  }

  async function residentMb(): Promise<number> {
    const status = await readFile(`/proc/${worker.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** Waits until every delivery is on record with one attempt: none was lost, and none was sent twice. */
  async function untilRecorded(): Promise<void> {
    await eventually(
      async () => {
        const { rows } = await pool.query(
          `select (select count(*) from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id
                    where r.url like '%/webhook' and (d.status, d.attempts) is distinct from ('DELIVERED', 1)) as odd`,
        );
        if (Number(rows[0].odd) > 0)
          throw new Error(`${rows[0].odd} deliveries are not on record as delivered at once`);
      },
      { timeoutMs: RECORDED_WITHIN_MS, intervalMs: 500 },
    );
  }

  const owners = await Promise.all(Array.from({ length: RECEIVERS }, () => newReceiver('/webhook')));
  return {
    memoryMb,
    heapMb: () => workerHeap.usedMb(),
    newReceiver,
    async publish(owner, references) {
      await emit([owner], references);
      producer.wake();
    },
    async run(count) {
      worker.child.kill('SIGSTOP'); // until all events are committed
      for (let left = count; left > 0; left -= BATCH) {
        await emit(owners, Array.from({ length: Math.min(left, BATCH) }, randomUUID));
      }
      const stop = new AbortController();
      const sampleMemory = async () => {
        while (!stop.signal.aborted) {
          memoryMb.push(await residentMb());
          await sleep(MEMORY_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
        }
      };
      const resume = async () => {
        worker.child.kill('SIGCONT');
        producer.wake();
      };
      const sampling = sampleMemory();
      const report = await receiver.countDuring({ count, timed: false }, resume);
      stop.abort();
      await sampling;
      await untilRecorded();
      return rateOf(count, report);
    },
    async close() {
      workerHeap.close();
      await worker.kill('SIGKILL');
      await producer.close();
      await database.close();
    },
  };
}
