import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalOf } from '#http/failures.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { addressBlock } from '#lib/address-block.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { type Html, html } from '#lib/html.ts';
import { qrPath } from '#lib/qr-code.ts';
import { resolveTag } from '#modules/claims';
import { publicLink } from '#modules/tags';
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
    const body = html`<h1>Pay <bdi>${name}</bdi></h1>
<dl><div><dt>PayTag</dt><dd>@${tag.handle}</dd></div><div><dt>Kept by</dt><dd><bdi>${tag.ownerAppName}</bdi></dd></div></dl>
<section><h2>How to pay</h2>
<ol><li>Open the app that you pay with.</li><li>Choose to pay a PayTag, and enter <strong>@${tag.handle}</strong>.</li><li>Check that the app shows the name above before you confirm.</li></ol></section>
<section><h2>Show or save this code</h2>
<p>It opens this page.</p>
<svg class="qr" role="img" aria-label="QR code of @${tag.handle}" viewBox="${viewBox}" width="256" height="256" shape-rendering="crispEdges"><path d="${path}"/></svg>
<p><a href="/p/${tag.handle}/qr.png" download="${tag.handle}.png">Save the code as a picture</a></p></section>`;
    return sendPage(reply, 200, { title: `Pay ${name}`, body });
  });
}

const message = (title: string, text: Html): Page => ({ title, body: html`<h1>${title}</h1><p>${text}</p>` });

const cannotBePaid = (tag: string): Page =>
  message('This PayTag cannot be paid now', html`@${tag} is suspended. Ask its owner how to pay them.`);

/** A person who scanned a code reads a page, whatever their camera says that it accepts. */
export function refuseTag(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { error, status } = refusalOf(thrown, request, reply);
  const page =
    error.code === 'TAG_NOT_FOUND'
      ? message('Nobody has this PayTag', html`Check how it is spelt, or scan the code again.`)
      : error.code === 'TOO_MANY_REQUESTS'
        ? message('One moment, please', html`Too many PayTags were looked up from your network. Try again in a minute.`)
        : message('Something went wrong on our side', html`Open this page again in a moment.`);
  sendPage(reply, status, page);
}
