import type { DepsOf } from '#lib/deps-of.ts';
import { fact, type Html, handle, html, name } from '#lib/html.ts';
import { type ConsentPage, openConsentPage } from '#modules/consent';
import { type ApprovalPage, approvalPage, type FormDeps } from './approval-page.ts';
import {
  answerForms,
  endPage,
  errorAlert,
  formContext,
  linkBack,
  lockedOutPage,
  type PageOptions,
  suspendedNotice,
  titleWith,
  untilFact,
  type WayBack,
} from './approval-parts.ts';
import type { Page } from './page.ts';
import type { Texts } from './texts.ts';

/** The page of a consent request. */
export const consentPage = (deps: FormDeps & DepsOf<typeof openConsentPage>): ApprovalPage =>
  approvalPage(deps, { segment: 'consent', param: 'consentToken', open: openConsentPage, pageOf });

function pageOf(consent: ConsentPage, options: PageOptions): Page {
  const { state } = consent;
  if (state === 'EXPIRED') throw new Error('an expired consent request is refused, not shown');
  if (state !== 'PENDING') return outcomePage(state, consent);
  return consent.attemptsLeft === 0 ? lockedOutPage(wayBack(consent)) : requestPage(consent, options);
}

/** A request that waits for its answer: who asks, for what, until when, and how to answer. */
const requestPage =
  (consent: ConsentPage, options: PageOptions): Page =>
  (t) => {
    const { hasCode, problem } = options;
    const isConfirmed = consent.ownerConfirmedAt !== undefined;
    const title = isConfirmed ? 'consent.confirmed.title' : 'consent.title';
    const forms = answerForms(t, formContext(consent, options, isConfirmed), hasCode);
    return {
      title: titleWith(t, options, t.text(title, { asker: consent.requestedByAppName })),
      body: html`${problem && errorAlert(t, problem, consent)}
<h1>${t.html(title, { asker: asker(consent) })}</h1>
${isConfirmed ? confirmed(t, consent) : question(t, consent)}
${suspendedNotice(t, consent, options)}
${facts(t, consent)}
${!isConfirmed && consequences(t, consent)}
${
  isConfirmed
    ? html`<details${(problem !== undefined || hasCode) && html` open`}><summary>${t.text('consent.changed')}</summary><p>${t.html('consent.changed.text', { asker: asker(consent) })}</p>${forms}</details>`
    : forms
}`,
    };
  };

const wayBack = ({ consentId, ...consent }: ConsentPage): WayBack => ({ ...consent, request: { consentId } });
const asker = ({ requestedByAppName }: ConsentPage): Html => name(requestedByAppName);
const claimant = (t: Texts, { subjectDisplayName }: ConsentPage): Html =>
  subjectDisplayName === undefined ? t.html('consent.someUser') : name(subjectDisplayName);

const question = (t: Texts, consent: ConsentPage): Html => {
  const tag = html`<strong>${handle(consent.tagString)}</strong>`;
  return html`<p>${t.html('consent.question', { tag, claimant: claimant(t, consent), asker: asker(consent) })}</p>`;
};

const confirmed = (t: Texts, consent: ConsentPage): Html =>
  html`<div class="panel"><p>${t.html('consent.confirmed.text', { asker: asker(consent) })}</p></div>
${linkBack(t, wayBack(consent), 'approved')}`;

const facts = (t: Texts, consent: ConsentPage): Html => html`<dl>
${fact(t.text('approval.whoAsks'), asker(consent), consent.requestedByNamespace)}
${fact(t.text('consent.for'), claimant(t, consent), t.html('consent.asNamed', { asker: asker(consent) }))}
${fact(t.text('consent.yourTag'), handle(consent.tagString), consent.qualifiedAddress)}
${untilFact(t, consent.tokenExpiresAt)}
</dl>`;

const consequences = (t: Texts, consent: ConsentPage): Html => {
  const by = { asker: asker(consent) };
  const values = { ...by, tag: handle(consent.tagString), claimant: claimant(t, consent) };
  return html`<p>${t.text('approval.if')}</p>
<ul>
<li>${t.html('consent.if.lookup', values)}</li>
<li>${t.html('consent.if.proof', by)}</li>
<li>${t.html('consent.if.holds', by)}</li>
<li>${t.html('approval.if.noMoney', by)}</li>
</ul>
<p>${t.text('approval.unexpected')}</p>`;
};

type Answered = Exclude<ConsentPage['state'], 'PENDING' | 'EXPIRED'>;

/** A request that has been answered, and how. */
const outcomePage = (state: Answered, consent: ConsentPage): Page =>
  endPage(
    (t) => t.text(`consent.${state}.title`),
    (t) => t.html(`consent.${state}.text`, { asker: asker(consent), tag: handle(consent.tagString) }),
    (t) => linkBack(t, wayBack(consent), outcomes[state]),
  );

const outcomes = { APPROVED: 'approved', REJECTED: 'declined', CANCELLED: 'ended', REVOKED: 'ended' } as const;
