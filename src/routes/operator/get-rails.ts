import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listRails, type RailView } from '#modules/rails';
import { momentOut } from '#wire/moment.ts';
import { toMajor, toMajorIfAny } from '#wire/money.ts';

const rail = z.object({
  provider: z.string().meta({ example: 'paystack' }),
  balance: z.number().optional().meta({
    description: 'What we have there, as it says now; left out where it keeps none for us, or does not answer',
  }),
  answers: z.boolean().optional().meta({ description: 'Whether it answered just now; left out where it is not asked' }),
  accounts: z.array(z.object({ account: z.string().meta({ example: 'CLEARING_PAYOUT' }), balance: z.number() })).meta({
    description: 'Our clearing accounts of what it carries: below zero, what it has taken in and not paid out',
  }),
  oldestUnknownPayout: z
    .object({ id: z.uuid(), sentAt: momentOut.optional() })
    .optional()
    .meta({ description: 'Of those whose end nobody knows' }),
  lastComparison: z
    .object({ date: z.string().meta({ example: '2026-01-31' }), comparedAt: momentOut, differences: z.int() })
    .optional()
    .meta({ description: 'Of the latest day that was compared' }),
});
const rails = z.object({ items: z.array(rail) });

export function getRails(app: ZodApp, deps: DepsOf<typeof listRails>): void {
  app.get(
    '/rails',
    {
      schema: {
        operationId: 'listRails',
        summary: 'The providers that move money for us: what stands there, what stands here, and what is open',
        response: { 200: rails },
      },
    },
    async () => ({ items: (await listRails(deps)).map(toRail) }),
  );
}

const toRail = ({
  balance,
  accounts,
  oldestUnknownPayout,
  lastComparison,
  ...one
}: RailView): z.input<typeof rail> => ({
  ...one,
  balance: toMajorIfAny(balance),
  accounts: accounts.map((each) => ({ ...each, balance: toMajor(each.balance) })),
  oldestUnknownPayout: oldestUnknownPayout && {
    id: oldestUnknownPayout.id,
    sentAt: oldestUnknownPayout.sentAt?.toISOString(),
  },
  lastComparison: lastComparison && {
    date: lastComparison.day,
    comparedAt: lastComparison.comparedAt.toISOString(),
    differences: lastComparison.differences.length,
  },
});
