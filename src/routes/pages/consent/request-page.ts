import type { Page } from '#http/page.ts';
import { type Html, html } from '#lib/html.ts';
import type { ConsentPage } from '#modules/claims';
import { alertOf, contextOf, type Opened, suspendedOf, titleOf, waysOf } from '../approval/answering.ts';
import { name, untilFact } from '../approval/facts.ts';

const asker = ({ requestedByAppName }: ConsentPage): Html => name(requestedByAppName);
const claimant = ({ subjectDisplayName }: ConsentPage): Html =>
  subjectDisplayName === undefined ? html`one of its users` : name(subjectDisplayName);

/** A request that waits for its answer: who asks, for what, until when, and how to answer. */
export function requestPage(consent: ConsentPage, how: Opened): Page {
  const { hasCode, problem } = how;
  const isConfirmed = consent.ownerConfirmedAt !== undefined;
  const title = isConfirmed
    ? `The request of ${consent.requestedByAppName} is approved`
    : `${consent.requestedByAppName} asks for your approval`;
  const context = contextOf(consent, how, isConfirmed);
  return {
    title: titleOf(title, how),
    body: html`${problem && alertOf(problem, consent)}
<h1>${isConfirmed ? html`The request of ${asker(consent)} is approved` : html`${asker(consent)} asks for your approval`}</h1>
${isConfirmed ? confirmed(consent) : question(consent)}
${suspendedOf(consent, how)}
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
<div><dt>Who asks</dt><dd>${asker(consent)}<small>${consent.requestedByNamespace}</small></dd></div>
<div><dt>For</dt><dd>${claimant(consent)}<small>as ${asker(consent)} calls them</small></dd></div>
<div><dt>Your tag</dt><dd>@${consent.tagString}<small>${consent.qualifiedAddress}</small></dd></div>
${untilFact(consent.tokenExpiresAt)}
</dl>`;

const consequences = (consent: ConsentPage): Html => html`<p>If you approve:</p>
<ul>
<li>whoever looks up @${consent.tagString} can see that it also stands for ${claimant(consent)} at ${asker(consent)};</li>
<li>${asker(consent)} gets a signed proof that you agreed;</li>
<li>no money moves, and ${asker(consent)} learns neither your password nor your code.</li>
</ul>
<p>If you did not expect this, decline, or close this page: without your approval nothing happens.</p>`;
