import type { FastifyReply } from 'fastify';
import { type Html, html, trustedHtml } from '#lib/html.ts';
import { pageHeaders } from './page-headers.ts';

interface PrivatePage {
  language: string;
  direction: string;
  title: string;
  style: string;
  /** What it may do: `pagePolicy` of its style. */
  policy: string;
  /** Stands in its head besides. */
  head?: Html;
  /** Its body, with its tag. */
  body: Html;
  /** Sent with it besides. */
  headers?: Readonly<Record<string, string>>;
}

/** Answers a page for one reader: nobody else frames, finds or keeps it, and a browser makes no links of what looks like a phone. */
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
