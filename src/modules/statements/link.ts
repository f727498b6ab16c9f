import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Period } from './period.ts';

export const formats = ['pdf', 'csv', 'html'] as const;
export type Format = (typeof formats)[number];

/** What a link asks for: the statement of a wallet, of a period, in a format. */
export interface StatementRequest extends Period {
  /** Its reference. */
  wallet: string;
  format: Format;
}

const PURPOSE = 'statement.link';
/** A token of another form is refused before anything in it is parsed. */
const TOKEN = /^([\w-]{1,220})\.([\w-]{43})$/;

type Payload = [wallet: string, fromMs: number, toMs: number, format: Format, expiresMs: number];

/** A link with which anybody can read a statement until it expires. All that it asks for is in it, so none is stored. */
export function signLink(
  { keyring, publicUrl }: { keyring: Keyring; publicUrl: string },
  { wallet, from, to, format }: StatementRequest,
  expiresAt: Date,
): string {
  const payload: Payload = [wallet, from.getTime(), to.getTime(), format, expiresAt.getTime()];
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${publicUrl}/statements/${text}.${keyring.sign(PURPOSE, text).toString('base64url')}`;
}

/**
 * What the token of a link asks for.
 *
 * @throws DomainError STATEMENT_NOT_FOUND for a token that we did not make, STATEMENT_LINK_EXPIRED
 */
export function readLink(keyring: Keyring, token: string, now: Date): StatementRequest {
  const [, text = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!equalDigests(Buffer.from(signature, 'base64url'), keyring.sign(PURPOSE, text))) throw statementNotFound();
  const [wallet, fromMs, toMs, format, expiresMs]: Payload = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (now.getTime() >= expiresMs) {
    throw new DomainError('STATEMENT_LINK_EXPIRED', 'this link has expired: ask for the statement again');
  }
  return { wallet, from: new Date(fromMs), to: new Date(toMs), format };
}

/** The error for a statement that does not exist or is not the caller's. */
export const statementNotFound = (): DomainError =>
  new DomainError('STATEMENT_NOT_FOUND', 'there is no such statement');
