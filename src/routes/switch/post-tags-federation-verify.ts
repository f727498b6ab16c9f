import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { verifyLink } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { optional, text } from '#wire/text.ts';
import { linkParams, linkShape, toLink } from './shapes.ts';

export function postTagsFederationVerify(app: ZodApp, deps: DepsOf<typeof verifyLink> & { clock: Clock }): void {
  app.post(
    '/tags/:tag/federation/:linkId/verify',
    {
      schema: {
        tags: ['Federation', 'Extension'],
        operationId: 'verifyLink',
        summary: 'Verify a pending link: OTP and ATTESTATION by the side that started it, CONSENT by the other',
        security: applicationOnly,
        params: linkParams,
        body: z
          .object({
            token: optional(text(4096)).meta({ description: 'The code, or the attestation; none for CONSENT' }),
          })
          .nullish(),
        response: {
          200: envelopeOf(linkShape),
          ...failuresFor(
            'ATTESTATION_INVALID',
            'OTP_INVALID',
            'NOT_PERMITTED',
            'LINK_NOT_FOUND',
            'LINK_NOT_PENDING',
            'TAG_SUSPENDED',
            'LINK_EXPIRED',
          ),
        },
      },
    },
    async (request) => {
      const which = { address: request.params.tag, linkId: request.params.linkId, token: request.body?.token };
      const link = await verifyLink(deps, applicationOf(request), which);
      return enveloped(deps.clock, 'link verified', toLink(link));
    },
  );
}
