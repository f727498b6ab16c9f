import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { createSubject, payTagApplicationId } from '#modules/clients';
import {
  createCustomer,
  findCustomerByBvn,
  fullName,
  notifyCustomer,
  type Person,
  readBirthDate,
  readBvn,
  readEmail,
  readName,
  readReachablePhone,
} from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { assertPersonName } from '#modules/reserved-names';
import { createTag, isAvailable, readNewPayTag, readPayTag } from '#modules/tags';
import { getPartnerWallet, openCustomerWallet, type PartnerWalletView } from '#modules/wallets';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { type BvnLimits, bvnThrottle, type Confirmed, verifyBvn } from './verify-bvn.ts';

/** As a partner sends it. */
export interface PayTagRequest {
  partnerId: string;
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
  email?: string | undefined;
  phone: string;
  bvn: string;
  dateOfBirth?: string | undefined;
  imageUrl?: string | undefined;
  address?: string | undefined;
  tag: string;
  /** Kept with the wallet. */
  metadata?: Record<string, unknown> | undefined;
}

/**
 * A partner makes a customer, once the register confirms names, date of birth and phone: customer, PayTag and wallet there
 * in one transaction. An e-mail address that the register does not hold is kept, and takes no code until it is proven.
 * The customer gets a notice, and has no password yet; onboarding with the same BVN sets one.
 *
 * @throws DomainError INVALID_PARAMETER, INVALID_PAYTAG, PAYTAG_RESERVED, PAYTAG_TAKEN, NAME_RESERVED, BVN_NOT_FOUND, BVN_MISMATCH,
 *   BVN_PROVIDER_UNAVAILABLE, BVN_ALREADY_REGISTERED, TOO_MANY_REQUESTS
 */
export async function createPayTag(
  deps: {
    db: Database;
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    nubanInstitutionCode: string;
    bvn: BvnProvider;
    throttles: Throttles;
    limits: BvnLimits;
    messagingCountries: readonly string[];
  },
  request: PayTagRequest,
): Promise<PartnerWalletView> {
  const { partnerId, metadata } = request;
  const handle = readNewPayTag(request.tag);
  const person = readPerson(request, deps.clock.now(), deps.messagingCountries);
  assertPersonName(person, { confirmed: true }); // as it will be, or there is no customer
  if (!(await isAvailable(deps.db, handle, deps.clock.now()))) {
    throw new DomainError('PAYTAG_TAKEN', `${handle} is taken: choose another`);
  }
  const proven = await verifyBvn(deps, partnerId, person);
  return deps.transact(async (tx) => {
    const customerId = await registerCustomer(tx, deps, { handle, person, proven });
    const now = deps.clock.now();
    const { reference } = await openCustomerWallet(tx, deps, { partnerId, customerId, metadata, knownSince: now });
    await notifyCustomer(tx, deps, { partnerId, customerId, kind: 'CREATED', now });
    return getPartnerWallet(tx, deps.keyring, { partnerId, reference });
  });
}

function readPerson(request: PayTagRequest, now: Date, countries: readonly string[]): Person {
  const { otherName, email, dateOfBirth, imageUrl, address } = request;
  return {
    bvn: readBvn(request.bvn),
    firstName: readName('firstName', request.firstName),
    lastName: readName('lastName', request.lastName),
    otherName: otherName === undefined ? undefined : readName('otherName', otherName),
    phone: readReachablePhone(request.phone, countries),
    email: email === undefined ? undefined : readEmail(email),
    dateOfBirth: dateOfBirth === undefined ? undefined : readBirthDate(dateOfBirth, now),
    imageUrl,
    address,
  };
}

/**
 * Links the PayTag that has this BVN to a partner: the first time opens the customer's wallet there and sends them a notice;
 * later calls return the same wallet. A closed PayTag counts as unknown, and so does that of a frozen customer.
 *
 * @throws DomainError INVALID_PARAMETER, PAYTAG_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function linkPayTagByBvn(
  deps: {
    db: Database;
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    nubanInstitutionCode: string;
    throttles: Throttles;
    limits: BvnLimits;
  },
  { partnerId, bvn }: { partnerId: string; bvn: string },
): Promise<PartnerWalletView> {
  const { db, keyring } = deps;
  const throttle = bvnThrottle(deps, partnerId);
  const digits = readBvn(bvn);
  await throttle.begin();
  const customer = await findCustomerByBvn(db, keyring, digits);
  if (customer === undefined || customer.isClosed || customer.isFrozen) {
    await throttle.takeUnknown();
    throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
  }
  await throttle.assertOpen();
  return deps.transact(async (tx) => {
    const pair = { partnerId, customerId: customer.id };
    const { reference, isNew } = await openCustomerWallet(tx, deps, pair);
    if (isNew) await notifyCustomer(tx, deps, { ...pair, kind: 'LINKED', now: deps.clock.now() });
    return getPartnerWallet(tx, keyring, { partnerId, reference });
  });
}

const MINUTE_S = 60;

/** Whether a PayTag could be had now. @throws DomainError INVALID_PAYTAG, TOO_MANY_REQUESTS */
export async function verifyTag(
  {
    db,
    clock,
    limits,
    throttles,
  }: { db: Database; clock: Clock; limits: { verifyTagsPerM: number }; throttles: Throttles },
  { partnerId, paytag: text }: { partnerId: string; paytag: string },
): Promise<{ paytag: string; available: boolean }> {
  const paytag = readPayTag(text);
  const points = limits.verifyTagsPerM;
  await throttles.take({ name: 'PayTags looked up', points, windowS: MINUTE_S }, partnerId);
  return { paytag, available: await isAvailable(db, paytag, clock.now()) };
}

interface NewPayTag {
  handle: string;
  person: Person;
  /** What the register, or a code that came back, has proved of their contacts and other name. */
  proven: Confirmed;
  passwordHash?: string;
}

/**
 * Makes a customer and their PayTag: a tag that a subject of the built-in application owns.
 *
 * @returns the customer's id
 * @throws DomainError PAYTAG_TAKEN, BVN_ALREADY_REGISTERED
 */
export async function registerCustomer(
  tx: Tx,
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  { handle, person, proven, passwordHash }: NewPayTag,
): Promise<string> {
  const id = randomUUID();
  const { isOtherNameConfirmed } = proven;
  const createdAt = clock.now();
  const subject = await createSubject(tx, keyring, {
    applicationId: payTagApplicationId,
    externalId: id,
    displayName: fullName({ ...person, isOtherNameConfirmed }),
    imageUrl: person.imageUrl,
    createdAt,
  });
  const tag = await createTag(tx, keyring, {
    handle,
    subjectId: subject.id,
    createdByAppId: payTagApplicationId,
    createdAt,
  });
  const isProven = {
    phone: person.phone !== undefined && person.phone === proven.phone,
    email: person.email !== undefined && person.email === proven.email,
  };
  const customer = { ...person, id, tagId: tag.id, proven: isProven, isOtherNameConfirmed, passwordHash };
  await createCustomer(tx, keyring, customer, createdAt);
  return id;
}
