import { z } from 'zod';
import type { replayDeliveries } from '#modules/webhooks';
import { deliveryFilter } from './delivery.ts';
import { optional } from './text.ts';

/** What may be replayed, and whether this is only to be asked. */
export const replayBody = deliveryFilter.extend({
  status: optional(z.enum(['FAILED', 'DELIVERED'])).transform((status) => status ?? ('FAILED' as const)),
  after: optional(z.uuid()).meta({ description: 'Goes on behind this event: next of an earlier answer' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only says what would be replayed' }),
});

export const replayShape = z.object({
  dryRun: z.boolean(),
  matched: z.int().meta({ description: 'Deliveries that match, whose event was not sent again since; 10000 at most' }),
  replayed: z.int().meta({ description: 'New deliveries: at most 1000 in one call, one for each event' }),
  left: z.int().meta({ description: 'Those that match and were not replayed' }),
  sample: z.array(z.uuid()).meta({ description: 'Ids of up to 20 that match, the oldest event first' }),
  next: z.uuid().optional().meta({ description: 'Send it as after to go on, while some are left' }),
});

/** The answer to a replay. `left` is what matched and was not replayed. */
export const toReplay = (done: Awaited<ReturnType<typeof replayDeliveries>>): z.input<typeof replayShape> => ({
  ...done,
  left: done.matched - done.replayed,
});
