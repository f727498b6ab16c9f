import { addressBlock } from '#lib/address-block.ts';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { randomId } from '#lib/random.ts';
import type { Transact } from '#lib/transact.ts';
import { currencies, openApplicationAccount } from '#modules/ledger';
import { newWebhookSecret, registerReceiver } from '#modules/outbox';
import { passesForUs } from '#modules/reserved-names';
import type { Throttles } from '#modules/throttles';
import { assertWebhookTarget } from '#modules/webhooks';
import { newClientId, newClientSecret } from './credentials.ts';
import { namespaceOf } from './namespace.ts';
import { type ApplicationRow, insertApplication } from './store.ts';
import type { application } from './tables.ts';
import { giveTestMoney } from './test-money.ts';

export const EMAIL_PURPOSE = 'application.email';
/** Hexadecimal digits after a namespace that is taken. */
const SUFFIX_LENGTH = 6;

export interface NewApplication {
  name: string;
  email?: string | undefined;
  imageUrl?: string | undefined;
  webhookUrl?: string | undefined;
  /** The IP address that asks for it; undefined when it is one of ours. */
  address?: string | undefined;
}

/** An application with the secrets that are shown this once. */
export interface RegisteredApplication {
  id: string;
  name: string;
  namespace: string;
  status: ApplicationRow['status'];
  clientId: string;
  clientSecret: string;
  webhookUrl: string | undefined;
  webhookSecret: string;
  createdAt: Date;
}

/**
 * Signs an application up, with its credentials, its webhook receiver and a settlement wallet in every currency, all at
 * once. In the sandbox the one in naira starts with test money. Where APPLICATION_REGISTRATION is `approval` it stays PENDING, and gets no token, until the operator approves it.
 *
 * @throws DomainError APPLICATION_NAME_RESERVED, WEBHOOK_TARGET_REFUSED, TOO_MANY_REQUESTS
 */
export async function registerApplication(
  {
    transact,
    applicationRegistration,
    environment,
    limits,
    webhooks,
    keyring,
    clock,
    throttles,
  }: {
    transact: Transact;
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
  if (passesForUs(name)) {
    throw new DomainError('APPLICATION_NAME_RESERVED', 'applicationName: passes for PayTag: choose another');
  }
  if (webhookUrl !== undefined) await assertWebhookTarget(webhookUrl, webhooks); // asks name servers: nobody's for nothing
  const clientId = newClientId();
  const clientSecret = newClientSecret(environment);
  const webhookSecret = newWebhookSecret();
  const values = {
    name,
    clientId,
    secretDigest: sha256(clientSecret),
    emailSealed: email === undefined ? null : keyring.seal(EMAIL_PURPOSE, email),
    imageUrl: imageUrl ?? null,
    status: applicationRegistration === 'open' ? ('ACTIVE' as const) : ('PENDING' as const),
    createdAt: clock.now(),
  };
  const created = await transact(async (tx) => {
    const row = await insertUnderFreeNamespace(tx, values);
    await registerReceiver(tx, keyring, {
      ownerId: row.id,
      ownerKind: 'APPLICATION',
      url: webhookUrl ?? null,
      clientId,
      secret: webhookSecret,
    });
    for (const currency of currencies) await openApplicationAccount(tx, row.id, currency);
    if (environment === 'sandbox') await giveTestMoney(tx, row.id);
    return row;
  });
  const { id, namespace, status, createdAt } = created;
  return { id, name, namespace, status, clientId, clientSecret, webhookUrl, webhookSecret, createdAt };
}

/** The namespace its name asks for when nobody has it, else the same with a random end. */
async function insertUnderFreeNamespace(
  tx: Tx,
  values: Omit<typeof application.$inferInsert, 'namespace'>,
): Promise<ApplicationRow> {
  const wanted = namespaceOf(values.name);
  const another = () => [wanted || 'app', randomId().slice(0, SUFFIX_LENGTH)].join('-');
  for (const namespace of [wanted || another(), another(), another()]) {
    const created = await insertApplication(tx, { ...values, namespace });
    if (created !== undefined) return created;
  }
  throw new Error('three namespaces in a row were taken');
}
