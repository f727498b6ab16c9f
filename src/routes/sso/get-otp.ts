import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendOtp } from '#modules/accounts';
import { channelQuery, otpDispatchShape, sessionParams } from './shapes.ts';

export function getOtp(app: ZodApp, deps: DepsOf<typeof sendOtp>): void {
  app.get(
    '/:session/otp',
    {
      exposeHeadRoute: false, // it sends the code
      schema: {
        tags: ['Onboarding'],
        operationId: 'sendOtp',
        summary: 'Send a one-time password',
        security: partnerOnly,
        params: sessionParams,
        querystring: channelQuery,
        response: {
          200: otpDispatchShape,
          ...failuresFor(
            'OTP_CHANNEL_UNAVAILABLE',
            'SESSION_NOT_FOUND',
            'OTP_ALREADY_VALIDATED',
            'SESSION_EXPIRED',
            'OTP_ATTEMPTS_EXCEEDED',
            'OTP_COOLDOWN',
            'OTP_SENDS_EXCEEDED',
            'MESSAGING_PROVIDER_UNAVAILABLE',
          ),
        },
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
