import type { FastifyReply } from 'fastify';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';
import { textsFor } from './languages.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { Texts } from './texts.ts';

/** Nothing runs, nothing is loaded, nobody frames it, and its forms come back to us. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(PAGE_STYLE).toString('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sent with each page: nobody else may frame it, index it or cache it. */
const HEADERS = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
  vary: 'accept, accept-language',
} as const;

/** A page in the language of whoever reads it. */
export type Page = (t: Texts) => { title: string; body: Html };

/** What stands above every page of a server on which nothing is real; nothing in live. */
function bannerOf(t: Texts, testing: FastifyReply['server']['testing']): Html {
  if (testing === undefined) return html``;
  const where = t.text(testing.environment === 'staging' ? 'page.banner.staging' : 'page.banner.sandbox');
  const code = testing.code !== undefined && ` ${t.text('page.banner.code', { code: testing.code })}`;
  return html`<aside class="banner">${where}${code}</aside>`;
}

/** Answers a page. It has no script, and loads nothing. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const t = textsFor(reply.request);
  const { title, body } = page(t);
  const document = html`<!doctype html>
<html lang="${t.language}" dir="${t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${title} – PayTag</title>
<style>${trustedHtml(PAGE_STYLE)}</style>
</head>
<body>
<header class="brand">PayTag</header>
${bannerOf(t, reply.server.testing)}
<main>
${body}
</main>
<footer class="foot"><p>${t.text('page.foot')}</p></footer>
</body>
</html>
`;
  return reply
    .code(status)
    .removeHeader('content-type')
    .headers({ ...HEADERS, 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(document.text);
}
