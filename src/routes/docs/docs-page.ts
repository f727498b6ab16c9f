import type { FastifyReply } from 'fastify';
import { type Brand, type BrandColours, brandMark } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';

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

/** The look of the guides, with the operator's brand. */
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

/** The reference runs only our scripts and calls only our server; it writes its own style. */
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

/** The APIs that have a reference, by the name in its address. */
export const REFERENCES = {
  partner: {
    title: 'Partner and SSO API',
    short: 'Partner and SSO API',
    about: 'every operation under /v2, to read and to try',
    document: '/v2/openapi.json',
    /** The credentials that the reference asks for before a request is tried. */
    credentials: ['clientId', 'apiKey'],
  },
  switch: {
    title: 'Switch and application identity',
    short: 'Switch API',
    about: 'every operation under /api/v1, to read and to try',
    document: '/api/openapi.json',
    credentials: ['application'],
  },
} as const;

/** The look of the guides: one column of text, readable on a phone, in light and dark. */
const docsStyle = ({ accent, dark }: BrandColours): string => `
:root { color-scheme: light dark; --ink: #16202e; --muted: #535f6e; --rule: #d8dee6; --band: #f1f5f4; --page: #fff; --accent: ${accent}; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --muted: #a3afbb; --rule: #35404b; --band: #1b242c; --page: #10171d; --accent: ${dark.accent}; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 16px/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--page); }
header { border-bottom: 1px solid var(--rule); }
nav, main { max-width: 860px; margin: 0 auto; padding: 0 20px; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0 20px; padding-top: 12px; padding-bottom: 12px; }
nav a { padding: 8px 0; }
nav [aria-current] { color: inherit; text-decoration: none; }
.brand { font-size: 22px; font-weight: 700; letter-spacing: -.02em; text-decoration: none; }
.brand img { display: block; width: auto; height: auto; max-width: 180px; max-height: 36px; }
@media (prefers-color-scheme: dark) { .brand img { padding: 4px 6px; background: #fff; border-radius: 4px; box-sizing: content-box; } }
main { padding-bottom: 64px; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; }
h1 { margin: 32px 0 12px; font-size: 30px; }
h2 { margin: 40px 0 8px; padding-top: 20px; border-top: 1px solid var(--rule); font-size: 22px; }
h3 { margin: 28px 0 8px; font-size: 18px; }
p, li, td { overflow-wrap: anywhere; }
li + li { margin-top: 6px; }
a { color: var(--accent); }
.list { padding: 0; list-style: none; }
.list a { font-weight: 600; }
.list span { color: var(--muted); }
code { padding: 1px 4px; font: .9em ui-monospace, "DejaVu Sans Mono", monospace; background: var(--band); border-radius: 3px; }
pre { padding: 14px 16px; overflow-x: auto; background: var(--band); border-radius: 4px; }
pre code { padding: 0; background: none; }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th, td { padding: 8px 12px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td code { overflow-wrap: anywhere; }
@media (max-width: 600px) { nav .brand { flex-basis: 100%; } }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/**
 * What stands above a reference, in the colours in which Scalar draws it; and those colours of Scalar that are too pale to be
 * read by everybody (WCAG 2.2 AA), darker or lighter.
 */
const REFERENCE_STYLE = `
:root { --scalar-custom-header-height: 48px; }
body { margin: 0; }
.top { position: sticky; z-index: 20; top: 0; height: 48px; border-bottom: 1px solid var(--scalar-border-color, #dfdfdf); background: var(--scalar-background-1, #fff); }
.top nav { display: flex; align-items: center; gap: 20px; height: 100%; padding: 0 20px; overflow-x: auto; font: 14px/1.4 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; white-space: nowrap; }
.top a { color: var(--scalar-color-1, #1b1b1b); text-underline-offset: 3px; }
.top [aria-current] { text-decoration: none; }
.top .brand { font-weight: 700; text-decoration: none; }
.top .brand img { display: block; width: auto; height: auto; max-width: 120px; max-height: 28px; }
.top :focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
@media (max-width: 600px) { .top nav { gap: 16px; padding: 0 16px; } .top .brand { display: none; } }
body.light-mode { --scalar-color-2: #565656; --scalar-color-3: #666; --scalar-color-green: #00754a; --scalar-color-blue: #0068a8; --scalar-color-orange: #b33e00; --scalar-color-red: #c80005; --scalar-color-yellow: #7d6200; --scalar-color-query: #006d71; }
body.dark-mode { --scalar-color-3: #9a9a9a; --scalar-color-red: #ff7a7a; }
`;
