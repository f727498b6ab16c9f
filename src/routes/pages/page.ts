import type { FastifyReply } from 'fastify';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';
import { PAGE_STYLE } from './page-style.ts';

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
  vary: 'accept',
} as const;

export interface Page {
  title: string;
  body: Html;
}

/** What stands above every page of a server on which nothing is real; nothing in live. */
function bannerOf(testing: FastifyReply['server']['testing']): Html {
  if (testing === undefined) return html``;
  const code = testing.code === undefined ? '' : ` Where a code is asked for, it is ${testing.code}.`;
  return html`<aside class="banner">This is ${testing.environment === 'staging' ? 'staging' : 'a sandbox'}: nothing here is real money.${code}</aside>`;
}

/** Answers a page. It has no script, and loads nothing. */
export function sendPage(reply: FastifyReply, status: number, { title, body }: Page): FastifyReply {
  const document = html`<!doctype html>
<html lang="en-NG">
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
${bannerOf(reply.server.testing)}
<main>
${body}
</main>
<footer class="foot"><p>Nobody from PayTag will ever ask you for your password or a code by phone or message.</p></footer>
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
