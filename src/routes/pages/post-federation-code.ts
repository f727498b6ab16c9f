import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendLinkCode } from '#modules/federations';
import { approvalParams } from '../switch/federation-shapes.ts';
import { codeRequestForm } from './approval/answer-form.ts';
import { linkPage } from './federation/show.ts';

/** The form by which a customer has a code sent to her, to consent to a link of her PayTag by. */
export function postFederationCode(app: ZodApp, deps: DepsOf<typeof linkPage> & DepsOf<typeof sendLinkCode>): void {
  const page = linkPage(deps);
  app.post(
    '/federation/:approvalToken/code',
    { errorHandler: page.refuse, schema: { hide: true, params: approvalParams, body: codeRequestForm } },
    async (request, reply) => {
      const { approvalToken } = request.params;
      const { form: seal, channel } = request.body;
      page.assertFormIsOurs(approvalToken, { seal, headers: request.headers });
      await sendLinkCode(deps, approvalToken, channel);
      return reply.redirect(`${page.pathOf(approvalToken)}?with=code`, 303);
    },
  );
}
