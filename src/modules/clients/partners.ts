import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Judge } from '#lib/minor-units.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { plainUrl } from '#lib/text/parse.ts';
import { recordChange } from '#modules/audit';
import { asMinor, currencies, moneyBehind, openFloatAccount } from '#modules/ledger';
import { newWebhookSecret, registerReceiver } from '#modules/outbox';
import { assertWebhookTarget, setWebhookUrl } from '#modules/webhooks';
import { newApiKey, newClientId } from './authenticate-partner.ts';
import {
  askForProof,
  contactDigest,
  noteNewContact,
  notifyPartner,
  partnerAddressee,
  sealContact,
} from './contacts.ts';
import {
  insertApiKey,
  insertPartner,
  lockAuthentic,
  routePartner,
  selectPartner,
  updatePartner,
} from './partner-store.ts';
import { queueMail } from './queue-mail.ts';
import {
  getPartner,
  type ListedPartner,
  type OperatorPartnerView,
  partnerNotFound,
  withClientId,
} from './read-partner.ts';

export interface NewPartner {
  name: string;
  redirectUrl: string;
  webhookUrl?: string | undefined;
  /** The contact for notices about its webhooks. */
  contactEmail?: string | undefined;
  reason?: string | undefined;
}

/** A new partner with its secrets, which are never shown again. In live its key expires after three days. */
export interface CreatedPartner extends ListedPartner {
  apiKey: string;
  webhookUrl: string | undefined;
  webhookSecret: string;
}

/**
 * Creates a partner with its credentials, its webhook receiver and a float in every currency, all or nothing. In live its contact
 * receives a link to prove their address, and the key expires after three days: the operator has seen it, and lasting keys go only to
 * the owner. Audited.
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
    if (deps.environment === 'live') await askForProof(tx, deps, partnerAddressee(deps.keyring, created));
    return { partner: withClientId(created, clientId, deps.keyring), keyId: key.id };
  });
  deps.securityLog.record('api_key_added', { partnerId: id, keyId });
  return { ...partner, apiKey, webhookUrl, webhookSecret };
}

export interface PartnerChange {
  actor: string;
  id: string;
  name?: string | undefined;
  redirectUrl?: string | undefined;
  /** Null: events are held until a URL is set. */
  webhookUrl?: string | null | undefined;
  /** The contact for notices about its webhooks; null removes it. */
  contactEmail?: string | null | undefined;
  reason: string;
}

/**
 * Refuses an invalid change of a partner.
 *
 * @throws DomainError REDIRECT_URL_REFUSED, WEBHOOK_TARGET_REFUSED, INVALID_PARAMETER when the change is empty
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
 * Changes only the given settings of a partner. Logins that start from now on return to the new redirect URL. Audited; the
 * contact receives a notification, and after a change of contact the previous one does.
 *
 * @throws DomainError PARTNER_NOT_FOUND, REDIRECT_URL_REFUSED, WEBHOOK_TARGET_REFUSED, INVALID_PARAMETER when the change is empty;
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
    else if (isRedirected) await queueMail(tx, deps, partnerAddressee(keyring, row), { kind: 'PARTNER_CHANGED', what });
    return after;
  });
  if (isRedirected) securityLog.record('partner_redirected', { partnerId: id });
  if (contactEmail !== undefined) securityLog.record('contact_changed', { partnerId: id });
  return changed;
}

const settings = {
  name: 'its name',
  redirectUrl: 'where its customers return to after a login',
  webhookUrl: 'where its webhooks are sent',
  contactEmail: 'its contact',
} as const;

/** The changed settings as the mail names them: without the values, which are in the console and the audit log. */
const whatChanges = (given: Pick<PartnerChange, keyof typeof settings>): string =>
  Object.entries(settings)
    .filter(([member]) => given[member as keyof typeof settings] !== undefined)
    .map(([, what]) => what)
    .join(', ');

const profileOf = ({ name, redirectUrl, webhookUrl, contactEmail }: OperatorPartnerView) => ({
  name,
  redirectUrl,
  webhookUrl,
  hasContact: contactEmail !== undefined,
});

/** The status changes an operator can make. */
const statusChanges = {
  suspend: { from: 'ACTIVE', to: 'SUSPENDED' },
  restore: { from: 'SUSPENDED', to: 'ACTIVE' },
} as const;

/** The approval rules judge a restoration by the money on the partner's floats, in its wallets, and pending for them. */
type StatusChange = { change: 'suspend' } | { change: 'restore'; judge: Judge };

/**
 * Suspends or restores a partner. Takes effect at once, in other processes within a second, for the partner and its customers
 * there, whatever keys and tokens they have. Credits and outcomes that rails report for a suspended partner are still booked, and
 * its events are still sent. Audited; a restoration notifies the contact.
 *
 * @throws DomainError PARTNER_NOT_FOUND, PARTNER_STATUS_CONFLICT
 */
export async function changePartnerStatus(
  {
    transact,
    clock,
    keyring,
    securityLog,
  }: { transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  { id, actor, reason, ...asked }: StatusChange & { id: string; actor: string; reason: string },
): Promise<OperatorPartnerView> {
  const { change } = asked;
  const { from, to } = statusChanges[change];
  const changed = await transact(async (tx) => {
    const before = await selectPartner(tx, id, 'locked');
    if (before === undefined) throw partnerNotFound();
    if (before.status !== from) {
      throw new DomainError('PARTNER_STATUS_CONFLICT', `this partner is ${before.status.toLowerCase()}`);
    }
    if (asked.change === 'restore') {
      const behind = await moneyBehind(tx, { partnerId: id });
      asked.judge(behind && asMinor(behind.held + behind.waits));
    }
    await updatePartner(tx, id, { status: to }, clock.now());
    await recordChange(tx, {
      actor,
      action: `partner.${change}`,
      target: id,
      before: { status: from },
      after: { status: to },
      reason,
    });
    const what = 'its suspension has ended';
    if (change === 'restore') await notifyPartner(tx, { keyring, clock }, id, { kind: 'MONEY_FREED', what });
    return getPartner({ db: tx, keyring }, id);
  });
  securityLog.record(change === 'suspend' ? 'partner_suspended' : 'money_freed', { partnerId: id });
  return changed;
}

/** Parameters that we add to the URL, or that an OAuth client reads there (RFC 6749 4.1.2, RFC 9207): only we may set them. */
const OURS: ReadonlySet<string> = new Set(['auth-code', 'code', 'state', 'error', 'iss']);

/**
 * Checks the URL to which logins return. The redirect carries an authorization code, so in live it must be https, have no
 * fragment, and have none of the parameters that report the outcome of the login.
 *
 * @throws DomainError REDIRECT_URL_REFUSED
 */
function assertRedirectUrl(redirectUrl: string, httpsOnly: boolean): void {
  const url = plainUrl(redirectUrl);
  const schemes = httpsOnly ? ['https:'] : ['https:', 'http:'];
  if (url === undefined || !schemes.includes(url.protocol) || !/^[\x21-\x7e]+$/.test(redirectUrl)) {
    throw refused(`must be an ${httpsOnly ? 'https' : 'http or https'} URL, written as it is read`);
  }
  if (url.username !== '' || url.password !== '') throw refused('must not contain a user name or password');
  if (redirectUrl.includes('#')) throw refused('must not contain a #: the code would end up in the fragment');
  const names = namesIn(url.search);
  if (names === undefined) throw refused('must be UTF-8 where it is percent-encoded');
  const taken = names.find((name) => OURS.has(name));
  if (taken !== undefined) throw refused(`must not contain the parameter ${taken}: PayTag sets it on every redirect`);
}

/**
 * The parameters of a query as any server may read them: `;` and `&amp;` separate them too, `code[]` and `code.a` are parts of
 * `code`, and case, blanks and controls before a name, and `_` for `-` make no difference. Undefined when it cannot be decoded.
 */
function namesIn(query: string): string[] | undefined {
  try {
    return query.split(/[&;]/).map((part) => {
      const [name = ''] = decodeURIComponent(part.replaceAll('+', ' ')).split('=');
      const [whole = ''] = name.replace(/^[?\s\p{Cc}]+/u, '').split(/[[.\s\p{Cc}]/u);
      return whole.toLowerCase().replaceAll('_', '-');
    });
  } catch {
    return undefined;
  }
}

const refused = (why: string): DomainError => new DomainError('REDIRECT_URL_REFUSED', `redirectUrl: ${why}`);
