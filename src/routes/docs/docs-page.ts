import type { FastifyReply } from 'fastify';
import { type Brand, brandMark } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';
import { docsStyle } from './docs-style.ts';

interface Page {
  title: string;
  body: Html;
}

declare module 'fastify' {
  interface FastifyInstance {
    docsLook: DocsLook;
  }
}

/** How the guides of this server look, by the brand of whoever runs it. */
interface DocsLook {
  brand: Brand;
  style: string;
  /** A guide has no script, and loads nothing. */
  policy: string;
}

const BASE_POLICY = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

export function docsLookOf(brand: Brand): DocsLook {
  const style = docsStyle(brand.colours);
  const pictures = brand.logo === undefined ? [] : ['img-src data:'];
  const policy = [...BASE_POLICY, ...pictures, `style-src 'sha256-${sha256(style).toString('base64')}'`].join('; ');
  return { brand, style, policy };
}

/** The reference runs our scripts and no others, calls us and nobody else; it writes its own style. */
const REFERENCE_POLICY = [
  ...BASE_POLICY,
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
].join('; ');

/** Answers a page of text. It has no script, and loads nothing. */
export function sendDocsPage(reply: FastifyReply, { title, body }: Page): FastifyReply {
  const { brand, policy, style } = reply.server.docsLook;
  return send(reply, {
    title,
    policy,
    style,
    body: html`<header><nav aria-label="Documentation"><a class="brand" href="/docs">${brandMark(brand)}</a> <a href="/docs/reference/partner">Partner and SSO API</a> <a href="/docs/reference/switch">Switch API</a></nav></header>
<main>
${body}
</main>`,
  });
}

/** Answers a page on which a script draws a reference. */
export const sendReferencePage = (reply: FastifyReply, { title, body }: Page): FastifyReply =>
  send(reply, { title, policy: REFERENCE_POLICY, body });

function send(
  reply: FastifyReply,
  { title, policy, style, body }: Page & { policy: string; style?: string },
): FastifyReply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${reply.server.docsLook.brand.name}</title>
${style !== undefined && html`<style>${trustedHtml(style)}</style>`}
</head>
<body>
${body}
</body>
</html>
`;
  return reply
    .removeHeader('content-type')
    .headers({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' })
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(document.text);
}
