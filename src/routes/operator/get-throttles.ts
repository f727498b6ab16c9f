import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listClosed } from '#modules/throttles';
import { listOf, momentDigestKey, pagedBy } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { throttleShape, toThrottle } from './shapes/throttle.ts';

const pages = pagedBy('throttles', momentDigestKey);

const querystring = pages.query.extend({
  name: optional(text(100)).meta({ description: 'What is counted', example: 'logins' }),
  about: optional(z.uuid()).meta({ description: 'Of which partner, application, customer or operator' }),
});

export function getThrottles(app: ZodApp, deps: DepsOf<typeof listClosed>): void {
  app.get(
    '/throttles',
    {
      schema: {
        operationId: 'listThrottles',
        summary: 'What is refused by a limit now, that first which opens last',
        description:
          'Limits that all processes share: of logins, codes, wrong tokens and daily budgets. Those of calls in a second, which each process has of its own, are over sooner than they can be listed.',
        querystring,
        response: { 200: listOf(throttleShape) },
      },
    },
    async ({ query }) => pages.page(await listClosed(deps, query), query, toThrottle),
  );
}
