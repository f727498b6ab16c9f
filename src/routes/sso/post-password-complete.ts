import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { completePasswordReset } from '#modules/accounts';
import { newPassword, passwordResetShape, sessionParams, toPasswordReset } from './shapes.ts';

export function postPasswordComplete(app: ZodApp, deps: DepsOf<typeof completePasswordReset>): void {
  app.post(
    '/password/:session/complete',
    {
      schema: {
        tags: ['Login', 'Extension'],
        operationId: 'completePasswordReset',
        summary: 'Set the new password in a validated session; every session of the customer ends',
        security: partnerOnly,
        params: sessionParams,
        body: z.object({ password: newPassword }),
        response: {
          200: passwordResetShape,
          ...failuresFor(
            'WEAK_PASSWORD',
            'SESSION_NOT_FOUND',
            'SESSION_COMPLETED',
            'SESSION_NOT_VALIDATED',
            'SESSION_EXPIRED',
          ),
        },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      const { session } = request.params;
      const { password } = request.body;
      return toPasswordReset(await completePasswordReset(deps, { partnerId, session, password }));
    },
  );
}
