import { z } from 'zod';
import type { WebhookRequest } from '#modules/webhooks';
import { credential, personal } from '#wire/personal.ts';

/** What an attempt of a delivery sends. */
export const sentShape = z.object({
  body: personal(z.string(), 'text')
    .optional()
    .meta({ description: 'The exact bytes, which are signed, as text; left out once they are not kept any more' }),
  headers: z.record(z.string(), z.string()).meta({
    description: 'Those of ours, but for the signatures; of the span another one goes out each time',
    example: { 'user-agent': 'PayTag-Webhooks/1' },
  }),
  signatures: z.record(z.string(), credential(z.string())).meta({
    description: 'The headers that sign it, made with the secret of today: whoever has them can send it again',
    example: { 'webhook-signature': 'v1,ODrd0FKy4NRL4o7onP0W5bCGRg82P6W2UHscaIbKF6w=' },
  }),
  ownHeaders: z
    .array(z.string())
    .meta({ description: 'Names of the headers that its owner added; what they hold is theirs' }),
});

const SIGNS = /signature/i;

export const toSent = ({ body, headers, ownHeaders }: WebhookRequest): z.input<typeof sentShape> => {
  const all = Object.entries(headers);
  return {
    body: body ?? undefined,
    headers: Object.fromEntries(all.filter(([name]) => !SIGNS.test(name))),
    signatures: Object.fromEntries(all.filter(([name]) => SIGNS.test(name))),
    ownHeaders,
  };
};
