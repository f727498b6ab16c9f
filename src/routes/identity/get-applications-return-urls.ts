import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getReturnUrls } from '#modules/clients';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { returnUrlsShape } from './put-applications-return-urls.ts';

export function getApplicationsReturnUrls(app: ZodApp, deps: DepsOf<typeof getReturnUrls> & { clock: Clock }): void {
  app.get(
    '/applications/return-urls',
    {
      schema: {
        tags: ['Application identity', 'Extension'],
        operationId: 'getReturnUrls',
        summary: 'The pages of this application to which the approval pages lead back',
        security: applicationOnly,
        response: { 200: envelopeOf(returnUrlsShape) },
      },
    },
    async (request) => {
      const returnUrls = await getReturnUrls(deps, applicationOf(request).id);
      return enveloped(deps.clock, 'return URLs', { returnUrls });
    },
  );
}
