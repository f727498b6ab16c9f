import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Pool } from 'undici';
import { signedHeaders } from '../../../src/modules/webhooks/sign.ts';
import { throughput } from '../measure.ts';
import { eventBody } from './event-body.ts';
import { type Receiver, rateOf } from './receiver.ts';

const KEYS = {
  clientId: `pc_${randomUUID()}`,
  secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  headers: {},
};
const BATCH = 1_000;

/** A webhook request that was signed before the measurement. */
interface Signed {
  readonly headers: Record<string, string>;
  readonly body: string;
}

function signed(): Signed {
  const body = eventBody(randomUUID());
  const message = { eventId: randomUUID(), body: Buffer.from(body), sequence: null };
  return { headers: signedHeaders(message, KEYS, new Date()), body };
}

/** One way of sending webhooks. */
export interface Sender {
  /** Sends `count` events and returns how many a second were received. */
  run(count: number): Promise<number>;
  close(): Promise<unknown>;
}

const poolOf = ({ origin }: Receiver, inFlight: number) => new Pool(origin, { connections: inFlight, pipelining: 1 });

async function post(pool: Pool, { headers, body }: Signed): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/webhook', headers, body });
  await answer.body.dump();
}

/** An undici Pool that posts signed bytes, and nothing else: the upper bound. */
export function undiciPool(receiver: Receiver, inFlight: number): Sender {
  const pool = poolOf(receiver, inFlight);
  return {
    async run(count) {
      const requests = Array.from({ length: count }, signed);
      const send = () => throughput(count, inFlight, () => post(pool, requests.pop() ?? signed()));
      return rateOf(count, await receiver.countDuring({ count, timed: false }, send));
    },
    close: () => pool.close(),
  };
}

/** A BullMQ worker on Redis as in BullMQ's guide, with one job for each delivery. It records nothing. */
export async function bullmqWorker(receiver: Receiver, inFlight: number, redisUrl: string): Promise<Sender> {
  const pool = poolOf(receiver, inFlight);
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const name = `baseline-${inFlight}`;
  const queue = new Queue<Signed>(name, { connection });
  const worker = new Worker<Signed>(name, ({ data }) => post(pool, data), { connection, concurrency: inFlight });
  await worker.waitUntilReady();
  return {
    async run(count) {
      await worker.pause();
      for (let left = count; left > 0; left -= BATCH) {
        const jobs = Array.from({ length: Math.min(left, BATCH) }, signed);
        await queue.addBulk(jobs.map((data) => ({ name: 'deliver', data, opts: { removeOnComplete: true } })));
      }
      return rateOf(count, await receiver.countDuring({ count, timed: false }, async () => worker.resume()));
    },
    async close() {
      await worker.close();
      await queue.close();
      await pool.close();
    },
  };
}
