import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';

type Deps = { keyring: Keyring; clock: Clock };

const PURPOSE = 'page.form';
const TTL_MS = 60 * 60 * 1000;

const signedText = (subject: string, untilMs: string): string => `${untilMs}:${subject}`;

/** The value of a form's hidden field: it says that we made this form, for this subject, within the hour, or as long as is given. */
export function sealForm(deps: Deps, subject: string, ttlMs = TTL_MS): string {
  const untilMs = String(deps.clock.now().getTime() + ttlMs);
  return `${untilMs}.${deps.keyring.sign(PURPOSE, signedText(subject, untilMs)).toString('base64url')}`;
}

/**
 * Refuses a form that a page of ours for this subject did not hold, and one that a page of somebody else sent: the seal
 * stands in the page of whoever opened it, so the browser's word for where the form stood is asked for too.
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

/** By Fetch Metadata; a browser without it says the origin, or `null` since the page sends no referrer. */
function isFromHere(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin = 'null' } = headers;
  return origin === 'null' || origin === new URL(publicUrl).origin;
}
