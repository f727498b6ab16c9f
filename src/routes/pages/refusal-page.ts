import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal, RefusalPage } from '#http/failures.ts';
import { html } from '#lib/html.ts';
import { type ErrorMessage, errorMessageOf, messageOf } from './error-messages.ts';
import { type Page, sendPage } from './page.ts';

/** Below these, whoever asks is a program, whatever it says that it accepts: the answer is JSON always. */
const FOR_PROGRAMS = /^\/+(v2|api|operator|hooks|health|metrics|\.well-known)(?=[/?#]|$)/i;

/** What a browser is shown where no page has an answer of its own: an address that leads nowhere, or a server that cannot answer now. */
export const refusalPage: RefusalPage = (
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined =>
  FOR_PROGRAMS.test(request.url) ? undefined : sendPage(reply, refusal.status, pageOf(refusal, request.id));

const nowhere = messageOf('error.nowhere.title', 'error.nowhere.text');
const unreadable = messageOf('error.unreadable.title', 'error.unreadable.text');
const method = messageOf('error.method.title', 'error.method.text');
const busy = messageOf('error.busy.title', 'error.busy.text');
const onOurSide = messageOf('error.ours.title', 'error.page.text');

function messageFor({ error, status }: Refusal): ErrorMessage {
  if (status === 404) return nowhere;
  if (status === 405) return method;
  if (status === 400) return unreadable;
  if (status === 503) return busy;
  return status >= 500 ? onOurSide : errorMessageOf(error, status);
}

/** What happened, what to do about it, and by what we find it in our log. */
function pageOf(refusal: Refusal, requestId: string): Page {
  const { title, text } = messageFor(refusal);
  return (t) => ({
    title: title(t),
    body: html`<h1>${title(t)}</h1><p>${text(t)}</p>
<p><a href="/">${t.text('error.start')}</a></p>
${refusal.status >= 500 && html`<p class="note">${t.text('error.requestId')} <bdi>${requestId}</bdi></p>`}`,
  });
}
