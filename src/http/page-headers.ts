import type { Brand } from '#lib/brand.ts';
import { sha256 } from '#lib/crypto/digest.ts';

/** Sent with each page: nobody else may frame it, index it or cache it. */
export const pageHeaders = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
} as const;

/**
 * What a page may do: nothing is loaded but its logo and its one style, which stand in it, nobody frames it, and its forms come
 * back to us.
 *
 * @param also what it may do besides, as directives
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
