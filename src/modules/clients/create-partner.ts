import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { currencies, openFloatAccount } from '#modules/ledger';
import { newWebhookSecret, registerReceiver } from '#modules/outbox';
import { assertWebhookTarget } from '#modules/webhooks';
import { askForProof } from './contact-proof.ts';
import { newApiKey, newClientId } from './credentials.ts';
import { addresseeOf, contactDigest, sealContact } from './partner-contact.ts';
import { insertApiKey, insertPartner } from './partner-store.ts';
import { type ListedPartner, withClientId } from './read-partner.ts';
import { assertRedirectUrl } from './redirect-url.ts';

export interface NewPartner {
  name: string;
  redirectUrl: string;
  webhookUrl?: string | undefined;
  /** Who is told what becomes of its webhooks. */
  contactEmail?: string | undefined;
  reason?: string | undefined;
}

/** A new partner with its secrets, which are never shown again. In live its key is good for three days. */
export interface CreatedPartner extends ListedPartner {
  apiKey: string;
  webhookUrl: string | undefined;
  webhookSecret: string;
}

/**
 * Creates a partner with its credentials, its webhook receiver and a float in every currency, all or nothing. In live its contact
 * is asked to prove that the address is theirs, and the key is good for three days: whoever makes partners sees it, and those that last
 * go to the owner alone. Audited.
 *
 * @throws DomainError REDIRECT_URL_REFUSED, WEBHOOK_TARGET_REFUSED
 */
export async function createPartner(
  deps: {
    transact: Transact;
    environment: string;
    webhooks: { allowedCidrs: readonly string[] };
    keyring: Keyring;
    clock: Clock;
    securityLog: SecurityLog;
  },
  actor: string,
  { name, redirectUrl, webhookUrl, contactEmail, reason }: NewPartner,
): Promise<CreatedPartner> {
  assertRedirectUrl(redirectUrl, deps.environment === 'live');
  if (webhookUrl !== undefined) await assertWebhookTarget(webhookUrl, deps.webhooks);
  const clientId = newClientId();
  const apiKey = newApiKey(deps.environment);
  const webhookSecret = newWebhookSecret();
  const now = deps.clock.now();
  const id = timeOrderedId(now);

  const { partner, keyId } = await deps.transact(async (tx) => {
    const created = await insertPartner(tx, deps.keyring, {
      id,
      name,
      redirectUrl,
      clientIdDigest: sha256(clientId),
      contactEmailSealed: sealContact(deps.keyring, id, contactEmail),
      createdAt: now,
    });
    const first = { id: timeOrderedId(now), partnerId: id, digest: sha256(apiKey), createdAt: now };
    const key = await insertApiKey(tx, deps.keyring, first);
    await registerReceiver(tx, deps.keyring, {
      ownerId: id,
      ownerKind: 'PARTNER',
      now,
      url: webhookUrl ?? null,
      clientId,
      secret: webhookSecret,
    });
    await Promise.all(currencies.map((currency) => openFloatAccount(tx, deps.keyring, created.id, currency)));
    await recordChange(tx, {
      actor,
      action: 'partner.create',
      target: created.id,
      after: {
        name,
        redirectUrl,
        webhookUrl,
        hasContact: contactEmail !== undefined,
        contactDigest: contactDigest(deps.keyring, id, contactEmail),
      },
      reason,
    });
    if (deps.environment === 'live') await askForProof(tx, deps, addresseeOf(deps.keyring, created));
    return { partner: withClientId(created, clientId, deps.keyring), keyId: key.id };
  });
  deps.securityLog.record('api_key_added', { partnerId: id, keyId });
  return { ...partner, apiKey, webhookUrl, webhookSecret };
}
