import type { DepsOf } from '#lib/deps-of.ts';
import { assertOwnerContact } from '#modules/clients';

export type CredentialDeps = DepsOf<typeof assertOwnerContact> & { environment: string };

/**
 * Whether new credentials for an owner who has some wait: in live always, for whoever has them can act as that owner. They go to the
 * owner's proven contact, so that nothing is stored for an owner who has none.
 *
 * @throws DomainError CONTACT_NOT_PROVEN, PARTNER_NOT_FOUND, RECEIVER_NOT_FOUND
 */
export async function waitsInLive(
  deps: CredentialDeps,
  owner: Parameters<typeof assertOwnerContact>[1],
): Promise<'always' | 'never'> {
  if (deps.environment !== 'live') return 'never';
  await assertOwnerContact(deps, owner);
  return 'always';
}
