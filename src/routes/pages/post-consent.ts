import { z } from 'zod';
import { answerInPerson, answers } from '#modules/claims';
import { consentParams } from '../../http/claim-shapes.ts';
import { assertFormIsOurs } from '../../http/form-seal.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { consentPath, formSubject, showRefusal } from './consent/show.ts';

const shared = { form: z.string().max(100), answer: z.enum(answers) };
const body = z.discriminatedUnion('by', [
  z.object({ ...shared, by: z.literal('password'), paytag: z.string().max(64), password: z.string().max(256) }),
  z.object({ ...shared, by: z.literal('code'), code: z.string().max(12) }),
]);

/** The form by which a tag's owner proves herself, and approves or declines. Then she is shown where it stands. */
export function postConsent(app: ZodApp, resources: Resources): void {
  app.post(
    '/consent/:consentToken',
    { errorHandler: showRefusal(resources), schema: { hide: true, params: consentParams, body } },
    async (request, reply) => {
      const { consentToken } = request.params;
      const { form: seal, answer, ...given } = request.body;
      assertFormIsOurs(resources, { subject: formSubject(consentToken), seal, headers: request.headers });
      const proof =
        given.by === 'password'
          ? ({ by: 'PASSWORD', paytag: given.paytag.trim(), password: given.password } as const)
          : ({ by: 'OTP', code: given.code.replaceAll(/\s/g, '') } as const);
      await answerInPerson(resources, consentToken, { answer, proof });
      return reply.redirect(consentPath(consentToken), 303);
    },
  );
}
