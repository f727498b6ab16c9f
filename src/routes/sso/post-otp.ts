import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { validateOtp } from '#modules/accounts';
import { otpDispatchShape, sessionParams } from './shapes.ts';

const body = z.object({
  otp: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .meta({ example: '123456' }),
});

export function postOtp(app: ZodApp, deps: DepsOf<typeof validateOtp>): void {
  app.post(
    '/:session/otp',
    {
      schema: {
        tags: ['Onboarding'],
        operationId: 'validateOtp',
        summary: 'Validate the one-time password that was sent last',
        security: partnerOnly,
        params: sessionParams,
        body,
        response: {
          200: otpDispatchShape,
          ...failuresFor(
            'OTP_EXPIRED',
            'OTP_INVALID',
            'SESSION_NOT_FOUND',
            'OTP_ALREADY_VALIDATED',
            'OTP_NOT_SENT',
            'SESSION_COMPLETED',
            'SESSION_EXPIRED',
            'OTP_ATTEMPTS_EXCEEDED',
          ),
        },
      },
    },
    async (request) => {
      const { session } = request.params;
      return validateOtp(deps, { partnerId: partnerOf(request).id, session, otp: request.body.otp });
    },
  );
}
