import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createSecurityLog } from '#lib/security-events.ts';
import { type DeliveryDeps, startConsumer, startDelivery } from '../../../src/worker/deliver-webhooks.ts';
import { openQueue, type QueuePlace } from '../../../src/worker/queue.ts';
import { openProducer } from '../../../src/worker/queue-producer.ts';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';
import { keyring, type TestReceiver, useOutbox } from '../../support/outbox.ts';
import { useReceiver } from '../../support/receiver.ts';

interface Closable {
  close(): Promise<void>;
}

/** What a test opens: the last is closed first, after each test. */
export function useRunning(): Closable[] {
  const running: Closable[] = [];
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.close();
  });
  return running;
}

/**
 * What wake-ups do, whatever store carries them.
 *
 * @param entriesIn how much the queue keeps there: rows of all its tables, or keys and entries of streams
 */
export function wakeUps(
  name: string,
  newPlace: () => Promise<QueuePlace>,
  entriesIn: (place: QueuePlace) => Promise<number>,
): void {
  const running = useRunning();
  describe(`wake-ups over ${name}`, () => {
    /** A sending and a receiving end. Each drain that begins takes the next gate, and ends when it is opened. */
    async function connect() {
      const kept = testLog();
      const place = { log: kept.log, ...(await newPlace()) };
      const gates: (() => void)[] = [];
      let over = false;
      const drain = () => new Promise<void>((open) => void (over ? open() : gates.push(open)));
      const producer = openProducer(place);
      const consumer = startConsumer(place, drain);
      running.push(producer, {
        close: () => {
          over = true;
          for (const open of gates) open();
          return consumer.close();
        },
      });
      const drains = (count: number) => eventually(() => expect(gates).toHaveLength(count));
      return { place, producer, gates, drains, kept };
    }

    test('reach the worker', async () => {
      const { producer, gates } = await connect();
      producer.wake();
      await eventually(() => expect(gates).toHaveLength(1));
    });

    test('that come while the worker drains lead to one more drain after it', async () => {
      const { place, gates, drains } = await connect();
      const queue = openQueue(place, () => undefined);
      running.push(queue);
      await queue.add();
      await drains(1);
      for (let n = 0; n < 10; n++) await queue.add();
      expect(gates).toHaveLength(1);
      gates[0]?.();
      await drains(2);
      gates[1]?.();
      await queue.add();
      await drains(3);
    });

    test('of which thousands come at once are few for the worker', async () => {
      const { producer, gates } = await connect();
      for (let n = 0; n < 10_000; n++) producer.wake();
      await eventually(() => expect(gates.length).toBeGreaterThan(0));
      expect(gates.length).toBeLessThan(5);
    });

    test('leave next to nothing in the queue, however many there were', async () => {
      const { place, gates, drains } = await connect();
      const queue = openQueue(place, () => undefined);
      running.push(queue);
      for (let n = 1; n <= 150; n++) {
        await queue.add();
        await drains(n);
        gates[n - 1]?.();
      }
      await eventually(async () => expect(await entriesIn(place)).toBeLessThan(400)); // each writes four events
    });

    test('log nothing while all is well', async () => {
      const { producer, gates, drains, kept } = await connect();
      producer.wake();
      await drains(1);
      gates[0]?.();
      producer.wake();
      await drains(2);
      expect(kept.lines).toEqual([]);
    });
  });
}

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
      securityLog: createSecurityLog({ log: testLog().log, counted: () => undefined }),
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
