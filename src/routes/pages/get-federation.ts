import { prefersHtml } from '#http/headers.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fact, type Html, handle, html, name } from '#lib/html.ts';
import { type LinkRequest, openLinkRequest } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import {
  type ApprovalPage,
  answerForms,
  approvalPage,
  endPage,
  errorAlert,
  type FormDeps,
  formContext,
  linkBack,
  lockedOutPage,
  orPage,
  orPageFailures,
  type PageOptions,
  pageQuery,
  suspendedNotice,
  titleWith,
  untilFact,
  type WayBack,
} from './approval-page.ts';
import type { Page } from './page.ts';
import { approvalParams, linkRequestShape, toLinkRequest } from './shapes.ts';
import type { Texts } from './texts.ts';

/** An Envelope for a program; for a browser the page on which a customer consents to a link. It changes nothing. */
export function getFederation(
  app: ZodApp,
  deps: DepsOf<typeof federationPage> & DepsOf<typeof openLinkRequest> & { clock: Clock },
): void {
  const page = federationPage(deps);
  app.get(
    '/federation/:approvalToken',
    {
      errorHandler: page.refuseByAccept,
      schema: {
        tags: ['Federation', 'Extension'],
        operationId: 'getLinkRequest',
        summary:
          'Who asks to link a customer’s PayTag, to which tag, and until when; for a browser the page to answer on',
        params: approvalParams,
        querystring: pageQuery,
        response: {
          200: orPage('The link', envelopeOf(linkRequestShape)),
          ...orPageFailures('LINK_NOT_FOUND', 'LINK_EXPIRED'),
        },
      },
    },
    async (request, reply) => {
      const { approvalToken } = request.params;
      if (prefersHtml(request.headers.accept)) {
        return page.show(reply, approvalToken, { hasCode: request.query.with === 'code' });
      }
      const link = await openLinkRequest(deps, approvalToken);
      reply.header('vary', 'accept');
      return enveloped(deps.clock, 'link request', toLinkRequest(link));
    },
  );
}

/** The page of a link that asks for a customer's consent. */
export const federationPage = (deps: FormDeps & DepsOf<typeof openLinkRequest>): ApprovalPage =>
  approvalPage(deps, { segment: 'federation', param: 'approvalToken', open: openLinkRequest, pageOf });

function pageOf(request: LinkRequest, options: PageOptions): Page {
  const { status, attemptsLeft } = request;
  if (status === 'FAILED') return lockedOutPage(wayBack(request));
  if (status !== 'PENDING') return outcomePage(status, request);
  return attemptsLeft === 0 ? lockedOutPage(wayBack(request)) : requestPage(request, options);
}

/** A link that waits for a customer: who asks, for which two tags, until when, and how to answer. */
const requestPage =
  (request: LinkRequest, options: PageOptions): Page =>
  (t) => {
    const { problem } = options;
    const tags = {
      tag: html`<strong>${handle(request.tagString)}</strong>`,
      primary: html`<strong>${handle(request.primaryTag)}</strong>`,
    };
    return {
      title: titleWith(t, options, t.text('link.title', { asker: request.requestedByAppName })),
      body: html`${problem && errorAlert(t, problem, request)}
<h1>${t.html('link.title', { asker: asker(request) })}</h1>
<p>${t.html('link.question', tags)}</p>
${suspendedNotice(t, request, options)}
${facts(t, request)}
${consequences(t, request)}
${answerForms(t, formContext(request, options), options.hasCode)}`,
    };
  };

const wayBack = ({ linkId, ...link }: LinkRequest): WayBack => ({ ...link, request: { linkId } });

const asker = ({ requestedByAppName }: LinkRequest): Html => name(requestedByAppName);

const facts = (t: Texts, request: LinkRequest): Html => html`<dl>
${fact(t.text('approval.whoAsks'), asker(request))}
${fact(t.text('link.itsTag'), handle(request.primaryTag), request.primaryAddress)}
${fact(t.text('link.yourPayTag'), handle(request.tagString), request.qualifiedAddress)}
${untilFact(t, request.expiresAt)}
</dl>`;

const consequences = (t: Texts, request: LinkRequest): Html => {
  const by = { asker: asker(request) };
  return html`<p>${t.text('approval.if')}</p>
<ul>
<li>${t.html('link.if.knows', by)}</li>
<li>${t.html('link.if.holds', by)}</li>
<li>${t.html('approval.if.noMoney', by)}</li>
</ul>
<p>${t.html('link.onlyIf', { primary: handle(request.primaryTag) })} ${t.text('approval.unexpected')}</p>`;
};

type Answered = Exclude<LinkRequest['status'], 'PENDING' | 'FAILED'>;

/** A link that has been answered, and how. */
const outcomePage = (status: Answered, request: LinkRequest): Page =>
  endPage(
    (t) => t.text(`link.${status}.title`),
    (t) =>
      t.html(`link.${status}.text`, {
        asker: asker(request),
        tag: handle(request.tagString),
        primary: html`<bdi>${request.primaryAddress}</bdi>`,
      }),
    (t) => linkBack(t, wayBack(request), outcomes[status]),
  );

const outcomes = { VERIFIED: 'approved', REJECTED: 'declined', REVOKED: 'ended' } as const;
