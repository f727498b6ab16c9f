import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { assertWebhookTarget, setWebhookUrl } from '#modules/webhooks';
import { sealContact } from './contact.ts';
import { getPartner, type OperatorPartnerView, partnerNotFound } from './read-partner.ts';
import { assertRedirectUrl } from './redirect-url.ts';
import { selectPartner, updatePartner } from './store.ts';

export interface PartnerChange {
  actor: string;
  id: string;
  name?: string | undefined;
  redirectUrl?: string | undefined;
  /** Null: events wait until there is one again. */
  webhookUrl?: string | null | undefined;
  /** Who is told what becomes of its webhooks; null: nobody. */
  contactEmail?: string | null | undefined;
  reason: string;
}

/**
 * Changes the name of a partner, and where its customers and its events are sent; what is not given stays. Logins that begin
 * from now on return to the new redirect URL. Audited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, REDIRECT_URL_REFUSED, WEBHOOK_TARGET_REFUSED, INVALID_PARAMETER when nothing is to change
 */
export async function changePartner(
  {
    transact,
    clock,
    keyring,
    environment,
    webhooks,
  }: {
    transact: Transact;
    clock: Clock;
    keyring: Keyring;
    environment: string;
    webhooks: { allowedCidrs: readonly string[] };
  },
  { actor, id, name, redirectUrl, webhookUrl, contactEmail, reason }: PartnerChange,
): Promise<OperatorPartnerView> {
  if ([name, redirectUrl, webhookUrl, contactEmail].every((given) => given === undefined)) {
    throw new DomainError('INVALID_PARAMETER', 'name: give a name, a redirectUrl, a webhookUrl or a contactEmail');
  }
  if (redirectUrl !== undefined) assertRedirectUrl(redirectUrl, environment === 'live');
  if (webhookUrl != null) await assertWebhookTarget(webhookUrl, webhooks);

  return transact(async (tx) => {
    if ((await selectPartner(tx, id, 'locked')) === undefined) throw partnerNotFound();
    const before = await getPartner({ db: tx, keyring }, id);
    const contactEmailSealed = contactEmail === undefined ? undefined : sealContact(keyring, id, contactEmail);
    await updatePartner(tx, id, { name, redirectUrl, contactEmailSealed }, clock.now());
    if (webhookUrl !== undefined) await setWebhookUrl(tx, { ownerId: id, url: webhookUrl });
    const after = await getPartner({ db: tx, keyring }, id);
    await recordChange(tx, {
      actor,
      action: 'partner.change',
      target: id,
      before: profileOf(before),
      after: profileOf(after),
      reason,
    });
    return after;
  });
}

const profileOf = ({ name, redirectUrl, webhookUrl, contactEmail }: OperatorPartnerView) => ({
  name,
  redirectUrl,
  webhookUrl,
  hasContact: contactEmail !== undefined,
});
