import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getApplication as readApplication } from '#modules/applications';
import { applicationShape, toApplication } from './shapes/application.ts';
import { idParams } from './shapes/params.ts';

export function getApplicationsById(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readApplication>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/applications/:id',
    {
      schema: {
        operationId: 'getApplication',
        summary: 'An application',
        params: idParams,
        response: { 200: applicationShape, ...failuresFor('APPLICATION_NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      toApplication(await readLong(actor, async (db) => readApplication({ ...deps, db }, params.id))),
  );
}
