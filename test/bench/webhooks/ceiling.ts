import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Pool } from 'undici';
import { signedHeaders } from '../../../src/modules/webhooks/sign.ts';
import { throughput } from '../measure.ts';
import { bodyOf } from './events.ts';
import { type Receiving, rateOf } from './receiving.ts';

const KEYS = { clientId: `pc_${randomUUID()}`, secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`] };
const BATCH = 1_000;

/** A request that was signed beforehand. */
interface Signed {
  readonly headers: Record<string, string>;
  readonly body: string;
}

function signed(): Signed {
  const body = bodyOf(randomUUID());
  const message = { eventId: randomUUID(), body: Buffer.from(body), sequence: null };
  return { headers: signedHeaders(message, KEYS, new Date()), body };
}

/** Sends `count` events and answers how many a second were received. */
export interface Contender {
  run(count: number): Promise<number>;
  close(): Promise<unknown>;
}

const poolOf = ({ origin }: Receiving, inFlight: number) => new Pool(origin, { connections: inFlight, pipelining: 1 });

async function post(pool: Pool, { headers, body }: Signed): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/webhook', headers, body });
  await answer.body.dump();
}

/** The ceiling: nothing but an undici Pool that posts signed bytes. */
export function barePool(receiving: Receiving, inFlight: number): Contender {
  const pool = poolOf(receiving, inFlight);
  return {
    async run(count) {
      const requests = Array.from({ length: count }, signed);
      const send = () => throughput(count, inFlight, () => post(pool, requests.pop() ?? signed()));
      return rateOf(count, await receiving.during({ count, timed: false }, send));
    },
    close: () => pool.close(),
  };
}

/** A BullMQ worker on Redis as its guide has it: one job a delivery, no record of anything. */
export async function bareBullmq(receiving: Receiving, inFlight: number, redisUrl: string): Promise<Contender> {
  const pool = poolOf(receiving, inFlight);
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const name = `bare-${inFlight}`;
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
      return rateOf(count, await receiving.during({ count, timed: false }, async () => worker.resume()));
    },
    async close() {
      await worker.close();
      await queue.close();
      await pool.close();
    },
  };
}
