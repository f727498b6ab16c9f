import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { answerInPerson } from '#modules/claims';
import { consentParams } from '#wire/claim.ts';
import { answerForm, proofOf } from './approval/answer-form.ts';
import { consentPage } from './consent/show.ts';

/** The form by which a tag's owner proves herself, and approves or declines. Then she is shown where it stands. */
export function postConsent(app: ZodApp, deps: DepsOf<typeof consentPage> & DepsOf<typeof answerInPerson>): void {
  const page = consentPage(deps);
  app.post(
    '/consent/:consentToken',
    { errorHandler: page.refuse, schema: { hide: true, params: consentParams, body: answerForm } },
    async (request, reply) => {
      const { consentToken } = request.params;
      const { form: seal, answer } = request.body;
      page.assertFormIsOurs(consentToken, { seal, headers: request.headers });
      await answerInPerson(deps, consentToken, { answer, proof: proofOf(request.body) });
      return reply.redirect(page.pathOf(consentToken), 303);
    },
  );
}
