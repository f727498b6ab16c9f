import type { DepsOf } from '#lib/deps-of.ts';
import { type Html, html } from '#lib/html.ts';
import { type ConsentPage, openConsentPage } from '#modules/claims';
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

/** The page of a consent request. */
export const consentPage = (deps: FormDeps & DepsOf<typeof openConsentPage>): ApprovalPage =>
  approvalPage(deps, { segment: 'consent', param: 'consentToken', open: openConsentPage, pageOf });

function pageOf(consent: ConsentPage, options: PageOptions): Page {
  const { state } = consent;
  if (state === 'EXPIRED') throw new Error('an expired consent request is refused, not shown');
  if (state !== 'PENDING') return outcomePage(state, consent);
  return consent.attemptsLeft === 0 ? lockedOutPage() : requestPage(consent, options);
}

/** A request that waits for its answer: who asks, for what, until when, and how to answer. */
function requestPage(consent: ConsentPage, options: PageOptions): Page {
  const { hasCode, problem } = options;
  const isConfirmed = consent.ownerConfirmedAt !== undefined;
  const title = isConfirmed
    ? `The request of ${consent.requestedByAppName} is approved`
    : `${consent.requestedByAppName} asks for your approval`;
  const context = formContext(consent, options, isConfirmed);
  return {
    title: titleWith(options, title),
    body: html`${problem && errorAlert(problem, consent)}
<h1>${isConfirmed ? html`The request of ${asker(consent)} is approved` : html`${asker(consent)} asks for your approval`}</h1>
${isConfirmed ? confirmed(consent) : question(consent)}
${suspendedNotice(consent, options)}
${facts(consent)}
${!isConfirmed && consequences(consent)}
${isConfirmed ? html`<details${(problem !== undefined || hasCode) && html` open`}><summary>Changed your mind?</summary><p>You can still decline, until ${asker(consent)} has fetched your approval. Prove again that the tag is yours.</p>${answerForms(context, hasCode)}</details>` : answerForms(context, hasCode)}`,
  };
}

const asker = ({ requestedByAppName }: ConsentPage): Html => name(requestedByAppName);
const claimant = ({ subjectDisplayName }: ConsentPage): Html =>
  subjectDisplayName === undefined ? html`one of its users` : name(subjectDisplayName);

const question = (consent: ConsentPage): Html =>
  html`<p>It asks that your tag <strong>@${consent.tagString}</strong> also stands for ${claimant(consent)} at ${asker(consent)}.</p>`;

const confirmed = (consent: ConsentPage): Html =>
  html`<div class="panel"><p>We have told ${asker(consent)}. It completes the request by fetching your approval. There is nothing more for you to do, and you can close this page.</p></div>`;

const facts = (consent: ConsentPage): Html => html`<dl>
<div><dt>Who asks</dt><dd>${asker(consent)}<small>${consent.requestedByNamespace}</small></dd></div>
<div><dt>For</dt><dd>${claimant(consent)}<small>as ${asker(consent)} calls them</small></dd></div>
<div><dt>Your tag</dt><dd>@${consent.tagString}<small>${consent.qualifiedAddress}</small></dd></div>
${untilFact(consent.tokenExpiresAt)}
</dl>`;

const consequences = (consent: ConsentPage): Html => html`<p>If you approve:</p>
<ul>
<li>whoever looks up @${consent.tagString} can see that it also stands for ${claimant(consent)} at ${asker(consent)};</li>
<li>${asker(consent)} gets a signed proof that you agreed;</li>
<li>it holds until you or ${asker(consent)} end it, at any time;</li>
<li>no money moves, and ${asker(consent)} learns neither your password nor your code.</li>
</ul>
<p>If you did not expect this, decline, or close this page: without your approval nothing happens.</p>`;

type Answered = Exclude<ConsentPage['state'], 'PENDING' | 'EXPIRED'>;

const outcomes: Record<Answered, { title: string; text: (by: string, tag: string) => string }> = {
  APPROVED: {
    title: 'This request was approved',
    text: (by, tag) => `${by} has the approval for @${tag}. There is nothing more for you to do.`,
  },
  REJECTED: {
    title: 'This request was declined',
    text: (by, tag) => `Nothing was agreed on @${tag}, and ${by} has been told.`,
  },
  CANCELLED: {
    title: 'This request was taken back',
    text: (by, tag) => `${by} no longer asks, and nothing was agreed on @${tag}.`,
  },
  REVOKED: {
    title: 'This approval has ended',
    text: (by, tag) => `It was given once, and ended since: @${tag} no longer stands for anybody at ${by} by it.`,
  },
};

/** A request that has been answered, and how. */
function outcomePage(state: Answered, { requestedByAppName, tagString }: ConsentPage): Page {
  const { title, text } = outcomes[state];
  return endPage(title, text(requestedByAppName, tagString));
}
