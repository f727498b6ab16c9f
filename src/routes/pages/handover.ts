import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { html } from '#lib/html.ts';
import { errorMessageOf, messageOf } from './error-messages.ts';
import { sendPage } from './page.ts';

const ended = messageOf('error.handover.title', 'error.handover.text');

/** Answers a refusal with a page that says what happened. */
export function refuseHandover(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { error, status } = refusalOf(thrown, request, reply);
  const { title, text } = error.code === 'SECRET_LINK_EXPIRED' ? ended : errorMessageOf(error, status);
  try {
    sendPage(reply, status, (t) => ({ title: title(t), body: html`<h1>${title(t)}</h1><p>${text(t)}</p>` }));
  } catch (failed) {
    sendFailure(failed, request, reply);
  }
}
