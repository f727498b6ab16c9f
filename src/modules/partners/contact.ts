import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { partnerNotFound } from './read-partner.ts';
import { CONTACT } from './sealed-columns.ts';
import { selectPartner, updatePartner } from './store.ts';

/** Who is told what becomes of a partner's webhooks. */
export interface PartnerContact {
  name: string;
  email: string | undefined;
}

/** Encrypts the address for storage. */
export const sealContact = (keyring: Keyring, partnerId: string, email: string | null | undefined): Buffer | null =>
  email == null ? null : keyring.seal(CONTACT, [partnerId], email);

/** Who is told what becomes of a partner's webhooks. @throws DomainError PARTNER_NOT_FOUND */
export async function readPartnerContact(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<PartnerContact> {
  const found = await selectPartner(db, id);
  if (found === undefined) throw partnerNotFound();
  const { name, contactEmailSealed: sealed } = found;
  return { name, email: sealed === null ? undefined : keyring.open(CONTACT, [id], sealed) };
}

/**
 * Sets who is told what becomes of a partner's webhooks, at its own word; null: nobody. Audited, without the address.
 *
 * @throws DomainError PARTNER_NOT_FOUND
 */
export async function changeContact(
  { transact, keyring, clock }: { transact: Transact; keyring: Keyring; clock: Clock },
  { actor, partnerId, email }: { actor: string; partnerId: string; email: string | null },
): Promise<PartnerContact> {
  return transact(async (tx) => {
    const before = await selectPartner(tx, partnerId, 'locked');
    if (before === undefined) throw partnerNotFound();
    await updatePartner(tx, partnerId, { contactEmailSealed: sealContact(keyring, partnerId, email) }, clock.now());
    await recordChange(tx, {
      actor,
      action: 'partner.contact',
      target: partnerId,
      before: { hasContact: before.contactEmailSealed !== null },
      after: { hasContact: email !== null },
    });
    return { name: before.name, email: email ?? undefined };
  });
}
