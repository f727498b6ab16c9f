import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, type RowInSql, readRow, type Vouched } from '#lib/crypto/routing-facts.ts';
import { subjectRoute } from '#modules/clients';

/** Who has a handle, and until when: all but the end never changes. */
export const tagRoute = {
  table: 'tags.tag',
  columns: ['id', 'handle', 'subjectId', 'createdByAppId', 'releasedAt'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [tagRoute];

/** A tag and its owner as we stored them. @throws AlteredRecord for others: nobody goes by them */
export function verifiedTag<Found extends { tag: Vouched<typeof tagRoute>; owner: Vouched<typeof subjectRoute> }>(
  keyring: Keyring,
  found: Found,
): Found {
  assertAuthentic(keyring, tagRoute, found.tag);
  assertAuthentic(keyring, subjectRoute, found.owner);
  return found;
}

/** What `tags.payable` found: a tag, and the subject whose it is. */
export interface PayableRows {
  tag: RowInSql<typeof tagRoute>;
  subject: RowInSql<typeof subjectRoute>;
}

/** Passes a tag and a subject who are as we stored them. @throws AlteredRecord for others */
export function assertPayable(keyring: Keyring, { tag, subject }: PayableRows): void {
  assertAuthentic(keyring, tagRoute, readRow(tag));
  assertAuthentic(keyring, subjectRoute, readRow(subject));
}
