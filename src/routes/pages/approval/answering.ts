import { type Html, html } from '#lib/html.ts';
import { type Asked, codeForm, type FormContext, passwordForm, sendForm } from './forms.ts';
import { inPlainWords, type PlainWords } from './plain-words.ts';

/** What a page is opened with, besides the request itself. */
export interface Opened {
  path: string;
  seal: string;
  /** She asked for a code a moment ago. */
  hasCode: boolean;
  /** What was refused. */
  problem?: PlainWords | undefined;
}

export const contextOf = (asked: Asked, { path, seal, problem }: Opened, hasApproved = false): FormContext => ({
  asked,
  mayApprove: !hasApproved && !asked.isSuspended,
  path,
  seal,
  wrong: problem?.field,
  hasProblem: problem !== undefined,
});

/** The title of a page, after what was refused. */
export const titleOf = (title: string, { problem }: Opened): string =>
  problem === undefined ? title : `${problem.title} – ${title}`;

/** What was refused, to be read first, and the way to the field that it is about. */
export const alertOf = ({ title, text, field }: PlainWords, { attemptsLeft }: Asked): Html =>
  html`<div class="panel alert" id="problem" role="alert" tabindex="-1" autofocus><h2>${title}</h2><p>${
    field === undefined ? text : html`<a href="#${field}">${text}</a>`
  }</p>${
    attemptsLeft < 5 && html`<p>${attemptsLeft === 1 ? 'One attempt is' : `${attemptsLeft} attempts are`} left.</p>`
  }</div>`;

/** Said where nothing can be agreed, unless that was just refused. */
export const suspendedOf = ({ isSuspended }: Asked, { problem }: Opened): Html | undefined => {
  const { title, text } = inPlainWords({ code: 'TAG_SUSPENDED', retryAfterS: undefined }, 409);
  return isSuspended && problem === undefined
    ? html`<div class="panel"><h2>${title}</h2><p>${text}</p></div>`
    : undefined;
};

/** The forms by which she answers, or where she can. */
export function waysOf(context: FormContext, hasCode: boolean): Html {
  const { owner, ways, tagString } = context.asked;
  if (!ways.password && ways.channels.length === 0) {
    return html`<section><h2>How to answer</h2><p>@${tagString} is kept by <bdi>${owner.applicationName}</bdi>, which has no e-mail address on record for its owner. So this request can only be answered there, not on this page.</p></section>`;
  }
  if (hasCode) {
    return html`${codeForm(context)}${sendForm(context, 'No code yet?')}${ways.password && html`<p><a href="${context.path}">Use my password instead</a></p>`}`;
  }
  return html`${ways.password && passwordForm(context)}${sendForm(context, ways.password ? 'Or use a one-time code' : 'Answer with a one-time code')}${
    ways.password &&
    html`<p class="note">No password yet, or none of these reach you? Ask the company where you got your PayTag.</p>`
  }`;
}
