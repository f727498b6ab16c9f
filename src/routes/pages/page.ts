import type { FastifyReply } from 'fastify';
import { pagePolicy, sendPrivatePage } from '#http/pages.ts';
import { type Brand, brandMark } from '#lib/brand.ts';
import { type Html, html } from '#lib/html.ts';
import { pageStyle, WIDE_STYLE } from '#lib/page-style.ts';
import type { Texts } from './texts.ts';
import { textsFor } from './texts.ts';

declare module 'fastify' {
  interface FastifyInstance {
    look: Look;
  }
}

/** The look of the pages, with the operator's brand. */
export interface Look {
  brand: Brand;
  style: string;
  /** No scripts, no loading, no framing, and forms are sent to us only. */
  policy: string;
  /** The same of a page of lists. */
  wide: { style: string; policy: string };
}

/** Sent with each page in addition to its policy: its content depends on the reader. */
const VARIES = { vary: 'accept, accept-language' } as const;

export function lookOf(brand: Brand): Look {
  const style = pageStyle(brand.colours);
  const wide = style + WIDE_STYLE;
  return { brand, style, policy: pagePolicy(brand, style), wide: { style: wide, policy: pagePolicy(brand, wide) } };
}

/** A page in the reader's language. */
export type Page = (t: Texts) => PageParts;

interface PageParts {
  title: string;
  body: Html;
  /** Of a page of lists: what stands above it, to go from one to the other. */
  nav?: Html;
}

/** What stands above every page of a server on which nothing is real; nothing in live. */
function bannerOf(t: Texts, testing: FastifyReply['server']['testing']): Html {
  if (testing === undefined) return html``;
  const where = t.text(testing.environment === 'staging' ? 'page.banner.staging' : 'page.banner.sandbox');
  const code = testing.code !== undefined && ` ${t.text('page.banner.code', { code: testing.code })}`;
  return html`<aside class="banner">${where}${code}</aside>`;
}

/** Who runs the server, who licensed them, and where to find help. */
function imprint(t: Texts, { name, address, licence, support: { email, phone } }: Brand): Html {
  const contacts = [
    email !== undefined && html`<a href="mailto:${email}">${email}</a>`,
    phone !== undefined && html`<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}" dir="ltr">${phone}</a>`,
  ].filter((contact) => contact !== false);
  const who = [address === undefined ? undefined : `${name}, ${address}`, licence].filter((line) => line !== undefined);
  return html`${contacts.length > 0 && html`<p>${t.text('page.help')} ${contacts.map((contact, at) => html`${at > 0 && ' · '}${contact}`)}</p>`}${who.map((line) => html`<p>${line}</p>`)}`;
}

/** Answers a page. It has no script, and loads nothing. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const t = textsFor(reply.request);
  const { brand, wide, ...narrow } = reply.server.look;
  const { title, body, nav } = page(t);
  const { style, policy } = nav === undefined ? narrow : wide;
  return sendPrivatePage(reply, status, {
    language: t.language,
    direction: t.direction,
    title: `${title} – ${brand.name}`,
    style,
    policy,
    headers: VARIES,
    body: html`<body>
<header class="brand">${brandMark(brand)}</header>
${bannerOf(t, reply.server.testing)}
${nav}
<main>
${body}
</main>
<footer class="foot"><p>${t.text('page.foot', { name: brand.name })}</p>${imprint(t, brand)}</footer>
</body>`,
  });
}
