import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { median, type Row } from '../table.ts';
import { openSenders, ratesOf } from '../webhooks/senders.ts';

const PER_ROUND = 5_000;

/** Deliveries of our worker, woken by Redis and by PostgreSQL, beside a job each of BullMQ's own on Redis. */
export async function* delivery({ postgres }: { postgres: Embedded }): AsyncGenerator<Row> {
  const opened = await openSenders(postgres);
  try {
    const { bullmq, onRedis, onPostgres } = opened.senders;
    const senders = { bullmq, onRedis, onPostgres };
    await ratesOf(senders, PER_ROUND); // warm-up
    const rates = await ratesOf(senders, PER_ROUND);
    const ceiling = median(rates.bullmq);
    const [redis, postgresql] = [median(rates.onRedis), median(rates.onPostgres)];
    const target = { atLeast: 1 };
    yield { what: 'webhooks on Redis', ours: redis, ceiling, ratio: redis / ceiling, target };
    yield { what: 'webhooks on PostgreSQL', ours: postgresql, ceiling, ratio: postgresql / ceiling, target };
  } finally {
    await opened.close();
  }
}
