import type { ZodApp } from '#http/zod-app.ts';
import { answerLinkInPerson } from '#modules/federations';
import type { Resources } from '../../resources.ts';
import { approvalParams } from '../switch/federation-shapes.ts';
import { answerForm, proofOf } from './approval/answer-form.ts';
import { linkPage } from './federation/show.ts';

/** The form by which a customer proves herself, and consents to a link of her PayTag or declines it. */
export function postFederation(app: ZodApp, resources: Resources): void {
  const page = linkPage(resources);
  app.post(
    '/federation/:approvalToken',
    { errorHandler: page.refuse, schema: { hide: true, params: approvalParams, body: answerForm } },
    async (request, reply) => {
      const { approvalToken } = request.params;
      const { form: seal, answer } = request.body;
      page.assertFormIsOurs(approvalToken, { seal, headers: request.headers });
      await answerLinkInPerson(resources, approvalToken, { answer, proof: proofOf(request.body) });
      return reply.redirect(page.pathOf(approvalToken), 303);
    },
  );
}
