import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { startPasswordReset } from '#modules/accounts';
import { text } from '#wire/text.ts';
import { passwordResetShape, toPasswordReset } from './shapes.ts';

export function postPassword(app: ZodApp, deps: DepsOf<typeof startPasswordReset>): void {
  app.post(
    '/password',
    {
      schema: {
        tags: ['Login', 'Extension'],
        operationId: 'startPasswordReset',
        summary: 'Start the change of a forgotten password: the OTP operations take its session',
        security: partnerOnly,
        body: z.object({ paytag: text(100) }),
        response: {
          200: passwordResetShape,
          ...failuresFor('PASSWORD_NOT_SET', 'PAYTAG_NOT_FOUND', 'BVN_PROVIDER_UNAVAILABLE'),
        },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      return toPasswordReset(await startPasswordReset(deps, { partnerId, paytag: request.body.paytag }));
    },
  );
}
