import { withdrawConsent } from './customer-consents.ts';
import { withdrawLink } from './customer-links.ts';

/**
 * A customer takes back what they agreed to, for good. The application that asked for it gets an event.
 *
 * @throws DomainError CONSENT_NOT_FOUND, also for another customer's; CLAIM_NOT_APPROVED, LINK_ENDED
 */
export async function withdrawAgreement(
  deps: Parameters<typeof withdrawConsent>[0],
  { customerId, consentId }: { customerId: string; consentId: string },
): Promise<void> {
  if (await withdrawLink(deps, { customerId, linkId: consentId })) return;
  await withdrawConsent(deps, { customerId, consentId });
}
