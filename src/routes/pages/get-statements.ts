import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { prefersHtml } from '#http/headers.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { verbatim } from '#lib/text/input.ts';
import { openStatement } from '#modules/statements';
import { messagePage } from './approval-page.ts';
import { type ErrorMessage, messageOf } from './error-messages.ts';
import { sendPage } from './page.ts';

/** The document of a signed link, for anyone with the link. */
export function getStatements(app: ZodApp, deps: DepsOf<typeof openStatement>): void {
  app.get(
    '/statements/:token',
    { errorHandler: refuseStatement, schema: { hide: true, params: z.object({ token: verbatim(z.string()) }) } },
    async (request, reply) => {
      const { contentType, filename, contentSecurityPolicy, body } = await openStatement(deps, request.params.token);
      if (contentSecurityPolicy !== undefined) reply.header('content-security-policy', contentSecurityPolicy);
      return reply
        .type(contentType)
        .header('content-disposition', `inline; filename="${filename}"`)
        .header('x-robots-tag', 'noindex, nofollow')
        .header('referrer-policy', 'no-referrer')
        .send(body);
    },
  );
}

const unknown = messageOf('error.link.title', 'error.statement.text');
const onOurSide = messageOf('error.ours.title', 'error.statementOurs.text');

const messages: Partial<Record<ErrorCode, ErrorMessage>> = {
  STATEMENT_NOT_FOUND: unknown,
  WALLET_NOT_FOUND: unknown,
  STATEMENT_LINK_EXPIRED: messageOf('error.statementExpired.title', 'error.statementExpired.text'),
  BUSY: messageOf('error.busy.title', 'error.statementBusy.text'),
};

/** A browser gets a page that says why there is no statement; a program gets the one failure shape. */
function refuseStatement(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!prefersHtml(request.headers.accept)) {
    sendFailure(thrown, request, reply);
    return;
  }
  const { error, status } = refusalOf(thrown, request, reply);
  sendPage(reply, status, messagePage(messages[error.code] ?? onOurSide));
}
