import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendOtp } from '#modules/onboarding';
import { channelQuery, otpDispatchShape, sessionParams } from './shapes.ts';

export function getOtp(app: ZodApp, deps: DepsOf<typeof sendOtp>): void {
  app.get(
    '/:session/otp',
    {
      schema: {
        tags: ['Onboarding'],
        operationId: 'sendOtp',
        summary: 'Send a one-time password',
        security: partnerOnly,
        params: sessionParams,
        querystring: channelQuery,
        response: { 200: otpDispatchShape, ...failuresFor(400, 401, 403, 404, 409, 410, 429, 502) },
      },
    },
    async (request) => {
      return sendOtp(deps, {
        partnerId: partnerOf(request).id,
        session: request.params.session,
        channel: request.query,
      });
    },
  );
}
