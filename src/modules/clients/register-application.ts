import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId, timeOrderedId } from '#lib/random.ts';
import { addressBlock } from '#lib/text/parse.ts';
import {
  type Account,
  type Amounts,
  amountsOf,
  asMinor,
  assertPosted,
  type Currency,
  currencies,
  findApplicationAccount,
  negated,
  openApplicationAccount,
  type Poster,
  systemAccount,
} from '#modules/ledger';
import type { Throttles } from '#modules/limits';
import { newWebhookSecret, registerReceiver } from '#modules/outbox';
import { assertThingName } from '#modules/reserved-names';
import { assertWebhookTarget } from '#modules/webhooks';
import type { ApplicationStatus } from './application-status.ts';
import {
  APPLICATION_EMAIL,
  type ApplicationRow,
  insertApplication,
  type NewApplicationRow,
} from './application-store.ts';
import { newClientId, newClientSecret } from './authenticate-application.ts';
import { applicationAddressee, askForProof } from './contacts.ts';

const LENGTH_MAX = 30;

/** Hexadecimal digits after a namespace that is taken. */
const SUFFIX_LENGTH = 6;

/** Creates an application under the namespace derived from its name, with a random suffix if that is taken. */
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

/** `Acme Pay Ltd.` gives `acme-pay-ltd`. Empty when the name has no ASCII letter or digit. */
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
  /** The caller's IP address, to which the registration counts; undefined when we create the application ourselves. */
  address?: string | undefined;
}

/** An application with its secrets, which are shown only once. */
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
 * transaction. Where registration needs approval it is PENDING, and gets no token, until an operator approves it.
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
    if (isOpen) await askForProof(tx, { keyring, clock }, applicationAddressee(keyring, row));
    return row;
  });
  const { namespace, status, createdAt } = created;
  return { id, name, namespace, status, clientId, clientSecret, webhookUrl, webhookSecret, createdAt };
}

/** The wallet from which an application settles its transactions. Amounts are minor units. */
export interface SettlementWallet {
  /** The id of the ledger's account. */
  id: number;
  currency: Currency;
  amounts: Amounts;
  status: Account['status'];
  createdAt: Date;
  updatedAt: Date;
}

/** The settlement wallet of a registered application in a currency. */
export async function getSettlementWallet(
  db: Executor,
  keyring: Keyring,
  applicationId: string,
  currency: Currency,
): Promise<SettlementWallet> {
  const account = await findApplicationAccount(db, keyring, applicationId, currency);
  if (account === undefined) throw new Error(`application ${applicationId} has no wallet in ${currency}`);
  const { id, status, createdAt, updatedAt } = account;
  return { id, currency, amounts: amountsOf(account), status, createdAt, updatedAt };
}

/** Opens the wallets of a new application, one in each currency. In the sandbox the naira wallet holds test money. */
async function openSettlementWallets(
  tx: Tx,
  { keyring, poster, environment }: { keyring: Keyring; poster: Poster; environment: string },
  applicationId: string,
): Promise<void> {
  for (const currency of currencies) {
    const account = await openApplicationAccount(tx, keyring, applicationId, currency);
    if (environment === 'sandbox' && currency === 'NGN') await giveTestMoney(tx, poster, { applicationId, account });
  }
}

/** 1,000,000.00 test naira. */
const TEST_MONEY = asMinor(1_000_000_00n);

async function giveTestMoney(
  tx: Tx,
  poster: Poster,
  { applicationId, account }: { applicationId: string; account: number },
): Promise<void> {
  const clearing = systemAccount('CLEARING', 'NGN');
  const posted = await poster.tryPost(tx, {
    owner: applicationId,
    namer: 'OPERATOR',
    reference: 'test-money',
    type: 'APPLICATION_FUNDING',
    amount: TEST_MONEY,
    currency: 'NGN',
    source: clearing,
    destination: account,
    legs: [
      { account: clearing, amount: negated(TEST_MONEY) },
      { account, amount: TEST_MONEY },
    ],
    request: { type: 'APPLICATION_FUNDING', amount: TEST_MONEY, currency: 'NGN' },
  });
  assertPosted(posted);
}
