import { type Html, html } from '#lib/html.ts';
import { lazy } from '#lib/lazy.ts';
import { type Approver, codeForm, type FormContext, passwordForm, sendForm } from './approval-forms.ts';
import { type ErrorMessage, errorMessageOf } from './error-messages.ts';
import type { Page } from './page.ts';

/** What a page is rendered with, besides the request itself. */
export interface PageOptions {
  path: string;
  seal: string;
  /** A code was sent a moment ago. */
  hasCode: boolean;
  /** What was refused. */
  problem?: ErrorMessage | undefined;
}

export const formContext = (
  approver: Approver,
  { path, seal, problem }: PageOptions,
  hasApproved = false,
): FormContext => ({
  approver,
  mayApprove: !hasApproved && !approver.isSuspended,
  path,
  seal,
  wrongField: problem?.field,
  hasProblem: problem !== undefined,
});

/** The title of a page, after what was refused. */
export const titleWith = ({ problem }: PageOptions, title: string): string =>
  problem === undefined ? title : `${problem.title} – ${title}`;

/** What was refused, to be read first, with a link to the field that it is about. */
export const errorAlert = ({ title, text, field }: ErrorMessage, { attemptsLeft }: Approver): Html =>
  html`<div class="panel alert" id="problem" role="alert" tabindex="-1" autofocus><h2>${title}</h2><p>${
    field === undefined ? text : html`<a href="#${field}">${text}</a>`
  }</p>${
    attemptsLeft < 5 && html`<p>${attemptsLeft === 1 ? 'One attempt is' : `${attemptsLeft} attempts are`} left.</p>`
  }</div>`;

/** Says that a suspended tag can only be declined, unless that was just refused. */
export const suspendedNotice = ({ isSuspended }: Approver, { problem }: PageOptions): Html | undefined => {
  const { title, text } = errorMessageOf({ code: 'TAG_SUSPENDED', retryAfterS: undefined }, 409);
  return isSuspended && problem === undefined
    ? html`<div class="panel"><h2>${title}</h2><p>${text}</p></div>`
    : undefined;
};

/** The forms to answer by, or where to answer when this page has none. */
export function answerForms(context: FormContext, hasCode: boolean): Html {
  const { owner, tagString, authenticationMethods: methods } = context.approver;
  if (!methods.password && methods.channels.length === 0) {
    return html`<section><h2>How to answer</h2><p>@${tagString} is kept by <bdi>${owner.applicationName}</bdi>, which has no e-mail address on record for its owner. So this request can only be answered there, not on this page.</p></section>`;
  }
  if (hasCode) {
    return html`${codeForm(context)}${sendForm(context, 'No code yet?')}${methods.password && html`<p><a href="${context.path}">Use my password instead</a></p>`}`;
  }
  return html`${methods.password && passwordForm(context)}${sendForm(context, methods.password ? 'Or use a one-time code' : 'Answer with a one-time code')}${
    methods.password &&
    html`<p class="note">No password yet, or none of these reach you? Ask the company where you got your PayTag.</p>`
  }`;
}

/** A name that somebody chose, in whichever direction it is written. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`;

export const untilFact = (at: Date): Html =>
  html`<div><dt>Answer until</dt><dd><time datetime="${at.toISOString()}">${lagosTime(at)}</time><small>Lagos time (UTC+1)</small></dd></div>`;

const lagosFormat = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Africa/Lagos',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** E.g. Sunday 22 November 2026 at 09:05. */
function lagosTime(at: Date): string {
  const parts = new Map(
    lagosFormat()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')} at\u00A0${part('hour')}:${part('minute')}`;
}

/** What became of a request: there is nothing left to do. */
export const endPage = (title: string, text: string): Page => ({
  title,
  body: html`<h1>${title}</h1>
<div class="panel" role="status"><p dir="auto">${text}</p></div>
<p class="note">You can close this page.</p>`,
});

/** Nothing but what happened, and what to do about it. */
export const messagePage = ({ title, text }: ErrorMessage): Page => ({
  title,
  body: html`<h1>${title}</h1><p>${text}</p>`,
});

/** The page of a request that takes no more attempts. */
export const lockedOutPage = (): Page =>
  messagePage(errorMessageOf({ code: 'CONSENT_ATTEMPTS_EXCEEDED', retryAfterS: undefined }, 429));
