import type { Database } from '#lib/database.ts';
import { type CustomerConsent, listCustomerConsents, withdrawConsent } from '#modules/claims';
import { type CustomerLink, listCustomerLinks, withdrawLink } from '#modules/federations';

/** What a customer has agreed to on her PayTag: that it stands for somebody elsewhere, or that it is linked to another tag. */
export type Agreement = ({ type: 'CLAIM' } & CustomerConsent) | ({ type: 'LINK' } & CustomerLink);

/** The claims and links on a customer's PayTag that stand, newest first. `count` is of all of them. */
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
  // Their ids are UUIDs of version 7, which are in the order of their making.
  const items = all.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(offset, offset + limit);
  return { items, count: claims.count + links.count };
}

/**
 * A customer takes back what she agreed to, for good. The application that asked for it is told.
 *
 * @throws DomainError CONSENT_NOT_FOUND, also for what is not hers; CLAIM_NOT_APPROVED, LINK_ENDED
 */
export async function withdrawAgreement(
  deps: Parameters<typeof withdrawConsent>[0],
  { customerId, consentId }: { customerId: string; consentId: string },
): Promise<void> {
  if (await withdrawLink(deps, { customerId, linkId: consentId })) return;
  await withdrawConsent(deps, { customerId, consentId });
}
