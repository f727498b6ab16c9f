import { afterEach, describe, expect, test } from 'vitest';
import { openQueue, type QueuePlace } from '../../../src/worker/queue.ts';
import { startConsumer } from '../../../src/worker/queue-consumer.ts';
import { openProducer } from '../../../src/worker/queue-producer.ts';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';

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
