import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { answerLinkRequest } from '#modules/consent';
import { answerBody, proofOf } from './approval-page.ts';
import { federationPage } from './get-federation.ts';
import { approvalParams } from './shapes.ts';

/** The form by which a customer proves who they are, and approves a link of their PayTag or declines it. */
export function postFederation(
  app: ZodApp,
  deps: DepsOf<typeof federationPage> & DepsOf<typeof answerLinkRequest>,
): void {
  const page = federationPage(deps);
  app.post(
    '/federation/:approvalToken',
    { errorHandler: page.refuse, schema: { hide: true, params: approvalParams, body: answerBody } },
    async (request, reply) => {
      const { approvalToken } = request.params;
      const { form: seal, answer } = request.body;
      page.assertFormIsOurs(approvalToken, { seal, headers: request.headers });
      await answerLinkRequest(deps, approvalToken, { answer, proof: proofOf(request) });
      return reply.redirect(page.pathOf(approvalToken), 303);
    },
  );
}
