import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Period } from './period.ts';

export const formats = ['pdf', 'csv', 'html', 'xlsx'] as const;
export type Format = (typeof formats)[number];

/** What a link asks for: the statement of a wallet, of a period, in a format. */
export interface StatementRequest extends Period {
  /** Its reference. */
  wallet: string;
  format: Format;
}

/** In which session a link was asked for, with which it ends; of a link in a mail, the moment it was asked for. */
export type LinkOrigin = { session: string } | { at: Date };

const PURPOSE = 'statement.link';
/** A token of another form is refused before anything in it is parsed. */
const TOKEN = /^([\w-]{1,220})\.([\w-]{43})$/;

type Payload = [
  wallet: string,
  fromMs: number,
  toMs: number,
  format: Format,
  expiresMs: number,
  origin: string | number,
];

/** A link with which anybody can read a statement, until it expires or the session ends in which it was asked for. All that it asks for is in it, so none is stored. */
export function signLink(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  { wallet, from, to, format, origin }: StatementRequest & { origin: LinkOrigin },
  expiresAt: Date,
): string {
  const of = 'session' in origin ? origin.session : origin.at.getTime();
  const payload: Payload = [wallet, from.getTime(), to.getTime(), format, expiresAt.getTime(), of];
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${publicUrl}/statements/${text}.${keyring.sign(PURPOSE, text).toString('base64url')}`;
}

/**
 * What the token of a link asks for.
 *
 * @throws DomainError STATEMENT_NOT_FOUND for a token that we did not make, STATEMENT_LINK_EXPIRED
 */
export function readLink(keyring: Keyring, token: string, now: Date): StatementRequest & { origin: LinkOrigin } {
  const [, text = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!keyring.verifies(PURPOSE, text, Buffer.from(signature, 'base64url'))) throw statementNotFound();
  const payload: Payload = JSON.parse(Buffer.from(text, 'base64url').toString());
  const [wallet, fromMs, toMs, format, expiresMs, of] = payload;
  // Links of 0.1.0 name nobody, and end with it.
  if (now.getTime() >= expiresMs || of === undefined) throw linkExpired();
  const origin = typeof of === 'string' ? { session: of } : { at: new Date(of) };
  return { wallet, from: new Date(fromMs), to: new Date(toMs), format, origin };
}

/** The error for a link that has expired, or ended with the session in which it was asked for. */
export const linkExpired = (): DomainError =>
  new DomainError('STATEMENT_LINK_EXPIRED', 'this link has expired: ask for the statement again');

/** The error for a statement that does not exist or is not the caller's. */
export const statementNotFound = (): DomainError =>
  new DomainError('STATEMENT_NOT_FOUND', 'there is no such statement');
