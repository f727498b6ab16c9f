import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { startCreation } from '#modules/accounts';
import {
  bvn,
  customerEmail,
  customerOtherName,
  dateOfBirth,
  optional,
  personName,
  registeredPhone,
  text,
} from '#wire/text.ts';
import { creationShape } from './shapes.ts';

const body = z.object({
  bvn,
  firstName: personName,
  lastName: personName,
  otherName: optional(customerOtherName),
  dateOfBirth,
  phone: optional(registeredPhone),
  email: optional(customerEmail),
  paytag: optional(text(100)),
});

export function postCreateTag(app: ZodApp, deps: DepsOf<typeof startCreation>): void {
  app.post(
    '/create-tag',
    {
      schema: {
        tags: ['Onboarding'],
        operationId: 'startOnboarding',
        summary: 'Start the creation of a PayTag with BVN verification',
        security: partnerOnly,
        body,
        response: {
          200: creationShape,
          ...failuresFor(
            'BVN_MISMATCH',
            'BVN_NOT_FOUND',
            'INVALID_PAYTAG',
            'NAME_RESERVED',
            'PAYTAG_RESERVED',
            'BVN_ALREADY_REGISTERED',
            'BVN_PROVIDER_UNAVAILABLE',
          ),
        },
      },
    },
    async (request) => {
      const created = await startCreation(deps, { ...request.body, partnerId: partnerOf(request).id });
      return { ...created, onboarding: created.session, expiresAt: created.expiresAt.toISOString() };
    },
  );
}
