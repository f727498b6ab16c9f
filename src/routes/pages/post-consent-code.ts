import { z } from 'zod';
import { sendConsentCode } from '#modules/claims';
import { consentParams } from '../../http/claim-shapes.ts';
import { assertFormIsOurs } from '../../http/form-seal.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import { channels } from '../../providers/messaging/port.ts';
import type { Resources } from '../../resources.ts';
import { consentPath, formSubject, showRefusal } from './consent/show.ts';

const body = z.object({ form: z.string().max(100), channel: z.enum(channels) });

/** The form by which a tag's owner has a code sent to her. Then she is shown where to enter it. */
export function postConsentCode(app: ZodApp, resources: Resources): void {
  app.post(
    '/consent/:consentToken/code',
    { errorHandler: showRefusal(resources), schema: { hide: true, params: consentParams, body } },
    async (request, reply) => {
      const { consentToken } = request.params;
      const { form: seal, channel } = request.body;
      assertFormIsOurs(resources, { subject: formSubject(consentToken), seal, headers: request.headers });
      await sendConsentCode(resources, consentToken, channel);
      return reply.redirect(`${consentPath(consentToken)}?with=code`, 303);
    },
  );
}
