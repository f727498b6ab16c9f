import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { answerLinkInPerson } from '#modules/federations';
import { approvalParams } from '../switch/federation-shapes.ts';
import { answerForm, proofOf } from './approval/answer-form.ts';
import { linkPage } from './federation/show.ts';

/** The form by which a customer proves herself, and consents to a link of her PayTag or declines it. */
export function postFederation(app: ZodApp, deps: DepsOf<typeof linkPage> & DepsOf<typeof answerLinkInPerson>): void {
  const page = linkPage(deps);
  app.post(
    '/federation/:approvalToken',
    { errorHandler: page.refuse, schema: { hide: true, params: approvalParams, body: answerForm } },
    async (request, reply) => {
      const { approvalToken } = request.params;
      const { form: seal, answer } = request.body;
      page.assertFormIsOurs(approvalToken, { seal, headers: request.headers });
      await answerLinkInPerson(deps, approvalToken, { answer, proof: proofOf(request.body) });
      return reply.redirect(page.pathOf(approvalToken), 303);
    },
  );
}
