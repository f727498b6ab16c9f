import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { answerInPerson } from '#modules/consent';
import { consentParams } from '#wire/tag.ts';
import { answerBody, proofOf } from './approval-page.ts';
import { consentPage } from './get-consent.ts';

/** The form by which a tag's owner proves who they are, and approves or declines. Then the page shows the outcome. */
export function postConsent(app: ZodApp, deps: DepsOf<typeof consentPage> & DepsOf<typeof answerInPerson>): void {
  const page = consentPage(deps);
  app.post(
    '/consent/:consentToken',
    { errorHandler: page.refuse, schema: { hide: true, params: consentParams, body: answerBody } },
    async (request, reply) => {
      const { consentToken } = request.params;
      const { form: seal, answer } = request.body;
      page.assertFormIsOurs(consentToken, { seal, headers: request.headers });
      await answerInPerson(deps, consentToken, { answer, proof: proofOf(request) });
      return reply.redirect(page.pathOf(consentToken), 303);
    },
  );
}
