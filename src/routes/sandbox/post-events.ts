import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { applicationEvents, partnerEvents, sendApplicationSample, sendPartnerSample } from '#modules/sandbox';
import { deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';
import type { SandboxCaller } from './shapes.ts';

const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.object({ event: z.enum(names, `must be one of ${names.join(', ')}`) });
const ofPartner = oneOf(partnerEvents);
const ofApplication = oneOf(applicationEvents);

type Deps = DepsOf<typeof sendApplicationSample>;

export function postEvents(app: ZodApp, deps: Deps, { kind, operationId, security }: SandboxCaller): void {
  app.post(
    '/events',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: operationId('sendEvent'),
        summary: 'Have an event sent to your own receiver as it really looks, though nothing happened',
        security,
        body: kind === 'partner' ? ofPartner : ofApplication,
        response: { 200: deliveryWithAttempts, ...failuresFor('WEBHOOK_URL_NOT_SET', 'EVENT_NOT_WANTED') },
      },
    },
    async (request) =>
      toDeliveryWithAttempts(
        kind === 'partner'
          ? await sendPartnerSample(deps, { partnerId: partnerOf(request).id, ...ofPartner.parse(request.body) })
          : await sendApplicationSample(deps, {
              application: applicationOf(request),
              ...ofApplication.parse(request.body),
            }),
      ),
  );
}
