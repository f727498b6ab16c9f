import { prefersHtml } from '#http/headers.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fact, type Html, handle, html, name } from '#lib/html.ts';
import { type ConsentPage, openConsentPage, readConsent } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { consentParams } from '#wire/tag.ts';
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
import { consentRequestShape, toConsentRequest } from './shapes.ts';
import type { Texts } from './texts.ts';

/** An Envelope for a program; for a browser the page on which the tag's owner answers. It changes nothing. */
export function getConsent(
  app: ZodApp,
  deps: DepsOf<typeof consentPage> & DepsOf<typeof readConsent> & { clock: Clock },
): void {
  const page = consentPage(deps);
  app.get(
    '/consent/:consentToken',
    {
      errorHandler: page.refuseByAccept,
      schema: {
        tags: ['Consent'],
        operationId: 'getConsent',
        summary: 'Who asks for consent, for what, and until when; for a browser the page to answer on',
        params: consentParams,
        querystring: pageQuery,
        response: {
          200: orPage('The consent request', envelopeOf(consentRequestShape)),
          ...orPageFailures('CONSENT_NOT_FOUND', 'CONSENT_EXPIRED'),
        },
      },
    },
    async (request, reply) => {
      const { consentToken } = request.params;
      if (prefersHtml(request.headers.accept)) {
        return page.show(reply, consentToken, { hasCode: request.query.with === 'code' });
      }
      const consent = await readConsent(deps, consentToken);
      reply.header('vary', 'accept');
      return enveloped(deps.clock, 'consent request', toConsentRequest(consent));
    },
  );
}

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
