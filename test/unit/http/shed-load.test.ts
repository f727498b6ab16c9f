import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAcceptQueue } from '#http/accept-queue.ts';
import { createDrain } from '#http/drain.ts';
import { createReadDelay } from '#http/read-delay.ts';
import { shedLoad } from '#http/shed-load.ts';
import { boundsOf, createAdmission } from '#lib/admission.ts';
import { springPaging } from '../../../src/routes/switch/spring-page.ts';

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
