import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Checker, LastReport } from '#modules/integrity';
import { momentIn, momentOut } from '#wire/moment.ts';
import { personal } from '#wire/personal.ts';
import { optional } from '#wire/text.ts';

const check = z.object({
  name: z.string(),
  promise: z.string().meta({ description: 'What must be true, in one sentence' }),
  violations: z.int(),
  offenders: z
    .array(personal(z.record(z.string(), z.unknown()), 'record'))
    .optional()
    .meta({ description: 'The first rows that offend, where there are any' }),
  timedOut: z
    .literal(true)
    .optional()
    .meta({ description: 'It took longer than it may: whether it holds is not known' }),
  remembered: z
    .object({
      months: z.int(),
      since: momentOut.meta({ description: 'When the first of them was looked at' }),
    })
    .optional()
    .meta({
      description:
        'Months that are over and were not looked at again, for want of time, since an earlier check had found them right',
    }),
  error: z.string().optional().meta({ description: 'Why it could not be told: whether it holds is not known' }),
});

const answer = z.object({
  ok: z.boolean().meta({ description: 'True when every invariant was told to its end and none is broken' }),
  checkedAt: momentOut.optional().meta({
    description: 'With `last`: when the last whole check ended; left out where none has',
  }),
  checks: z.array(check),
});

const query = z.object({
  since: optional(momentIn).meta({ description: 'Checks what is new since then; left out: everything' }),
  last: optional(z.enum(['true'])).meta({
    description:
      'What the last whole check and those since it have found, what is broken first: nothing is checked. Before any has ended it is not `ok`',
  }),
});

export function getLedgerCheck(app: ZodApp, { checker }: { checker: Checker }): void {
  app.get(
    '/ledger/check',
    {
      schema: {
        operationId: 'checkLedger',
        summary: 'Prove every invariant of the books and of what hangs on them, now',
        description:
          'One check runs at a time. Who asks for the same while it runs gets the same answer; any other check is refused with CHECK_RUNNING.',
        querystring: query,
        response: {
          200: answer,
          ...failuresFor('CHECK_RUNNING'),
        },
      },
    },
    async (request) => {
      const { since, last } = request.query;
      const report: LastReport = await (last === 'true' ? checker.last() : checker.check(since));
      return {
        ok: report.ok,
        checkedAt: report.checkedAt?.toISOString(),
        checks: report.checks.map(({ name, promise, violations, rows, timedOut, remembered, error }) => ({
          name,
          promise,
          violations,
          offenders: rows.length === 0 ? undefined : [...rows],
          timedOut,
          remembered: remembered && { months: remembered.slices, since: remembered.since },
          error,
        })),
      };
    },
  );
}
