import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/database.ts';
import { registerReceiver } from '#modules/outbox';
import { freePort } from '../../../src/embedded/port.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { openWakeUps } from '../../../src/worker/wake-ups.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY, serverEnv, startServer } from '../../support/process.ts';
import type { Contender } from './ceiling.ts';
import { bodyOf } from './events.ts';
import { openHeap } from './heap.ts';
import { type Receiving, rateOf } from './receiving.ts';

/** Receivers the events of a drain are spread over; one alone may not have all that is in flight. */
const RECEIVERS = 16;
const BATCH = 1_000;
const MEMORY_EVERY_MS = 100;
const RECORDED_MAX_MS = 60_000;

export interface Ours extends Contender {
  /** Megabytes that the worker held, sampled while it delivered. */
  readonly memory: readonly number[];
  /** Megabytes of its heap that were no garbage, after each run. */
  readonly heap: readonly number[];
  /** Gives a partner a receiver at this path, and resolves to the partner. */
  readonly newReceiver: (path: string) => Promise<string>;
  /** Commits an event for each reference, and wakes the worker as the API does. */
  readonly tell: (owner: string, references: readonly string[]) => Promise<void>;
}

/** Our worker, in its own process, on a database and a queue as a deployment has them. */
export async function ours(receiving: Receiving, databaseUrl: string, redisUrl?: string): Promise<Ours> {
  await migrateDatabase(databaseUrl);
  const queue = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  const database = openDatabase(databaseUrl, 2, () => undefined);
  const { db, pool } = database;
  const wakeUps = openWakeUps({ redisUrl, databaseUrl, log: pino({ level: 'warn' }) });
  const inspectPort = await freePort();
  const worker = await startServer({
    ...serverEnv(databaseUrl),
    ...queue,
    ROLE: 'worker',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
  });
  const opened = await openHeap(inspectPort);
  const keyring = createKeyring(Buffer.from(MASTER_KEY, 'hex'));
  const memory: number[] = [];
  const heap: number[] = [];

  async function newReceiver(path: string): Promise<string> {
    const ownerId = randomUUID();
    const keys = { clientId: `pc_${ownerId}`, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
    await db.transaction((tx) =>
      registerReceiver(tx, keyring, { ownerId, ownerKind: 'PARTNER', url: receiving.origin + path, ...keys }),
    );
    return ownerId;
  }

  async function emit(owners: readonly string[], references: readonly string[]): Promise<void> {
    await pool.query(
      `select outbox.emit_all($1::uuid[], array_fill('wallet.credited'::text, array[cardinality($1)]), $2, $3,
                              array_fill(null::bigint, array[cardinality($1)]))`,
      [references.map((_, index) => owners[index % owners.length]), references, references.map(bodyOf)],
    );
  }

  async function residentMb(): Promise<number> {
    const status = await readFile(`/proc/${worker.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** Every delivery is on record with one attempt: nothing was lost, and nothing sent twice. */
  async function recorded(): Promise<void> {
    await eventually(
      async () => {
        const { rows } = await pool.query(
          `select (select count(*) from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id
                    where r.url like '%/webhook' and (d.status, d.attempts) is distinct from ('DELIVERED', 1)) as odd`,
        );
        if (Number(rows[0].odd) > 0)
          throw new Error(`${rows[0].odd} deliveries are not on record as delivered at once`);
      },
      { timeoutMs: RECORDED_MAX_MS, intervalMs: 500 },
    );
  }

  const owners = await Promise.all(Array.from({ length: RECEIVERS }, () => newReceiver('/webhook')));
  return {
    memory,
    heap,
    newReceiver,
    async tell(owner, references) {
      await emit([owner], references);
      wakeUps.wake();
    },
    async run(count) {
      worker.child.kill('SIGSTOP'); // until everything is there
      for (let left = count; left > 0; left -= BATCH) {
        await emit(owners, Array.from({ length: Math.min(left, BATCH) }, randomUUID));
      }
      const over = new AbortController();
      const watch = async () => {
        while (!over.signal.aborted) {
          memory.push(await residentMb());
          await sleep(MEMORY_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
        }
      };
      const resume = async () => {
        worker.child.kill('SIGCONT');
        wakeUps.wake();
      };
      const watching = watch();
      const report = await receiving.during({ count, timed: false }, resume);
      over.abort();
      await watching;
      await recorded();
      heap.push(await opened.usedMb());
      return rateOf(count, report);
    },
    async close() {
      opened.close();
      await worker.kill('SIGKILL');
      await wakeUps.close();
      await database.close();
    },
  };
}
