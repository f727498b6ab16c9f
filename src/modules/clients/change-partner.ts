import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { assertWebhookTarget, setWebhookUrl } from '#modules/webhooks';
import { addresseeOf, contactDigest, noteNewContact, sealContact } from './partner-contact.ts';
import { lockAuthentic, routePartner, updatePartner } from './partner-store.ts';
import { getPartner, type OperatorPartnerView, partnerNotFound } from './read-partner.ts';
import { assertRedirectUrl } from './redirect-url.ts';
import { writeLetter } from './write-letter.ts';

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
 * Refuses what no partner can be changed to.
 *
 * @throws DomainError REDIRECT_URL_REFUSED, WEBHOOK_TARGET_REFUSED, INVALID_PARAMETER when nothing is to change
 */
export async function assertPartnerChange(
  { environment, webhooks }: { environment: string; webhooks: { allowedCidrs: readonly string[] } },
  { name, redirectUrl, webhookUrl, contactEmail }: Omit<PartnerChange, 'actor' | 'id' | 'reason'>,
): Promise<void> {
  if ([name, redirectUrl, webhookUrl, contactEmail].every((given) => given === undefined)) {
    throw new DomainError('INVALID_PARAMETER', 'name: give a name, a redirectUrl, a webhookUrl or a contactEmail');
  }
  if (redirectUrl !== undefined) assertRedirectUrl(redirectUrl, environment === 'live');
  if (webhookUrl != null) await assertWebhookTarget(webhookUrl, webhooks);
}

/**
 * Changes the name of a partner, and where its customers and its events are sent; what is not given stays. Logins that begin
 * from now on return to the new redirect URL. Audited, and told to the contact, to the one before where that changes.
 *
 * @throws DomainError PARTNER_NOT_FOUND, REDIRECT_URL_REFUSED, WEBHOOK_TARGET_REFUSED, INVALID_PARAMETER when nothing is to change;
 *   AlteredRecord
 */
export async function changePartner(
  deps: {
    transact: Transact;
    clock: Clock;
    keyring: Keyring;
    environment: string;
    webhooks: { allowedCidrs: readonly string[] };
    securityLog: SecurityLog;
  },
  { actor, id, name, redirectUrl, webhookUrl, contactEmail, reason }: PartnerChange,
): Promise<OperatorPartnerView> {
  const { transact, clock, keyring, securityLog } = deps;
  await assertPartnerChange(deps, { name, redirectUrl, webhookUrl, contactEmail });
  const isRedirected = redirectUrl !== undefined || webhookUrl !== undefined;
  const changed = await transact(async (tx) => {
    const row = await lockAuthentic(tx, keyring, id);
    if (row === undefined) throw partnerNotFound();
    const before = await getPartner({ db: tx, keyring }, id);
    const contactEmailSealed = contactEmail === undefined ? undefined : sealContact(keyring, id, contactEmail);
    await updatePartner(tx, id, { name, contactEmailSealed }, clock.now());
    if (redirectUrl !== undefined) await routePartner(tx, keyring, row, redirectUrl);
    if (webhookUrl !== undefined) await setWebhookUrl(tx, keyring, { ownerId: id, url: webhookUrl });
    const after = await getPartner({ db: tx, keyring }, id);
    await recordChange(tx, {
      actor,
      action: 'partner.change',
      target: id,
      before: profileOf(before),
      after: { ...profileOf(after), contactDigest: contactDigest(keyring, id, after.contactEmail) },
      reason,
    });
    const what = whatChanges({ name, redirectUrl, webhookUrl, contactEmail });
    const isOther = contactEmail !== undefined && contactEmail !== (before.contactEmail ?? null);
    if (isOther) await noteNewContact(tx, deps, row, { email: contactEmail, what });
    else if (isRedirected) await writeLetter(tx, deps, addresseeOf(keyring, row), { kind: 'PARTNER_CHANGED', what });
    return after;
  });
  if (isRedirected) securityLog.record('partner_redirected', { partnerId: id });
  if (contactEmail !== undefined) securityLog.record('contact_changed', { partnerId: id });
  return changed;
}

const names = {
  name: 'its name',
  redirectUrl: 'where its customers return to after a login',
  webhookUrl: 'where its webhooks are sent',
  contactEmail: 'its contact',
} as const;

/** What is changed, as its owner is told: without the values, which are in the console and the audit log. */
const whatChanges = (given: Pick<PartnerChange, keyof typeof names>): string =>
  Object.entries(names)
    .filter(([member]) => given[member as keyof typeof names] !== undefined)
    .map(([, what]) => what)
    .join(', ');

const profileOf = ({ name, redirectUrl, webhookUrl, contactEmail }: OperatorPartnerView) => ({
  name,
  redirectUrl,
  webhookUrl,
  hasContact: contactEmail !== undefined,
});
