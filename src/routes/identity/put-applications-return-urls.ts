import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeReturnUrls } from '#modules/clients';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { returnUrlsChange, returnUrlsShape } from './return-urls.ts';

export function putApplicationsReturnUrls(app: ZodApp, deps: DepsOf<typeof changeReturnUrls> & { clock: Clock }): void {
  app.put(
    '/applications/return-urls',
    {
      schema: {
        tags: ['Application identity', 'Extension'],
        operationId: 'setReturnUrls',
        summary: 'Register the pages of this application to which the approval pages may lead back',
        security: applicationOnly,
        body: returnUrlsChange,
        response: { 200: envelopeOf(returnUrlsShape) },
      },
    },
    async (request) => {
      const { returnUrls } = request.body;
      const change = { id: applicationOf(request).id, returnUrls, actor: request.credential };
      return enveloped(deps.clock, 'return URLs changed', { returnUrls: await changeReturnUrls(deps, change) });
    },
  );
}
