import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { checkIntegrity } from '#modules/ledger';

const check = z.object({
  name: z.string(),
  violations: z.int(),
  offenders: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .meta({ description: 'The first rows that offend, where there are any' }),
});

export function getLedgerCheck(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/ledger/check',
    {
      schema: {
        summary: 'Prove every invariant of the books, now',
        response: { 200: z.object({ ok: z.boolean(), checks: z.array(check) }), ...failuresFor(401) },
      },
    },
    async () => {
      const { ok, checks } = await checkIntegrity(db);
      return {
        ok,
        checks: checks.map(({ name, violations, rows }) => ({
          name,
          violations,
          offenders: violations === 0 ? undefined : [...rows],
        })),
      };
    },
  );
}
