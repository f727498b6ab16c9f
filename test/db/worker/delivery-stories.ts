import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { type DeliveryDeps, startDelivery } from '../../../src/worker/deliver-webhooks.ts';
import { openProducer } from '../../../src/worker/queue-producer.ts';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';
import { keyring, type TestReceiver, useOutbox } from '../../support/outbox.ts';
import { useReceiver } from '../../support/receiver.ts';

/** Workers on one database, that deliver its events to one receiver. */
export function useWorkers() {
  const outbox = useOutbox();
  const receiver = useReceiver();
  const running: { close(): Promise<void> }[] = [];
  let partner: TestReceiver;

  beforeEach(async () => {
    receiver.reset();
    await outbox.pool.query('truncate outbox.receiver cascade');
    partner = await outbox.newReceiver(receiver.url);
  });
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.close();
  });

  function deps(redisUrl?: string, timeoutMs = 60_000): DeliveryDeps {
    return {
      redisUrl,
      webhooks: { allowedCidrs: ['127.0.0.0/8'], backoff: { baseMs: 20, jitter: 0.2 }, timeoutMs },
      databaseUrl: outbox.url,
      clock: systemClock,
      keyring,
      log: testLog().log,
    };
  }

  function work(given: DeliveryDeps) {
    const worker = startDelivery(given);
    running.push(worker);
    return worker;
  }

  function producer(given: DeliveryDeps) {
    const opened = openProducer(given);
    running.push(opened);
    return opened;
  }

  const received = () => receiver.events.map(({ reference }) => reference).toSorted();
  const delivered = async () => {
    const { rows } = await outbox.pool.query<{ status: string; attempts: number; count: number }>(
      'select status, attempts, count(*)::int from webhooks.delivery group by 1, 2 order by 1, 2',
    );
    return rows;
  };
  const cutConnections = () =>
    outbox.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid()`);
  return {
    outbox,
    receiver,
    running,
    deps,
    work,
    producer,
    received,
    delivered,
    cutConnections,
    emit: (count?: number) => outbox.emitTo(partner, count),
  };
}

/** What a worker does, whatever store carries what wakes it. */
export function deliversWhenWoken(
  store: string,
  workers: ReturnType<typeof useWorkers>,
  redisUrl: () => string | undefined,
): void {
  const { receiver, running, deps, work, producer, received, delivered, cutConnections, emit } = workers;
  describe(`a worker woken over ${store}`, () => {
    const place = (timeoutMs?: number) => deps(redisUrl(), timeoutMs);
    test('delivers what is committed, once each, whichever of two workers is woken', async () => {
      const { wake } = producer(place());
      work(place());
      work(place());
      const references: string[] = [];
      for (let round = 0; round < 20; round++) {
        references.push(...(await emit(10)));
        wake();
      }
      await eventually(() => expect(received()).toEqual(references.toSorted()));
      await eventually(async () =>
        expect(await delivered()).toEqual([{ status: 'DELIVERED', attempts: 1, count: 200 }]),
      );
    });

    test('tries again after the backoff, without being woken', async () => {
      receiver.answer([500, 500, 500]);
      work(place());
      await emit();
      await eventually(async () => expect(await delivered()).toEqual([{ status: 'DELIVERED', attempts: 4, count: 1 }]));
    });

    test('finds due deliveries without being woken', async () => {
      work(place());
      const first = await emit();
      await eventually(() => expect(received()).toEqual(first));
      const second = await emit();
      await eventually(() => expect(received()).toEqual([...first, ...second].toSorted()));
    });

    test('that is closed has finished what was in flight, and leaves the rest to the next', async () => {
      receiver.answer(() => ({ status: 200, afterMs: 100 }));
      await emit(50);
      const worker = work(place());
      await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0));
      running.splice(running.indexOf(worker), 1);
      await worker.close();
      const counts = await delivered();
      expect(counts.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(['DELIVERED 1', 'PENDING 0']);
      work(place());
      await eventually(async () =>
        expect(await delivered()).toEqual([{ status: 'DELIVERED', attempts: 1, count: 50 }]),
      );
      expect(receiver.requests).toHaveLength(50);
    });

    test('loses nothing when all its connections to the database are cut, again and again', async () => {
      const { wake } = producer(place());
      work(place(500)); // so that a claim whose answer was lost is soon made again
      const references: string[] = [];
      for (let round = 0; round < 10; round++) {
        references.push(...(await emit(10)));
        wake();
        await cutConnections();
      }
      await eventually(() => expect([...new Set(received())]).toEqual(references.toSorted()));
    });
  });
}
