import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { prefersHtml } from '#http/headers.ts';
import { failureShape, withCodes } from '#http/openapi-meta.ts';
import { assertFormIsOurs, sealForm } from '#http/pages.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { messagePage, type PageOptions } from './approval-parts.ts';
import { type ErrorMessage, errorMessageOf } from './error-messages.ts';
import { type Page, sendPage } from './page.ts';

type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** A page on which a tag's owner answers what an application asks of them. */
export interface ApprovalPage {
  /** Its path, for whoever has the token. */
  pathOf: (token: string) => string;
  /** Answers the page, with the request as it is now. */
  show: (reply: FastifyReply, token: string, options: { hasCode: boolean }) => Promise<FastifyReply>;
  /** @throws DomainError FORM_REFUSED for a form that does not come from this page */
  assertFormIsOurs: (token: string, form: { seal: string; headers: IncomingHttpHeaders }) => void;
  /** An error handler: it answers a page that says what was refused, above the form while there still is one. */
  refuse: ErrorHandler;
  /** The same for a browser; for a program it answers in the Envelope. */
  refuseByAccept: ErrorHandler;
}

/** How the page of one kind of request differs from that of another. */
export interface PageKind<Deps, Request> {
  /** The segment of its path. Its forms are sealed for it too. */
  segment: 'consent' | 'federation';
  /** The name of the token among the parameters of its routes. */
  param: string;
  open: (deps: Deps, token: string) => Promise<Request>;
  pageOf: (request: Request, options: PageOptions) => Page;
}

/** After these refusals there still is a code to enter. */
const CODE_STILL_AWAITED = new Set<ErrorCode>(['OTP_INVALID', 'OTP_EXPIRED', 'OTP_COOLDOWN', 'OTP_SENDS_EXCEEDED']);

/** What the forms of a page are sealed and checked with. */
export type FormDeps = DepsOf<typeof sealForm> & DepsOf<typeof assertFormIsOurs>;

/** The page of every request of one kind. */
export function approvalPage<Deps, Request>(deps: Deps & FormDeps, kind: PageKind<Deps, Request>): ApprovalPage {
  const { segment, open, pageOf } = kind;
  const sealedFor = (token: string) => `${segment}:${token}`;
  const pathOf = (token: string) => `/api/v1/${segment}/${encodeURIComponent(token)}`;
  const render = async (
    { server }: FastifyReply,
    token: string,
    options: { hasCode: boolean; problem?: ErrorMessage },
  ) => {
    const form = { path: pathOf(token), seal: sealForm(deps, sealedFor(token)), testCode: server.testing?.code };
    return pageOf(await open(deps, token), { ...form, ...options });
  };

  const refuse: ErrorHandler = (thrown, request, reply) => {
    const { error, status } = refusalOf(thrown, request, reply);
    const token = String(Object(request.params)[kind.param] ?? '');
    const problem = errorMessageOf(error, status);
    render(reply, token, { hasCode: CODE_STILL_AWAITED.has(error.code), problem })
      .catch(() => messagePage(problem))
      .then((page) => sendPage(reply, status, page))
      .catch((failed: unknown) => sendFailure(failed, request, reply));
  };

  return {
    pathOf,
    show: async (reply, token, options) => sendPage(reply, 200, await render(reply, token, options)),
    assertFormIsOurs: (token, form) => assertFormIsOurs(deps, { subject: sealedFor(token), ...form }),
    refuse,
    refuseByAccept: (error, request, reply) => {
      if (prefersHtml(request.headers.accept)) refuse(error, request, reply);
      else sendFailure(error, request, reply);
    },
  };
}

/** The query that such a page is opened with. */
export const pageQuery = z.object({
  with: z
    .unknown()
    .optional()
    .meta({ type: 'string', description: '`code`: the page asks for the code that was sent' }),
});

/** An answer that is JSON for a program, and a page for a browser. */
export const orPage = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});

/** What such an operation answers where nothing waits for an answer any more. */
export const orPageFailures = (unknown: ErrorCode, expired: ErrorCode) => ({
  404: withCodes(orPage('Unknown', failureShape), [unknown]),
  410: withCodes(orPage('Expired', failureShape), [expired]),
});
