import { DomainError } from '#lib/domain-error.ts';
import { isReserved } from '#modules/reserved-names';

const ASCII = /^[\x21-\x7e]+$/;
const HANDLE = /^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/;
const DOUBLED_SEPARATOR = /[._-]{2}/;

/**
 * The handle that a text stands for: one leading `@` stripped, lower-cased. Undefined when no tag could have it.
 * ASCII is asked for before the letters are lowered, since the Kelvin sign lowers to a plain `k`.
 */
export function parseHandle(text: string): string | undefined {
  const bare = text.startsWith('@') ? text.slice(1) : text;
  if (!ASCII.test(bare)) return undefined;
  const handle = bare.toLowerCase();
  return HANDLE.test(handle) && !DOUBLED_SEPARATOR.test(handle) ? handle : undefined;
}

/** What `parseHandle` asks for, as a refusal says it. */
export const TAG_GRAMMAR =
  'has 3 to 30 letters, digits, dots, dashes or underscores, begins and ends with a letter or digit, and doubles no separator';

/** The handle of a PayTag that is asked for. @throws DomainError INVALID_PAYTAG */
export function readPayTag(text: string): string {
  const handle = parseHandle(text);
  if (handle !== undefined) return handle;
  throw new DomainError('INVALID_PAYTAG', `a PayTag ${TAG_GRAMMAR}`);
}

/** The handle of a PayTag that is to be made. @throws DomainError INVALID_PAYTAG, PAYTAG_RESERVED */
export function readNewPayTag(text: string): string {
  const handle = readPayTag(text);
  if (isReserved(handle)) throw new DomainError('PAYTAG_RESERVED', 'this PayTag is reserved: choose another');
  return handle;
}
