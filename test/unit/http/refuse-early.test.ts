import Fastify from 'fastify';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import { createDrain } from '#http/drain.ts';
import { refuseEarly } from '#http/refuse-early.ts';
import { eventually } from '../../support/eventually.ts';

it('tells of a flood once refusals have waited for their turn all the time, and of its end', async () => {
  const app = Fastify();
  app.decorate('failureMembersByPrefix', new Map());
  const told: boolean[] = [];
  const metrics = { add: () => {}, observe: () => {} };
  refuseEarly(app, { metrics, drain: createDrain(), flood: (isOne) => told.push(isOne) }, () => true);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const callers = new Pool(origin, { connections: 1000 });
  const ask = async () => {
    const { statusCode, body } = await callers.request({ method: 'GET', path: '/' });
    await body.dump();
    return statusCode;
  };
  expect(await ask()).toBe(503);
  await eventually(() => expect(told).toEqual([false])); // nobody waited
  const answers = await Promise.all(Array.from({ length: 1000 }, ask)); // what fourteen turns refuse
  expect(new Set(answers)).toEqual(new Set([503]));
  await eventually(() => expect(told.at(-1)).toBe(false));
  expect(told).toContain(true);
  await callers.close();
  await app.close();
});
