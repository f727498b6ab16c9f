import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prefersHtml } from '#http/accept.ts';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { assertFormIsOurs, sealForm } from '#http/form-seal.ts';
import { type Page, sendPage } from '#http/page.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/error-codes.ts';
import type { Opened } from './answering.ts';
import { messagePage } from './end-page.ts';
import { inPlainWords, type PlainWords } from './plain-words.ts';

type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** A page on which a tag's owner answers what an application asks of her. */
export interface ApprovalPage {
  /** Where it stands, for whoever has the token. */
  pathOf: (token: string) => string;
  /** Answers the page as the request stands. */
  show: (reply: FastifyReply, token: string, how: { hasCode: boolean }) => Promise<FastifyReply>;
  /** @throws DomainError FORM_REFUSED for a form that did not stand in this page */
  assertFormIsOurs: (token: string, form: { seal: string; headers: IncomingHttpHeaders }) => void;
  /** An error handler: what was refused is said in a page, above the form where there is one still. */
  refuse: ErrorHandler;
  /** The same for a browser; for a program it answers in the Envelope. */
  refuseByAccept: ErrorHandler;
}

/** What one such page is of. */
export interface Subject<Deps, Request> {
  /** The segment of its path, and what its forms are sealed for. */
  segment: 'consent' | 'federation';
  /** The name of the token among the parameters of its routes. */
  param: string;
  open: (deps: Deps, token: string) => Promise<Request>;
  pageOf: (request: Request, how: Opened) => Page;
}

/** Refusals that leave a code to be entered. */
const LEAVING_A_CODE = new Set<ErrorCode>(['OTP_INVALID', 'OTP_EXPIRED', 'OTP_COOLDOWN', 'OTP_SENDS_EXCEEDED']);

/** What a page's forms are sealed and checked with. */
export type FormDeps = DepsOf<typeof sealForm> & DepsOf<typeof assertFormIsOurs>;

export function approvalPage<Deps, Request>(deps: Deps & FormDeps, subject: Subject<Deps, Request>): ApprovalPage {
  const { segment, open, pageOf } = subject;
  const sealedFor = (token: string) => `${segment}:${token}`;
  const pathOf = (token: string) => `/api/v1/${segment}/${encodeURIComponent(token)}`;
  const openedAs = async (token: string, how: { hasCode: boolean; problem?: PlainWords }) =>
    pageOf(await open(deps, token), { path: pathOf(token), seal: sealForm(deps, sealedFor(token)), ...how });

  const refuse: ErrorHandler = (thrown, request, reply) => {
    const { error, status } = refusalOf(thrown, request, reply);
    const token = String(Object(request.params)[subject.param] ?? '');
    const problem = inPlainWords(error, status);
    openedAs(token, { hasCode: LEAVING_A_CODE.has(error.code), problem })
      .catch(() => messagePage(problem))
      .then((page) => sendPage(reply, status, page))
      .catch((failed: unknown) => sendFailure(failed, request, reply));
  };

  return {
    pathOf,
    show: async (reply, token, how) => sendPage(reply, 200, await openedAs(token, how)),
    assertFormIsOurs: (token, form) => assertFormIsOurs(deps, { subject: sealedFor(token), ...form }),
    refuse,
    refuseByAccept: (error, request, reply) => {
      if (prefersHtml(request.headers.accept)) refuse(error, request, reply);
      else sendFailure(error, request, reply);
    },
  };
}

/** The page of a request on which no more attempts are taken. */
export const lockedOutPage = (): Page =>
  messagePage(inPlainWords({ code: 'CONSENT_ATTEMPTS_EXCEEDED', retryAfterS: undefined }, 429));
