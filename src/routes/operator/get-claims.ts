import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findClaims } from '#modules/claims';
import { claimState } from '#wire/claim.ts';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { claimForOperatorShape, toClaimForOperator } from './shapes/claim.ts';

const pages = pagedBy('claims', uuidKey);

const querystring = pages.query.extend({
  tag: optional(text(100)).meta({ description: 'Only those on this tag', example: 'ada' }),
  applicationId: optional(z.uuid()).meta({ description: 'The application that asked' }),
  state: optional(claimState),
  from: optional(momentIn).meta({ description: 'Asked for then or later' }),
  to: optional(momentIn).meta({ description: 'Asked for before' }),
});

export function getClaims(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findClaims>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/claims',
    {
      schema: {
        operationId: 'listClaims',
        summary: 'Requests of applications for the consent of tags’ owners, newest first',
        querystring,
        response: { 200: listOf(claimForOperatorShape) },
      },
    },
    async ({ actor, query }) => {
      const { applicationId, ...asked } = query;
      const found = await readLong(actor, async (db) =>
        findClaims({ ...deps, db }, { requestedByAppId: applicationId, ...asked }),
      );
      return pages.page(found, query, toClaimForOperator);
    },
  );
}
