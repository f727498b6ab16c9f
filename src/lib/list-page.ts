import type { Count } from './counts.ts';
import { DomainError } from './domain-error.ts';

/** Rows that a page may pass over at most, where there are more: further on it is reached by its cursor. */
export const OFFSET_MAX = 10_000;

/** Which part of a list is asked for. */
export interface PageRequest<Key> {
  /** Items at most. */
  limit: number;
  /** Items that are passed over first. */
  offset: number;
  /** Goes on after the item of this key: the `next` of an earlier page. */
  cursor?: Key | undefined;
  /** True: how many there are is not asked, and `count` says nothing. */
  isUncounted?: boolean | undefined;
}

/** A part of a list; `count` is of all of it. */
export interface Listed<Item, Key> extends Count {
  items: Item[];
  /** Where the next page goes on; undefined after the last. */
  next: Key | undefined;
}

/** The rows that were found, one more than `limit` where there are more, as a page. */
export function pageOfRows<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { items: Row[]; next: Key | undefined } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}

/** True when nothing is at this offset. @throws DomainError INVALID_PARAMETER when only a cursor gets there */
export function isPast({ count, countIsExact }: Count, offset: number): boolean {
  if (offset <= OFFSET_MAX) return false;
  if (countIsExact) return offset >= count;
  throw new DomainError('INVALID_PARAMETER', `offset: must be at most ${OFFSET_MAX} in a list this long: take cursor`);
}
