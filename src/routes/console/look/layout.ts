import type { FastifyReply } from 'fastify';
import { pagePolicy, sendPrivatePage } from '#http/pages.ts';
import { type Brand, brandMark } from '#lib/brand.ts';
import { type Html, html } from '#lib/html.ts';
import { pageStyle, WIDE_STYLE } from '#lib/page-style.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';
import { scriptPaths } from './assets.ts';
import { CONSOLE_STYLE } from './console-style.ts';
import { menu } from './menu.ts';

declare module 'fastify' {
  interface FastifyInstance {
    consoleLook: ConsoleLook;
  }
}

interface ConsoleLook {
  brand: Brand;
  style: string;
  policy: string;
}

/** Scripts are ours and no others, and evaluate nothing; they load parts of pages from us alone. */
export function consoleLookOf(brand: Brand): ConsoleLook {
  const style = pageStyle(brand.colours) + WIDE_STYLE + CONSOLE_STYLE;
  return { brand, style, policy: pagePolicy(brand, style, ["script-src 'self'", "connect-src 'self'"]) };
}

/** What htmx may not do. It keeps no page of the console: for *Back* it asks for the page anew. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, mode: 'same-origin', defaultTimeout: 30_000 });

export interface ConsolePage {
  title: string;
  body: Html;
  /** The path of the page, for the menu. */
  at?: string;
}

const sealField = ({ seal }: ConsoleVisitor): Html => html`<input type="hidden" name="form" value="${seal}">`;

/** What stands above every page of a server on which nothing is real, or where everything is. */
function environmentOf({ testing }: FastifyReply['server']): Html {
  if (testing === undefined)
    return html`<aside class="banner live" aria-label="Environment">Live: this is real money.</aside>`;
  const what = testing.environment === 'staging' ? 'Staging' : 'Sandbox';
  return html`<aside class="banner" aria-label="Environment">${what}: nothing here is real.</aside>`;
}

const bar = ({ brand }: ConsoleLook, visitor: ConsoleVisitor | null): Html =>
  html`<header class="bar"><a class="mark" href="${CONSOLE}">${brandMark(brand)}</a>${
    visitor !== null &&
    html`<form class="find" method="post" action="${CONSOLE}/search" role="search">${sealField(visitor)}<label class="unseen" for="q">Find anything</label><input id="q" name="q" type="search" maxlength="300" placeholder="Reference, tag, account, phone, id …" autocomplete="off" spellcheck="false" accesskey="s" required><button>Find</button></form>
<div class="me"><p><bdi>${visitor.operator.name}</bdi><small>${visitor.operator.role}</small></p><a class="to-menu" href="#menu">Menu</a><form method="post" action="${CONSOLE}/sign-out">${sealField(visitor)}<button>Sign out</button></form></div>`
  }</header>`;

/** Answers a page of the console. */
export function sendConsolePage(
  reply: FastifyReply,
  status: number,
  { title, body, at = '' }: ConsolePage,
): FastifyReply {
  const { consoleLook: look } = reply.server;
  const { visitor } = reply.request;
  return sendPrivatePage(reply, status, {
    language: 'en',
    direction: 'ltr',
    title: `${title} – ${look.brand.name} console`,
    style: look.style,
    policy: look.policy,
    headers: { 'cross-origin-resource-policy': 'same-origin' },
    head: html`<meta name="htmx-config" content="${HTMX_CONFIG}">
${scriptPaths().map((path) => html`<script src="${path}" defer></script>`)}
`,
    body: html`<body id="top">
<a class="skip" href="#main">Go to what is on this page</a>
${bar(look, visitor)}
${environmentOf(reply.server)}
<div class="frame${visitor === null && ' alone'}">${visitor !== null && menu(visitor, at)}<main id="main">
${body}
</main></div>
${visitor !== null && html`<footer class="foot"><p>Times are those of Lagos. What you do here is done by the operator API, under your name.</p></footer>`}
</body>`,
  });
}
