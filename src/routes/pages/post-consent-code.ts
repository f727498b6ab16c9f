import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendConsentCode } from '#modules/consent';
import { consentParams } from '#wire/tag.ts';
import { codeRequestBody } from './approval-page.ts';
import { consentPage } from './get-consent.ts';

/** The form by which a tag's owner has a code sent to them. Then the page asks for the code. */
export function postConsentCode(app: ZodApp, deps: DepsOf<typeof consentPage> & DepsOf<typeof sendConsentCode>): void {
  const page = consentPage(deps);
  app.post(
    '/consent/:consentToken/code',
    { errorHandler: page.refuse, schema: { hide: true, params: consentParams, body: codeRequestBody } },
    async (request, reply) => {
      const { consentToken } = request.params;
      const { form: seal, channel } = request.body;
      page.assertFormIsOurs(consentToken, { seal, headers: request.headers });
      await sendConsentCode(deps, consentToken, channel);
      return reply.redirect(`${page.pathOf(consentToken)}?with=code`, 303);
    },
  );
}
