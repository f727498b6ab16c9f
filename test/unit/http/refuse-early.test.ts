import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Fastify from 'fastify';
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
