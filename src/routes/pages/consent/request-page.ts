import type { ConsentPage } from '#modules/claims';
import type { Page } from '../../../http/page.ts';
import { type Html, html } from '../../../lib/html.ts';
import { codeForm, type FormContext, passwordForm, sendForm } from './forms.ts';
import { lagosTime } from './lagos-time.ts';
import type { PlainWords } from './plain-words.ts';

/** What a page is opened with, besides the request itself. */
export interface Opened {
  path: string;
  seal: string;
  /** She asked for a code a moment ago. */
  hasCode: boolean;
  /** What was refused. */
  problem?: PlainWords | undefined;
}

const name = (text: string): Html => html`<bdi>${text}</bdi>`;
const asker = ({ requestedByAppName }: ConsentPage): Html => name(requestedByAppName);
const claimant = ({ subjectDisplayName }: ConsentPage): Html =>
  subjectDisplayName === undefined ? html`one of its users` : name(subjectDisplayName);

/** A request that waits for its answer: who asks, for what, until when, and how to answer. */
export function requestPage(consent: ConsentPage, { path, seal, hasCode, problem }: Opened): Page {
  const isConfirmed = consent.ownerConfirmedAt !== undefined;
  const title = isConfirmed
    ? `The request of ${consent.requestedByAppName} is approved`
    : `${consent.requestedByAppName} asks for your approval`;
  const context = { consent, path, seal, wrong: problem?.field, hasProblem: problem !== undefined };
  return {
    title: problem === undefined ? title : `${problem.title} – ${title}`,
    body: html`${problem && alertOf(problem, consent)}
<h1>${isConfirmed ? html`The request of ${asker(consent)} is approved` : html`${asker(consent)} asks for your approval`}</h1>
${isConfirmed ? confirmed(consent) : question(consent)}
${facts(consent)}
${!isConfirmed && consequences(consent)}
${isConfirmed ? html`<details${(problem !== undefined || hasCode) && html` open`}><summary>Changed your mind?</summary><p>You can still decline, until ${asker(consent)} has fetched your approval. Prove again that the tag is yours.</p>${waysOf(context, hasCode)}</details>` : waysOf(context, hasCode)}`,
  };
}

const question = (consent: ConsentPage): Html =>
  html`<p>It asks that your tag <strong>@${consent.tagString}</strong> also stands for ${claimant(consent)} at ${asker(consent)}.</p>`;

const confirmed = (consent: ConsentPage): Html =>
  html`<div class="panel"><p>We have told ${asker(consent)}. It completes the request by fetching your approval. There is nothing more for you to do, and you can close this page.</p></div>`;

const facts = (consent: ConsentPage): Html => html`<dl>
<div><dt>Who asks</dt><dd>${asker(consent)}</dd></div>
<div><dt>For</dt><dd>${claimant(consent)}<small>as ${asker(consent)} calls them</small></dd></div>
<div><dt>Your tag</dt><dd>@${consent.tagString}<small>${consent.qualifiedAddress}</small></dd></div>
<div><dt>Answer until</dt><dd><time datetime="${consent.tokenExpiresAt.toISOString()}">${lagosTime(consent.tokenExpiresAt)}</time><small>Lagos time (UTC+1)</small></dd></div>
</dl>`;

const consequences = (consent: ConsentPage): Html => html`<p>If you approve:</p>
<ul>
<li>whoever looks up @${consent.tagString} can see that it also stands for ${claimant(consent)} at ${asker(consent)};</li>
<li>${asker(consent)} gets a signed proof that you agreed;</li>
<li>no money moves, and ${asker(consent)} learns neither your password nor your code.</li>
</ul>
<p>If you did not expect this, decline, or close this page: without your approval nothing happens.</p>`;

const alertOf = ({ title, text }: PlainWords, { attemptsLeft }: ConsentPage): Html =>
  html`<div class="panel alert" id="problem" role="alert" tabindex="-1" autofocus><h2>${title}</h2><p>${text}</p>${
    attemptsLeft < 5 && html`<p>${attemptsLeft === 1 ? 'One attempt is' : `${attemptsLeft} attempts are`} left.</p>`
  }</div>`;

function waysOf(context: FormContext, hasCode: boolean): Html {
  const { owner, ways, tagString } = context.consent;
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
