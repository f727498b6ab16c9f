import { setInterval as every } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { KEYRING_ROOT, type TestReceiver, useOutbox } from '../support/outbox.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { type Answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { serveHere } from '../support/served.ts';
import { expectDeliveredOrFailed } from './delivery-outcomes.ts';

const EVENTS = 3;
const ATTEMPTS_MAX = 5;
const MEGABYTE = 'm'.repeat(1024 * 1024);
const KEPT = 16 * 1024;
const RETRY_AFTER_S = 1;

/** What a receiver may do, and what is on record of each attempt then. */
const answers: Record<string, { answer: Answer; error: string | null; kept?: number }> = {
  hangs: { answer: 'hang', error: 'timeout' },
  'drops the connection after the request': { answer: 'drop', error: 'reset' },
  'answers one byte a second': { answer: 'trickle', error: 'timeout' },
  'answers 202': { answer: 202, error: 'status 202' },
  'answers 204': { answer: 204, error: 'status 204' },
  'answers 301': { answer: { status: 301, headers: { location: '/elsewhere' } }, error: 'status 301' },
  'answers 429 with Retry-After': {
    answer: { status: 429, headers: { 'retry-after': String(RETRY_AFTER_S) } },

    error: 'status 429',
  },
  'answers 500': { answer: 500, error: 'status 500' },
  'answers 500 with a megabyte': { answer: { status: 500, body: MEGABYTE }, error: 'status 500', kept: KEPT },
  'answers 200 with a megabyte': { answer: { status: 200, body: MEGABYTE }, error: null, kept: KEPT },
  'answers 201': { answer: 201, error: null },
};

const outbox = useOutbox();
const env = { ...serverEnv(outbox.url), MASTER_KEY: KEYRING_ROOT.toString('hex'), ROLE: 'worker' };
const running: { close(): Promise<unknown> }[] = [];
const closeAll = async () => {
  for (const one of running.splice(0)) await one.close();
};

/** One that may be asked to end: nothing is under way at its end. */
async function startWorkerHere(more: Record<string, string>): Promise<void> {
  const worker = await serveHere({ ...env, ...more });
  running.unshift({ close: () => worker.stop() });
}

async function startWorker(more: Record<string, string>): Promise<ServerProcess> {
  const worker = await startServer({ ...env, ...more });
  running.unshift({ close: () => worker.kill('SIGKILL') });
  return worker;
}

async function receiverThat(answer: Answer): Promise<Receiver & { owner: TestReceiver }> {
  const receiver = await startReceiver();
  receiver.answer(() => answer);
  running.push(receiver);
  return { ...receiver, owner: await outbox.newReceiver(receiver.url) };
}

const attemptsAt = async ({ owner }: { owner: TestReceiver }) => {
  const { rows } = await outbox.pool.query<{ error: string | null; bytes: number | null }>(
    `select d.last_attempt_error as error, length(d.last_response) as bytes from webhooks.delivery d
      where d.receiver_id = $1 and d.last_duration_ms is not null
      union all
     select a.error, length(a.response) from webhooks.delivery d join webhooks.attempt a on a.delivery_id = d.id
      where d.receiver_id = $1 and a.duration_ms is not null`,
    [owner.id],
  );
  return rows;
};

/** Those that are waited for in vain, not for long; the others have time enough, also on a slow machine. */
const inVain = ({ error }: { error: string | null }) => error === 'timeout';
const kinds = [
  ['that', Object.entries(answers).filter(([, one]) => !inVain(one)), '60000'],
  ['waited for in vain, that', Object.entries(answers).filter(([, one]) => inVain(one)), '1000'],
] as const;

describe.each(kinds)('a receiver %s', (_, ofThisKind, timeoutMs) => {
  const those = new Map<string, Awaited<ReturnType<typeof receiverThat>>>();
  afterAll(closeAll);
  beforeAll(async () => {
    await outbox.pool.query('truncate outbox.receiver cascade');
    for (const [what, { answer }] of ofThisKind) {
      const receiver = await receiverThat(answer);
      await outbox.emitTo(receiver.owner, EVENTS);
      those.set(what, receiver);
    }
    await startWorkerHere({ WEBHOOK_TIMEOUT_MS: timeoutMs, WEBHOOK_BACKOFF_BASE_MS: '5' });
  });

  it('misbehaves gets every event all the same, five times at most', async () => {
    const delivering = ofThisKind.filter(([, { error }]) => error === null).length;
    const { events, failed, duplicates } = await expectDeliveredOrFailed(outbox.pool, [...those.values()]);
    expect({ events, failed, duplicates }).toEqual({
      events: EVENTS * those.size,
      failed: EVENTS * (those.size - delivering),
      duplicates: 0,
    });
  });

  it.each(ofThisKind)('%s has each attempt on record', async (what, { error, kept = null }) => {
    const receiver = those.get(what);
    if (receiver === undefined) throw new Error('it was started above');
    const attempts = await attemptsAt(receiver);
    const times = EVENTS * (error === null ? 1 : ATTEMPTS_MAX);
    expect(attempts).toEqual(Array.from({ length: times }, () => ({ error, bytes: kept })));
    const { length } = receiver.requests; // an attempt whose time is over may have been given up before it was sent
    expect(length).toBeLessThanOrEqual(times);
    expect(length).toBeGreaterThanOrEqual(error === 'timeout' ? 1 : times);
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/webhook']));
  });

  it('asked for more time is given it', () => {
    const { requests = [] } = those.get('answers 429 with Retry-After') ?? {};
    const times = Map.groupBy(requests, ({ headers }) => headers['webhook-id']);
    for (const requested of times.values()) {
      const gaps = requested.slice(1).map(({ at }, index) => at.getTime() - (requested[index]?.at.getTime() ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(RETRY_AFTER_S * 1000);
    }
  });
});

describe('a receiver that hangs, fed without end', () => {
  afterEach(closeAll);

  it('holds up nobody: the deliveries of a healthy one have all finished while its own still hang', async () => {
    const [hanging, healthy] = [await receiverThat('hang'), await receiverThat(200)];
    await startWorker({ WEBHOOK_TIMEOUT_MS: '60000' }); // longer than all of it takes
    running.unshift(feed(hanging.owner));
    await eventually(() => expect(hanging.requests.length).toBeGreaterThan(0));
    for (let round = 0; round < 10; round++) await outbox.emitTo(healthy.owner, 20);
    await eventually(async () => {
      const attempts = await attemptsAt(healthy);
      expect(attempts).toEqual(Array.from({ length: 200 }, () => ({ error: null, bytes: null })));
    });
    expect(await attemptsAt(hanging)).toEqual([]); // not one of its own has ended
    expect(hanging.requests.length).toBeLessThan(200);
  });
});

/** A hundred events a second, until closed. */
function feed(receiver: TestReceiver): { close(): Promise<void> } {
  const fed = new AbortController();
  const feeding = (async () => {
    try {
      for await (const _ of every(100, undefined, fed)) await outbox.emitTo(receiver, 10);
    } catch (error) {
      if (!fed.signal.aborted) throw error;
    }
  })();
  return {
    close() {
      fed.abort();
      return feeding;
    },
  };
}
