import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { startContactChange } from '#modules/accounts';
import { emailAddress, optional, text } from '#wire/text.ts';
import { creationShape } from './shapes.ts';

const body = z
  .object({
    phone: optional(text(40)).meta({ description: 'The new phone; this or email' }),
    email: optional(emailAddress).meta({ description: 'The new e-mail address; this or phone' }),
  })
  .meta({ example: { email: 'ada@example.com' } });

const contactChangeShape = creationShape.omit({ onboarding: true }).meta({ id: 'ContactChange' });

export function putContact(app: ZodApp, deps: DepsOf<typeof startContactChange>): void {
  app.put(
    '/contact',
    {
      schema: {
        tags: ['Contacts', 'Extension'],
        operationId: 'changeContact',
        summary: 'Change the customer’s phone or e-mail address: a code goes to the new one',
        description:
          'POST /sso/{session}/otp takes the code; GET /sso/{session}/otp sends another. The proven contacts are notified then, and the new one is in force 24 hours later, in the sandbox at once. DELETE /sso/contact and a password reset stop it.',
        security: partnerAndCustomer,
        body,
        response: {
          200: contactChangeShape,
          ...failuresFor(
            'OTP_CHANNEL_UNAVAILABLE',
            'OTP_ATTEMPTS_EXCEEDED',
            'OTP_COOLDOWN',
            'OTP_SENDS_EXCEEDED',
            'BVN_PROVIDER_UNAVAILABLE',
            'MESSAGING_PROVIDER_UNAVAILABLE',
          ),
        },
      },
    },
    async (request) => {
      const whose = { partnerId: partnerOf(request).id, customerId: request.customerId };
      const started = await startContactChange(deps, { ...request.body, ...whose });
      return { ...started, expiresAt: started.expiresAt.toISOString() };
    },
  );
}
