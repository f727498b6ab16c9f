import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId, timeOrderedId } from '#lib/random.ts';
import { addressBlock } from '#lib/text/parse.ts';
import type { Poster } from '#modules/ledger';
import type { Throttles } from '#modules/limits';
import { newWebhookSecret, registerReceiver } from '#modules/outbox';
import { assertThingName } from '#modules/reserved-names';
import { assertWebhookTarget } from '#modules/webhooks';
import { addresseeOf } from './application-contact.ts';
import { APPLICATION_EMAIL } from './application-sealed-columns.ts';
import type { ApplicationStatus } from './application-status.ts';
import { type ApplicationRow, insertApplication, type NewApplicationRow } from './application-store.ts';
import { newClientId, newClientSecret } from './client-credentials.ts';
import { askForProof } from './contact-proof.ts';
import { openSettlementWallets } from './settlement-wallet.ts';

const LENGTH_MAX = 30;
/** Hexadecimal digits after a namespace that is taken. */
const SUFFIX_LENGTH = 6;

/** Makes an application under the namespace its name asks for, or, when that is taken, under one with a random suffix. */
async function insertUnderFreeNamespace(
  tx: Tx,
  keyring: Keyring,
  values: Omit<NewApplicationRow, 'namespace'>,
): Promise<ApplicationRow> {
  const wanted = namespaceOf(values.name);
  const another = () => [wanted || 'app', randomId().slice(0, SUFFIX_LENGTH)].join('-');
  for (const namespace of [wanted || another(), another(), another()]) {
    const created = await insertApplication(tx, keyring, { ...values, namespace });
    if (created !== undefined) return created;
  }
  throw new Error('three namespaces in a row were taken');
}

/** `Acme Pay Ltd.` asks for `acme-pay-ltd`. Empty when the name has no ASCII letter or digit. */
function namespaceOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replaceAll(/^-|-$/g, '');
}

export interface NewApplication {
  name: string;
  email?: string | undefined;
  imageUrl?: string | undefined;
  webhookUrl?: string | undefined;
  /** The IP address that asks for it, by which registrations are counted; undefined when we make it ourselves. */
  address?: string | undefined;
}

/** An application with the secrets that are shown this once. */
export interface RegisteredApplication {
  id: string;
  name: string;
  namespace: string;
  status: ApplicationStatus;
  clientId: string;
  clientSecret: string;
  webhookUrl: string | undefined;
  webhookSecret: string;
  createdAt: Date;
}

/**
 * Registers an application with its credentials, its webhook receiver and a settlement wallet in every currency, in one
 * transaction. Where registration is by approval it is PENDING, and gets no token, until the operator approves it.
 *
 * @throws DomainError APPLICATION_NAME_RESERVED, INVALID_PARAMETER, WEBHOOK_TARGET_REFUSED, TOO_MANY_REQUESTS
 */
export async function registerApplication(
  {
    transact,
    poster,
    applicationRegistration,
    environment,
    limits,
    webhooks,
    keyring,
    clock,
    throttles,
  }: {
    transact: Transact;
    poster: Poster;
    applicationRegistration: 'open' | 'approval';
    environment: string;
    limits: { registrationsPerH: number };
    webhooks: { allowedCidrs: readonly string[] };
    keyring: Keyring;
    clock: Clock;
    throttles: Throttles;
  },
  { name, email, imageUrl, webhookUrl, address }: NewApplication,
): Promise<RegisteredApplication> {
  if (address !== undefined) {
    const points = limits.registrationsPerH;
    await throttles.take({ name: 'registrations', points, windowS: 3600 }, addressBlock(address));
  }
  assertThingName('applicationName', name, namespaceOf(name));
  if (webhookUrl !== undefined) await assertWebhookTarget(webhookUrl, webhooks);
  const clientId = newClientId();
  const clientSecret = newClientSecret(environment);
  const webhookSecret = newWebhookSecret();
  const now = clock.now();
  const id = timeOrderedId(now);
  const values = {
    id,
    name,
    clientIdDigest: sha256(clientId),
    secretDigest: sha256(clientSecret),
    emailSealed: email === undefined ? null : keyring.seal(APPLICATION_EMAIL, [id], email),
    imageUrl: imageUrl ?? null,
    status: applicationRegistration === 'open' ? ('ACTIVE' as const) : ('PENDING' as const),
    createdAt: now,
  };
  const created = await transact(async (tx) => {
    const row = await insertUnderFreeNamespace(tx, keyring, values);
    await registerReceiver(tx, keyring, {
      ownerId: id,
      now,
      ownerKind: 'APPLICATION',
      url: webhookUrl ?? null,
      clientId,
      secret: webhookSecret,
    });
    await openSettlementWallets(tx, { keyring, poster, environment }, row.id);
    const isOpen = row.status === 'ACTIVE' && environment === 'live';
    if (isOpen) await askForProof(tx, { keyring, clock }, addresseeOf(keyring, row));
    return row;
  });
  const { namespace, status, createdAt } = created;
  return { id, name, namespace, status, clientId, clientSecret, webhookUrl, webhookSecret, createdAt };
}
