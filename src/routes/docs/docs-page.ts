import type { FastifyReply } from 'fastify';
import { type Brand, brandMark } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';
import { docsStyle, REFERENCE_STYLE } from './docs-style.ts';
import { REFERENCES } from './references.ts';

interface Page {
  title: string;
  body: Html;
}

interface Sent extends Page {
  policy: string;
  style: string;
  head?: Html;
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

/** The way to the other pages; `here` is where it stands. */
const navigation = (brand: Brand, here?: string): Html => {
  const links = [
    ['/docs', 'Guides'],
    ...Object.entries(REFERENCES).map(([name, { short }]) => [`/docs/reference/${name}`, short]),
  ] as [path: string, text: string][];
  return html`<nav aria-label="Documentation"><a class="brand" href="/docs">${brandMark(brand)}</a> ${links.map(
    ([path, text]) => html`<a href="${path}"${path === here && html` aria-current="page"`}>${text}</a> `,
  )}</nav>`;
};

/** Answers a page of text. It has no script, and loads nothing. */
export function sendDocsPage(reply: FastifyReply, { title, body }: Page): FastifyReply {
  const { brand, policy, style } = reply.server.docsLook;
  return send(reply, {
    title,
    policy,
    style,
    body: html`<header>${navigation(brand)}</header>
<main>
${body}
</main>`,
  });
}

/** Answers a page on which a script draws a reference, under the way to the other pages. */
export const sendReferencePage = (reply: FastifyReply, { title, body, path }: Page & { path: string }): FastifyReply =>
  send(reply, {
    title,
    policy: REFERENCE_POLICY,
    style: REFERENCE_STYLE,
    head: html`<link rel="icon" href="data:,">`,
    body: html`<div class="top">${navigation(reply.server.docsLook.brand, path)}</div>
${body}`,
  });

function send(reply: FastifyReply, { title, policy, style, head, body }: Sent): FastifyReply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${reply.server.docsLook.brand.name}</title>
${head}
<style>${trustedHtml(style)}</style>
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
