import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf, sendFailure } from '#http/failures.ts';
import { sealForm } from '#http/pages.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { html, name } from '#lib/html.ts';
import { verbatim } from '#lib/text/input.ts';
import { openLink } from '#modules/clients';
import { errorMessageOf, messageOf } from './error-messages.ts';
import { sendPage } from './page.ts';
import { moment, sealField } from './portal.ts';

type Deps = DepsOf<typeof openLink> & DepsOf<typeof sealForm>;

/** What the link of a letter opens: a form that uses it. Looking at it, as scanners of mail do, changes nothing. */
export function getHandover(app: ZodApp, deps: Deps): void {
  const schema = { hide: true, params: z.object({ token: verbatim(z.string().max(100)) }) };
  app.get('/handover/:token', { errorHandler: refuseHandover, schema }, async (request, reply) => {
    const { token } = request.params;
    const { kind, facts, expiresAt } = await openLink(deps, token);
    const seal = sealForm(deps, `handover:${token}`);
    const owner = name(facts.ownerName);
    return sendPage(reply, 200, (t) => ({
      title: t.text(`handover.${kind}.title`),
      body: html`<h1>${t.text(`handover.${kind}.title`)}</h1>
<p>${t.html(`handover.${kind}.text`, { owner })}</p>
<p>${t.html('handover.until', { until: moment(t, expiresAt) })}</p>
<form method="post" action="/handover">${sealField({ seal })}<input type="hidden" name="token" value="${token}">
<div class="buttons"><button class="main">${t.text(`handover.${kind}.button`)}</button></div></form>`,
    }));
  });
}

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
