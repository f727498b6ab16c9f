import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendLinkCode } from '#modules/consent';
import { codeRequestBody } from './approval-page.ts';
import { federationPage } from './get-federation.ts';
import { approvalParams } from './shapes.ts';

/** The form by which a customer has a code sent to them, to answer a link of their PayTag with. */
export function postFederationCode(
  app: ZodApp,
  deps: DepsOf<typeof federationPage> & DepsOf<typeof sendLinkCode>,
): void {
  const page = federationPage(deps);
  app.post(
    '/federation/:approvalToken/code',
    { errorHandler: page.refuse, schema: { hide: true, params: approvalParams, body: codeRequestBody } },
    async (request, reply) => {
      const { approvalToken } = request.params;
      const { form: seal, channel } = request.body;
      page.assertFormIsOurs(approvalToken, { seal, headers: request.headers });
      await sendLinkCode(deps, approvalToken, channel);
      return reply.redirect(`${page.pathOf(approvalToken)}?with=code`, 303);
    },
  );
}
