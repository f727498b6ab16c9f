import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { initiateFederation } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { tagParams } from '#wire/tag.ts';
import { text } from '#wire/text.ts';
import { federationShape, returnUrl, toFederation } from './shapes.ts';

const body = z.object({
  secondaryTag: text(200).meta({ example: 'bola' }),
  verificationMethod: text(40).meta({
    description: 'OTP, CONSENT or ATTESTATION, in either case; SMS, EMAIL, SMS_OTP and EMAIL_OTP mean OTP',
    enum: ['OTP', 'CONSENT', 'ATTESTATION', 'SMS', 'EMAIL', 'SMS_OTP', 'EMAIL_OTP'],
    example: 'OTP',
  }),
  returnUrl,
});

export function postTagsFederation(app: ZodApp, deps: DepsOf<typeof initiateFederation> & { clock: Clock }): void {
  app.post(
    '/tags/:tag/federation',
    {
      schema: {
        tags: ['Federation'],
        operationId: 'createLink',
        summary: 'Start linking another tag to one of yours: its side alone is sent the challenge',
        security: applicationOnly,
        params: tagParams,
        body: body.meta({ example: { secondaryTag: 'bola', verificationMethod: 'OTP' } }),
        response: {
          200: envelopeOf(federationShape),
          ...failuresFor(
            'OTP_CHANNEL_UNAVAILABLE',
            'RETURN_URL_NOT_REGISTERED',
            'SELF_FEDERATION',
            'NOT_PERMITTED',
            'TAG_NOT_FOUND',
            'LINK_EXISTS',
            'TAG_SUSPENDED',
            'MESSAGING_PROVIDER_UNAVAILABLE',
          ),
        },
      },
    },
    async (request) => {
      const asked = { address: request.params.tag, ...request.body };
      const federation = await initiateFederation(deps, applicationOf(request), asked);
      return enveloped(deps.clock, 'federation initiated', toFederation(federation));
    },
  );
}
