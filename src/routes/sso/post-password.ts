import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import { text } from '#http/text.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { startPasswordReset } from '#modules/onboarding';
import type { Resources } from '../../resources.ts';
import { passwordResetShape, toPasswordReset } from './shapes.ts';

export function postPassword(app: ZodApp, resources: Resources): void {
  app.post(
    '/password',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Start the change of a forgotten password: the OTP operations take its session',
        security: partnerOnly,
        body: z.object({ paytag: text(100) }),
        response: { 200: passwordResetShape, ...failuresFor(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      return toPasswordReset(await startPasswordReset(resources, { partnerId, paytag: request.body.paytag }));
    },
  );
}
