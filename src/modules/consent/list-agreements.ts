import type { Database } from '#lib/postgres/executor.ts';
import { isPast, type Listed, OFFSET_MAX, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import { type CustomerConsent, listCustomerConsents } from './customer-consents.ts';
import { type CustomerLink, listCustomerLinks } from './customer-links.ts';

/** What a customer has agreed to on their PayTag: that it stands for a user elsewhere, or is linked to another tag. */
export type Agreement = ({ type: 'CLAIM' } & CustomerConsent) | ({ type: 'LINK' } & CustomerLink);

/** The approved claims and the links on a customer's PayTag, newest first. `count` is of all pages. */
export async function listAgreements(
  deps: { db: Database },
  { customerId, limit, offset, cursor }: { customerId: string } & PageRequest<string>,
): Promise<Listed<Agreement, string>> {
  const first = { customerId, limit: Math.min(offset, OFFSET_MAX) + limit + 1, before: cursor };
  const [claims, links] = await Promise.all([listCustomerConsents(deps, first), listCustomerLinks(deps, first)]);
  const all: Agreement[] = [
    ...claims.items.map((one) => ({ type: 'CLAIM' as const, ...one })),
    ...links.items.map((one) => ({ type: 'LINK' as const, ...one })),
  ];
  // Their ids are UUIDs of version 7, which sort by the time they were made.
  const counted = { count: claims.count + links.count, countIsExact: true };
  if (isPast(counted, offset)) return { items: [], ...counted, next: undefined };
  const sorted = all.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(offset);
  return { ...pageOfRows(sorted, limit, ({ id }) => id), ...counted };
}
