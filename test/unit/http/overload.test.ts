import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAcceptQueue } from '#http/accept-queue.ts';
import { createDrain } from '#http/drain.ts';
import { createWrongCredentialsLimit } from '#http/limit-wrong-credentials.ts';
import { createReadDelay } from '#http/read-delay.ts';
import { refuseEarly } from '#http/refuse-early.ts';
import { shedLoad } from '#http/shed-load.ts';
import { boundsOf, createAdmission } from '#lib/admission.ts';
import { springPaging } from '../../../src/routes/switch/spring-page.ts';
import { eventually } from '../../support/eventually.ts';

describe('the accept queue', () => {
  /** Turns of the event loop of ten milliseconds, by a clock that only they move. */
  function opened() {
    const clock = { ms: 0 };
    const queue = createAcceptQueue(() => clock.ms);
    const listener = {};
    const take = (from = listener): Socket => {
      const connection = new Socket();
      queue.takes(connection, from);
      return connection;
    };
    const turn = async () => {
      clock.ms += 10;
      await setImmediate();
    };
    return { clock, queue, take, turn };
  }

  it('says of a connection that it may have waited since one first came in each turn', async () => {
    const { queue, take, turn } = opened();
    expect(queue.waitedMs(take())).toBe(0);
    for (const waited of [10, 20, 30]) {
      await turn();
      expect(queue.waitedMs(take())).toBe(waited);
    }
  });

  it('says so once, for what comes later on it did not wait', async () => {
    const { queue, take, turn } = opened();
    take();
    await turn();
    const connection = take();
    expect(queue.waitedMs(connection)).toBe(10);
    expect(queue.waitedMs(connection)).toBe(0);
  });

  it('says nothing of a request that came long after its connection', async () => {
    const { clock, queue, take, turn } = opened();
    take();
    await turn();
    const connection = take();
    clock.ms += 20_000;
    expect(queue.waitedMs(connection)).toBe(0);
  });

  it('knows that nobody waited where none came in the turn before, whatever came to another listener', async () => {
    const { queue, take, turn } = opened();
    const other = {};
    take();
    take(other);
    await turn();
    take(other);
    await turn();
    expect(queue.waitedMs(take())).toBe(0);
    expect(queue.waitedMs(take(other))).toBe(20);
  });
});

describe('the delay of what is read', () => {
  beforeEach(() => void vi.useFakeTimers());

  afterEach(() => void vi.useRealTimers());

  /** A delay by a clock that only `turn` moves: a turn of the event loop of so many milliseconds, with what it reads at its end. */
  function opened() {
    const clock = { ms: 0 };
    const delay = createReadDelay(() => clock.ms);
    const turn = (ms: number): number => {
      clock.ms += ms;
      vi.advanceTimersToNextTimer(); // one tick, however late
      return delay.atMostMs();
    };
    return { delay, turn };
  }

  it('says that what is read after a long turn may have waited for all of it', () => {
    const { delay, turn } = opened();
    delay.atMostMs();
    expect([10, 10, 80, 10, 10].map(turn)).toEqual([10, 10, 80, 10, 10]);
  });

  it('says so within a turn too: what is read late in it has waited until now', () => {
    const clock = { ms: 0 };
    const delay = createReadDelay(() => clock.ms);
    delay.atMostMs();
    clock.ms += 60;
    expect(delay.atMostMs()).toBe(60);
  });

  it('counts nothing from before the first question, nor from before a while without any', () => {
    const { turn } = opened();
    expect(turn(500)).toBe(0);
    while (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
    expect(turn(60_000)).toBe(0);
  });
});

describe('refusals before anything is read', () => {
  it('tells of a flood once refusals have waited for their turn all the time, and of its end', async () => {
    const app = Fastify();
    app.decorate('failureMembersByPrefix', new Map());
    const told: boolean[] = [];
    const metrics = { add: () => {}, observe: () => {} };
    refuseEarly(app, { metrics, drain: createDrain(), flood: (isOne) => told.push(isOne) }, () => true);
    const ask = (): ServerResponse => {
      const request = new IncomingMessage(new Socket());
      const response = new ServerResponse(request);
      app.server.emit('request', request, response);
      return response;
    };
    const few = Array.from({ length: 200 }, ask); // what three turns refuse
    await eventually(() => expect(few.every(({ writableEnded }) => writableEnded)).toBe(true));
    expect(told).toEqual([]);

    const many = Array.from({ length: 600 }, ask);
    await eventually(() => expect(told).toEqual([true, false]));
    expect(new Set(many.map(({ statusCode, writableEnded }) => `${statusCode} ${writableEnded}`))).toEqual(
      new Set(['503 true']),
    );
    await app.close();
  });
});

describe('lists', () => {
  const pages = {
    offset: z.object({ limit: z.number().optional(), offset: z.number().optional() }),
    spring: springPaging(['createdAt'], []),
  };

  it.each(Object.entries(pages))('refuses a page of many before others: %s', async (_, querystring) => {
    const shed: unknown[] = [];
    const app = Fastify({ exposeHeadRoutes: false });
    app.setValidatorCompiler(() => () => true);
    shedLoad(app, {
      admission: createAdmission(boundsOf(16)),
      acceptQueue: createAcceptQueue(),
      readDelay: createReadDelay(),
      metrics: { add: () => {}, observe: () => {} },
      drain: createDrain(),
    });
    app.addHook('onRoute', ({ config }) => void shed.push(config?.shed));
    app.get('/pages', { schema: { querystring } }, () => 'pages');
    app.get('/one', { schema: { querystring: z.object({ reference: z.string() }) } }, () => 'one');
    expect(shed).toEqual(['first', undefined]);
    await app.close();
  });
});

describe('the limit of wrong credentials', () => {
  function opened() {
    const clock = { ms: 0 };
    const limit = createWrongCredentialsLimit(() => clock.ms);
    /** How many of so many are looked at. */
    const lookedAt = (count: number) =>
      Array.from({ length: count }, () => limit.isOneTooMany()).filter((is) => !is).length;
    return { clock, limit, lookedAt };
  }

  it('looks at a thousand wrong credentials at once, and at five hundred in each second', () => {
    const { clock, lookedAt } = opened();
    expect(lookedAt(5000)).toBe(1000);
    clock.ms += 1000;
    expect(lookedAt(5000)).toBe(500);
    clock.ms += 10;
    expect(lookedAt(5000)).toBe(5);
    clock.ms += 3_600_000;
    expect(lookedAt(5000)).toBe(1000);
  });

  it('looks at all that are right', () => {
    const { clock, limit, lookedAt } = opened();
    for (let turn = 0; turn < 100; turn += 1) {
      expect(lookedAt(1000)).toBe(1000);
      for (let n = 0; n < 1000; n += 1) limit.wereRight();
      clock.ms += 1;
    }
    expect(lookedAt(5000)).toBe(1000);
  });
});
