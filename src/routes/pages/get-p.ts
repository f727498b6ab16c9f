import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf } from '#http/failures.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { handle, html } from '#lib/html.ts';
import { qrPath } from '#lib/qr-code.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { resolveTag } from '#modules/consent';
import { publicLink } from '#modules/tags';
import { messagePage } from './approval-page.ts';
import { type ErrorMessage, messageOf } from './error-messages.ts';
import { type Page, sendPage } from './page.ts';

type Deps = DepsOf<typeof resolveTag> & { publicUrl: string };

/** The page that the QR code of a tag opens: whose it is, and how to pay them. */
export function getP(app: ZodApp, deps: Deps): void {
  const schema = { hide: true, params: z.object({ tag: z.string() }) };
  app.get('/p/:tag', { errorHandler: refuseTag, schema }, async (request, reply) => {
    const from = addressBlock(request.ip);
    deps.resolveLimit.take(from);
    const found = await resolveTag(deps, { address: request.params.tag, caller: undefined, from });
    if (found.own !== undefined || found.shown.status !== 'ACTIVE') {
      return sendPage(reply, 200, cannotBePaid(request.params.tag));
    }
    const { shown: tag } = found;
    const { viewBox, path } = qrPath(publicLink(tag.handle, deps.publicUrl));
    const name = tag.displayName ?? `@${tag.handle}`;
    const shown = handle(tag.handle);
    return sendPage(reply, 200, (t) => ({
      title: t.text('pay.heading', { name }),
      body: html`<h1>${t.html('pay.heading', { name: html`<bdi>${name}</bdi>` })}</h1>
<dl><div><dt>${t.text('pay.paytag')}</dt><dd>${shown}</dd></div><div><dt>${t.text('pay.keptBy')}</dt><dd><bdi>${tag.ownerAppName}</bdi></dd></div></dl>
<section><h2>${t.text('pay.how')}</h2>
<ol><li>${t.text('pay.step1')}</li><li>${t.html('pay.step2', { tag: html`<strong>${shown}</strong>` })}</li><li>${t.text('pay.step3')}</li></ol></section>
<section><h2>${t.text('pay.code')}</h2>
<p>${t.text('pay.codeOpens')}</p>
<svg class="qr" role="img" aria-label="${t.text('pay.codeOf', { tag: `@${tag.handle}` })}" viewBox="${viewBox}" width="256" height="256" shape-rendering="crispEdges"><path d="${path}"/></svg>
<p><a href="/p/${tag.handle}/qr.png" download="${tag.handle}.png">${t.text('pay.save')}</a></p></section>`,
    }));
  });
}

const cannotBePaid =
  (tag: string): Page =>
  (t) => ({
    title: t.text('pay.suspended.title'),
    body: html`<h1>${t.text('pay.suspended.title')}</h1><p>${t.html('pay.suspended.text', { tag: handle(tag) })}</p>`,
  });

const messages: Partial<Record<ErrorCode, ErrorMessage>> = {
  TAG_NOT_FOUND: messageOf('error.noTag.title', 'error.noTag.text'),
  TOO_MANY_REQUESTS: messageOf('error.busy.title', 'error.lookups.text'),
};
const onOurSide = messageOf('error.ours.title', 'error.page.text');

/** A person who scanned a code reads a page, whatever their camera says that it accepts. */
export function refuseTag(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { error, status } = refusalOf(thrown, request, reply);
  sendPage(reply, status, messagePage(messages[error.code] ?? onOurSide));
}
