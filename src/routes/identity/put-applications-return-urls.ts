import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeReturnUrls } from '#modules/clients';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { webUrl } from '#wire/text.ts';

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

const RETURN_URLS_MAX = 10;

const returnUrls = z
  .array(webUrl)
  .max(RETURN_URLS_MAX, `must have at most ${RETURN_URLS_MAX} items`)
  .meta({
    description:
      'https, without query and fragment; outside live http is good for localhost. All together: those that are left out are forgotten',
    example: ['https://shop.example/linked'],
  });

const returnUrlsChange = z.object({ returnUrls });

export const returnUrlsShape = z.object({ returnUrls: z.array(z.string()) }).meta({ id: 'ReturnUrls' });
