import type { Database } from '#lib/database.ts';
import { type CustomerConsent, listCustomerConsents } from '#modules/claims';
import { type CustomerLink, listCustomerLinks } from '#modules/federations';

/** What a customer has agreed to on their PayTag: that it stands for a user elsewhere, or is linked to another tag. */
export type Agreement = ({ type: 'CLAIM' } & CustomerConsent) | ({ type: 'LINK' } & CustomerLink);

/** The approved claims and the links on a customer's PayTag, newest first. `count` is of all pages. */
export async function listAgreements(
  deps: { db: Database },
  { customerId, limit, offset }: { customerId: string; limit: number; offset: number },
): Promise<{ items: Agreement[]; count: number }> {
  const first = { customerId, limit: offset + limit };
  const claims = await listCustomerConsents(deps, first);
  const links = await listCustomerLinks(deps, first);
  const all: Agreement[] = [
    ...claims.items.map((one) => ({ type: 'CLAIM' as const, ...one })),
    ...links.items.map((one) => ({ type: 'LINK' as const, ...one })),
  ];
  // Their ids are UUIDs of version 7, which sort by the time they were made.
  const items = all.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(offset, offset + limit);
  return { items, count: claims.count + links.count };
}
