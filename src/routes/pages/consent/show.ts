import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ConsentPage, openConsentPage } from '#modules/claims';
import { refusalOf, sendFailure } from '../../../http/failures.ts';
import { sealForm } from '../../../http/form-seal.ts';
import { type Page, sendPage } from '../../../http/page.ts';
import { html } from '../../../lib/html.ts';
import type { Resources } from '../../../resources.ts';
import { outcomePage } from './outcome-page.ts';
import { inPlainWords, type PlainWords } from './plain-words.ts';
import { type Opened, requestPage } from './request-page.ts';

/** A form of this page is sealed for its consent request. */
export const formSubject = (consentToken: string): string => `consent:${consentToken}`;

export const consentPath = (consentToken: string): string => `/api/v1/consent/${encodeURIComponent(consentToken)}`;

/** Answers the page of a consent request as it stands. */
export async function showConsent(
  resources: Resources,
  reply: FastifyReply,
  { consentToken, hasCode }: { consentToken: string; hasCode: boolean },
): Promise<FastifyReply> {
  const consent = await openConsentPage(resources, consentToken);
  return sendPage(reply, 200, pageOf(consent, opened(resources, consentToken, hasCode)));
}

const opened = (resources: Resources, consentToken: string, hasCode: boolean): Opened => ({
  path: consentPath(consentToken),
  seal: sealForm(resources, formSubject(consentToken)),
  hasCode,
});

function pageOf(consent: ConsentPage, how: Opened): Page {
  const { state } = consent;
  if (state === 'EXPIRED') throw new Error('a consent request that is over is refused, not shown');
  if (state !== 'PENDING') return outcomePage(state, consent);
  if (consent.attemptsLeft === 0) return messagePage(inPlainWords(lockedOut, 429));
  return requestPage(consent, how);
}

const lockedOut = { code: 'CONSENT_ATTEMPTS_EXCEEDED', retryAfterS: undefined };

/** Nothing but what happened, and what to do about it. */
const messagePage = ({ title, text }: PlainWords): Page => ({
  title,
  body: html`<h1>${title}</h1><p>${text}</p>`,
});

/** Refusals that leave a code to be entered. */
const LEAVING_A_CODE = new Set(['OTP_INVALID', 'OTP_EXPIRED', 'OTP_COOLDOWN', 'OTP_SENDS_EXCEEDED']);

/** An error handler of the page's routes: what was refused is said in a page, above the form where there is one still. */
export function showRefusal(resources: Resources) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { error, status } = refusalOf(thrown, request, reply);
    const { consentToken = '' } = request.params as { consentToken?: string };
    openConsentPage(resources, consentToken)
      .then((consent) => {
        const how = opened(resources, consentToken, LEAVING_A_CODE.has(error.code));
        return pageOf(consent, { ...how, problem: inPlainWords(error, status) });
      })
      .catch(() => messagePage(inPlainWords(error, status)))
      .then((page) => sendPage(reply, status, page))
      .catch((failed: unknown) => sendFailure(failed, request, reply));
  };
}
