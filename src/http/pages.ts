import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Brand } from '#lib/brand.ts';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Html, html, trustedHtml } from '#lib/html.ts';

/** Headers of each page: no other site may frame it, and it is neither indexed nor cached. */
const pageHeaders = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
} as const;

/**
 * The Content-Security-Policy of a page: it loads nothing but its inline logo and style, is not framed, and posts its forms to us.
 *
 * @param also further directives
 */
export const pagePolicy = ({ logo }: Brand, style: string, also: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `img-src ${logo === undefined ? "'none'" : 'data:'}`,
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    ...also,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

interface PrivatePage {
  language: string;
  direction: string;
  title: string;
  style: string;
  /** `pagePolicy` of its style. */
  policy: string;
  /** Further elements of its head. */
  head?: Html;
  /** The body element. */
  body: Html;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
}

/** Answers a page for one reader: not framed, indexed or cached, and without links where digits look like a phone number. */
export function sendPrivatePage(
  reply: FastifyReply,
  status: number,
  { language, direction, title, style, policy, head, body, headers = {} }: PrivatePage,
): FastifyReply {
  const document = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${trustedHtml(style)}</style>
${head}</head>
${body}
</html>
`;
  return reply
    .code(status)
    .removeHeader('content-type')
    .headers({ ...pageHeaders, ...headers, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(document.text);
}

type Deps = { keyring: Keyring; clock: Clock };

const PURPOSE = 'page.form';
const TTL_MS = 60 * 60 * 1000;

const signedText = (subject: string, untilMs: string): string => `${untilMs}:${subject}`;

/** The hidden field that proves that this server made the form for this subject, within the hour or `ttlMs`. */
export function sealForm(deps: Deps, subject: string, ttlMs = TTL_MS): string {
  const untilMs = String(deps.clock.now().getTime() + ttlMs);
  return `${untilMs}.${deps.keyring.sign(PURPOSE, signedText(subject, untilMs)).toString('base64url')}`;
}

/**
 * Refuses a form that is not from our page for this subject, or that another site sent. Another site's owner can open the page and copy
 * the seal, so the browser's word on the origin is checked as well.
 *
 * @throws DomainError FORM_REFUSED
 */
export function assertFormIsOurs(
  deps: Deps & { publicUrl: string },
  { subject, seal, headers }: { subject: string; seal: string; headers: IncomingHttpHeaders },
): void {
  const [, untilMs = '', signature = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(seal) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const isSigned = deps.keyring.verifies(PURPOSE, signedText(subject, untilMs), given);
  const isInTime = Number(untilMs) > deps.clock.now().getTime();
  if (isSigned && isInTime && isFromHere(headers, deps.publicUrl)) return;
  throw new DomainError('FORM_REFUSED', 'this form is too old, or not ours: open the page again');
}

/** By Fetch Metadata. A browser without it sends the origin, which is `null` because our pages send no referrer. */
function isFromHere(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin = 'null' } = headers;
  return origin === 'null' || origin === new URL(publicUrl).origin;
}
