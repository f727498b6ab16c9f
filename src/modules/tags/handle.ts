import { DomainError } from '#lib/domain-error.ts';
import { type StateOf, statesOf } from '#lib/state-machine.ts';
import { isReserved } from '#modules/reserved-names';

const ASCII = /^[\x21-\x7e]+$/;

const HANDLE = /^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/;

const DOUBLED_SEPARATOR = /[._-]{2}/;

/**
 * The handle that a text stands for: one leading `@` removed, lower-cased. Undefined for text that no tag can have.
 * ASCII is checked before the letters are lowered, because the Kelvin sign lowers to a plain `k`.
 */
export function parseHandle(text: string): string | undefined {
  const bare = text.startsWith('@') ? text.slice(1) : text;
  if (!ASCII.test(bare)) return undefined;
  const handle = bare.toLowerCase();
  return HANDLE.test(handle) && !DOUBLED_SEPARATOR.test(handle) ? handle : undefined;
}

/** The grammar of `parseHandle`, as an error message says it. */
export const TAG_GRAMMAR =
  'has 3 to 30 letters, digits, dots, dashes or underscores, begins and ends with a letter or digit, and doubles no separator';

/** Why a handle is refused that cannot be given again. */
export const RESERVED =
  'this one is reserved, or reads as a phone number or an account number: choose another, with a letter in it';

/** The handle of a requested PayTag. @throws DomainError INVALID_PAYTAG */
export function readPayTag(text: string): string {
  const handle = parseHandle(text);
  if (handle !== undefined) return handle;
  throw new DomainError('INVALID_PAYTAG', `a PayTag ${TAG_GRAMMAR}`);
}

/** The handle of a PayTag that is to be made. @throws DomainError INVALID_PAYTAG, PAYTAG_RESERVED */
export function readNewPayTag(text: string): string {
  const handle = readPayTag(text);
  if (isReserved(handle)) throw new DomainError('PAYTAG_RESERVED', RESERVED);
  return handle;
}

/** The parts of an address: `ada`, `@ada`, or `ada@acme`, where `acme` is the namespace of the owner's application. */
export function parseAddress(address: string): { handle: string | undefined; namespace: string | undefined } {
  const bare = address.startsWith('@') ? address.slice(1) : address;
  const [name = '', namespace, ...more] = bare.split('@');
  const handle = more.length === 0 && !bare.startsWith('@') ? parseHandle(name) : undefined;
  return { handle, namespace: namespace?.toLowerCase() };
}

/** The link that resolves a tag for anybody; its QR code holds it. */
export const publicLink = (handle: string, publicUrl: string): string => `${publicUrl}/p/${handle}`;

/** Where a tag may go. A closed one stays closed. */
export const tagTransitions = {
  ACTIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
} as const;

export type TagStatus = StateOf<typeof tagTransitions>;

export const tagStatuses = statesOf(tagTransitions);

/** How long the handle of a closed tag stays taken. */
const QUARANTINE_MS = 90 * 24 * 60 * 60 * 1000;

/** When the handle of a tag that was closed at `closedAt` is free again. */
export const availableFrom = (closedAt: Date): Date => new Date(closedAt.getTime() + QUARANTINE_MS);

/** Handles of tags closed no later than this are free now. */
export const quarantineEnd = (now: Date): Date => new Date(now.getTime() - QUARANTINE_MS);
