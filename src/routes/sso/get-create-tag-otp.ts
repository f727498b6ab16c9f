import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendOtp } from '#modules/accounts';
import { channelQuery, otpDispatchShape, sessionId } from './shapes.ts';

export function getCreateTagOtp(app: ZodApp, deps: DepsOf<typeof sendOtp>): void {
  app.get(
    '/create-tag/:onboarding/otp',
    {
      exposeHeadRoute: false, // it sends the code
      schema: {
        tags: ['Onboarding'],
        operationId: 'sendOnboardingOtp',
        summary: 'Send a one-time password for a PayTag creation',
        security: partnerOnly,
        params: z.object({ onboarding: sessionId }),
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
        session: request.params.onboarding,
        channel: request.query,
      });
    },
  );
}
