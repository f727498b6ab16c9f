import type { DepsOf } from '#lib/deps-of.ts';
import { type Html, html } from '#lib/html.ts';
import { type LinkRequest, openLinkRequest } from '#modules/federations';
import { type ApprovalPage, approvalPage, type FormDeps } from './approval-page.ts';
import {
  answerForms,
  endPage,
  errorAlert,
  formContext,
  lockedOutPage,
  name,
  type PageOptions,
  suspendedNotice,
  titleWith,
  untilFact,
} from './approval-parts.ts';
import type { Page } from './page.ts';

/** The page of a link that asks for a customer's consent. */
export const federationPage = (deps: FormDeps & DepsOf<typeof openLinkRequest>): ApprovalPage =>
  approvalPage(deps, { segment: 'federation', param: 'approvalToken', open: openLinkRequest, pageOf });

function pageOf(request: LinkRequest, options: PageOptions): Page {
  const { status, attemptsLeft } = request;
  if (status === 'FAILED') return lockedOutPage();
  if (status !== 'PENDING') return outcomePage(status, request);
  return attemptsLeft === 0 ? lockedOutPage() : requestPage(request, options);
}

/** A link that waits for a customer: who asks, for which two tags, until when, and how to answer. */
function requestPage(request: LinkRequest, options: PageOptions): Page {
  const { problem } = options;
  return {
    title: titleWith(options, `${request.requestedByAppName} asks to link your PayTag`),
    body: html`${problem && errorAlert(problem, request)}
<h1>${asker(request)} asks to link your PayTag</h1>
<p>It says that your PayTag <strong>@${request.tagString}</strong> and its tag <strong>@${request.primaryTag}</strong> belong to one person: you.</p>
${suspendedNotice(request, options)}
${facts(request)}
${consequences(request)}
${answerForms(formContext(request, options), options.hasCode)}`,
  };
}

const asker = ({ requestedByAppName }: LinkRequest): Html => name(requestedByAppName);

const facts = (request: LinkRequest): Html => html`<dl>
<div><dt>Who asks</dt><dd>${asker(request)}</dd></div>
<div><dt>Its tag</dt><dd>@${request.primaryTag}<small>${request.primaryAddress}</small></dd></div>
<div><dt>Your PayTag</dt><dd>@${request.tagString}<small>${request.qualifiedAddress}</small></dd></div>
${untilFact(request.expiresAt)}
</dl>`;

const consequences = (request: LinkRequest): Html => html`<p>If you approve:</p>
<ul>
<li>${asker(request)} knows from you that both tags are yours;</li>
<li>nobody else is shown the link, and you or ${asker(request)} can end it at any time;</li>
<li>no money moves, and ${asker(request)} learns neither your password nor your code.</li>
</ul>
<p>Approve only if @${request.primaryTag} is yours. If you did not expect this, decline, or close this page: without your approval nothing happens.</p>`;

type Answered = Exclude<LinkRequest['status'], 'PENDING' | 'FAILED'>;

const outcomes: Record<Answered, { title: string; text: (by: string, tags: string) => string }> = {
  VERIFIED: {
    title: 'The two tags are linked',
    text: (by, tags) => `${tags} are linked, and ${by} has been told. There is nothing more for you to do.`,
  },
  REJECTED: {
    title: 'This request was declined',
    text: (by, tags) => `${tags} are not linked, and ${by} has been told.`,
  },
  REVOKED: {
    title: 'This request has ended',
    text: (by, tags) => `${by} took it back, or the link has ended since: ${tags} are not linked.`,
  },
};

/** A link that has been answered, and how. */
function outcomePage(status: Answered, request: LinkRequest): Page {
  const { title, text } = outcomes[status];
  return endPage(title, text(request.requestedByAppName, `@${request.tagString} and ${request.primaryAddress}`));
}
