import type { Page } from '#http/page.ts';
import { type Html, html } from '#lib/html.ts';
import type { LinkRequest } from '#modules/federations';
import { alertOf, contextOf, type Opened, suspendedOf, titleOf, waysOf } from '../approval/answering.ts';
import { name, untilFact } from '../approval/facts.ts';

/** A link that waits for a customer: who asks, for which two tags, until when, and how to answer. */
export function linkRequestPage(request: LinkRequest, how: Opened): Page {
  const { problem } = how;
  return {
    title: titleOf(`${request.requestedByAppName} asks to link your PayTag`, how),
    body: html`${problem && alertOf(problem, request)}
<h1>${asker(request)} asks to link your PayTag</h1>
<p>It says that your PayTag <strong>@${request.tagString}</strong> and its tag <strong>@${request.primaryTag}</strong> belong to one person: you.</p>
${suspendedOf(request, how)}
${facts(request)}
${consequences(request)}
${waysOf(contextOf(request, how), how.hasCode)}`,
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
