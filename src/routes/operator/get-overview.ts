import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { readOverview } from '#modules/enquiries';
import { overviewShape, toOverview } from './shapes/overview.ts';

export function getOverview(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readOverview>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/overview',
    {
      schema: {
        operationId: 'getOverview',
        summary: 'Whether anything is wrong now, and the money of the day',
        response: { 200: overviewShape },
      },
    },
    async ({ actor }) => toOverview(await readLong(actor, (db) => readOverview({ ...deps, db }))),
  );
}
