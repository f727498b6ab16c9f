import type { Channel } from '../../providers/messaging/port.ts';
import { challengeOf, findAnswerable } from './answer-in-person.ts';
import { sendOwnerCode } from './send-owner-code.ts';

/**
 * Sends the owner of the tag a code to prove themselves by on the page.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED, and those of
 *   `sendOwnerCode`
 */
export async function sendConsentCode(
  deps: Parameters<typeof findAnswerable>[0] & Parameters<typeof sendOwnerCode>[0],
  consentToken: string,
  channel: Channel,
): Promise<void> {
  const found = await findAnswerable(deps, consentToken, 'decline');
  await sendOwnerCode(deps, challengeOf(found), channel);
}
