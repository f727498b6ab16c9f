import { fact, type Html, handle, html, name } from '#lib/html.ts';
import { type Approver, codeForm, type FormContext, passwordForm, sendForm } from './approval-forms.ts';
import { type ErrorMessage, errorMessageOf } from './error-messages.ts';
import type { Page } from './page.ts';
import type { Texts } from './texts.ts';

/** What a page is rendered with, besides the request itself. */
export interface PageOptions {
  path: string;
  seal: string;
  /** The code that is always sent, where messages are simulated. */
  testCode: string | undefined;
  /** A code was sent a moment ago. */
  hasCode: boolean;
  /** What was refused. */
  problem?: ErrorMessage | undefined;
}

export const formContext = (
  approver: Approver,
  { path, seal, testCode, problem }: PageOptions,
  hasApproved = false,
): FormContext => ({
  approver,
  mayApprove: !hasApproved && !approver.isSuspended,
  path,
  seal,
  testCode,
  wrongField: problem?.field,
  hasProblem: problem !== undefined,
});

/** The title of a page, after what was refused. */
export const titleWith = (t: Texts, { problem }: PageOptions, title: string): string =>
  problem === undefined ? title : `${problem.title(t)} – ${title}`;

/** What was refused, to be read first, with a link to the field that it is about. */
export const errorAlert = (t: Texts, { title, text, field }: ErrorMessage, { attemptsLeft }: Approver): Html =>
  html`<div class="panel alert" id="problem" role="alert" tabindex="-1" autofocus><h2>${title(t)}</h2><p>${
    field === undefined ? text(t) : html`<a href="#${field}">${text(t)}</a>`
  }</p>${attemptsLeft < 5 && html`<p>${t.text('approval.attemptsLeft', { count: attemptsLeft })}</p>`}</div>`;

/** Says that a suspended tag can only be declined, unless that was just refused. */
export const suspendedNotice = (t: Texts, { isSuspended }: Approver, { problem }: PageOptions): Html | undefined =>
  isSuspended && problem === undefined
    ? html`<div class="panel"><h2>${t.text('error.suspended.title')}</h2><p>${t.text('error.suspended.text')}</p></div>`
    : undefined;

/** The forms to answer by, or where to answer when this page has none. */
export function answerForms(t: Texts, context: FormContext, hasCode: boolean): Html {
  const { owner, tagString, authenticationMethods: methods } = context.approver;
  if (!methods.password && methods.channels.length === 0) {
    const values = { tag: handle(tagString), application: name(owner.applicationName) };
    return html`<section><h2>${t.text('approval.nowhere')}</h2><p>${t.html('approval.nowhere.text', values)}</p></section>`;
  }
  if (hasCode) {
    return html`${codeForm(t, context)}${sendForm(t, context, 'approval.send.again')}${methods.password && html`<p><a href="${context.path}">${t.text('approval.password.instead')}</a></p>`}`;
  }
  return html`${methods.password && passwordForm(t, context)}${sendForm(t, context, methods.password ? 'approval.send.or' : 'approval.send')}${
    methods.password && html`<p class="note">${t.text('approval.password.none')}</p>`
  }`;
}

export const untilFact = (t: Texts, at: Date): Html =>
  fact(
    t.text('approval.until'),
    html`<time datetime="${at.toISOString()}">${t.moment(at)}</time>`,
    t.text('page.lagosTime'),
  );

/** To which page of the application that asked somebody is led back, and of what request it is then told. */
export interface WayBack {
  returnUrl: string | undefined;
  requestedByAppName: string;
  request: { consentId: string } | { linkId: string };
}

/** A link back to the application, with what became of its request: no secret, and nothing that it could not read itself. */
export function linkBack(
  t: Texts,
  { returnUrl, requestedByAppName, request }: WayBack,
  outcome: 'approved' | 'declined' | 'ended',
): Html | undefined {
  if (returnUrl === undefined) return undefined;
  const told = new URLSearchParams({ ...request, outcome }).toString();
  const address = `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${told}`;
  return html`<p class="back"><a href="${address}">${t.html('approval.back', { asker: name(requestedByAppName) })}</a></p>`;
}

/** What became of a request: there is nothing left to do. */
export const endPage =
  (title: (t: Texts) => string, text: (t: Texts) => Html, back: (t: Texts) => Html | undefined): Page =>
  (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1>
<div class="panel" role="status"><p>${text(t)}</p></div>
${back(t) ?? html`<p class="note">${t.text('page.close')}</p>`}`,
  });

/** Nothing but what happened, and what to do about it. */
export const messagePage =
  ({ title, text }: ErrorMessage, back?: WayBack): Page =>
  (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1><p>${text(t)}</p>${back && linkBack(t, back, 'ended')}`,
  });

/** The page of a request that takes no more attempts. */
export const lockedOutPage = (back: WayBack): Page =>
  messagePage(errorMessageOf({ code: 'CONSENT_ATTEMPTS_EXCEEDED', retryAfterS: undefined }, 429), back);
