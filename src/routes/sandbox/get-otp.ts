import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { readSimulatedCode } from '#modules/accounts';
import { momentOut } from '#wire/moment.ts';
import { text } from '#wire/text.ts';
import { channels } from '../../providers/messaging/port.ts';

const sentCode = z.object({
  otp: z.string().meta({ example: '123456' }),
  channel: z.enum(channels),
  recipients: z.array(z.string()).meta({ description: 'Masked', example: ['+234*******67'] }),
  expiresAt: momentOut,
});

export function getOtp(app: ZodApp, deps: DepsOf<typeof readSimulatedCode>): void {
  app.get(
    '/otp',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'getLastOtp',
        summary: 'Read the one-time password that was sent last in a session',
        security: partnerOnly,
        querystring: z.object({ session: text(200) }),
        response: { 200: sentCode, ...failuresFor('SESSION_NOT_FOUND', 'OTP_NOT_SENT', 'SESSION_EXPIRED') },
      },
    },
    async (request) => {
      const { expiresAt, ...code } = await readSimulatedCode(deps, {
        partnerId: partnerOf(request).id,
        session: request.query.session,
      });
      return { ...code, expiresAt: expiresAt.toISOString() };
    },
  );
}
