import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { businessDay, startOfDay } from '#modules/ledger';

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
  // Links of 0.1.0 name no customer, and end with that version.
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

/** The time that a statement covers: from one moment until just before another. */
export interface Period {
  from: Date;
  to: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const DAYS_ASSUMED = 30;

const DAYS_MAX = 366;

/** PayTag did not exist before. */
const EARLIEST = '2000-01-01';

const after = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS);

const isDay = (text: string): boolean => text.length === 10;

/**
 * The period between `from` and `to`, each a day in Lagos (YYYY-MM-DD; the last day is included) or a moment (RFC 3339).
 * Without `to` it ends now; without `from` it begins with the day thirty days before its end. Where the clock was set back, now is
 * right after the last entry.
 *
 * @param wallet.movedAt when it was moved last; null: never
 * @throws DomainError INVALID_PARAMETER when it is reversed, in the future, or longer than 366 days
 */
export function readPeriod(
  given: { from?: string | undefined; to?: string | undefined },
  wallet: { now: Date; movedAt: Date | null },
): Period {
  const now = new Date(Math.max(wallet.now.getTime(), (wallet.movedAt?.getTime() ?? 0) + 1));
  const to = given.to === undefined ? now : endOf(given.to, now);
  const from = given.from === undefined ? startOfDay(businessDay(after(to, -DAYS_ASSUMED))) : beginOf(given.from);
  if (from < startOfDay(EARLIEST)) throw refusal(`from: must not be before ${EARLIEST}`);
  if (from > now) throw refusal('from: must not be in the future');
  if (from >= to) throw refusal('to: must be after from');
  if (to > after(from, DAYS_MAX)) throw refusal(`from, to: must be at most ${DAYS_MAX} days apart`);
  return { from, to };
}

const beginOf = (text: string): Date => (isDay(text) ? startOfDay(text) : new Date(text));

/** The end of a period: a day ends at midnight, and today ends now. @throws DomainError for an end in the future */
function endOf(text: string, now: Date): Date {
  if (isDay(text) && startOfDay(text) <= now)
    return new Date(Math.min(after(startOfDay(text), 1).getTime(), now.getTime()));
  const end = new Date(text);
  if (isDay(text) || end > now) throw refusal('to: must not be in the future');
  return end;
}

const refusal = (message: string): DomainError => new DomainError('INVALID_PARAMETER', message);
