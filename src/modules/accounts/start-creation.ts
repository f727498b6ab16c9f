import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomToken } from '#lib/random.ts';
import {
  bvnAlreadyRegistered,
  findCustomerByBvn,
  isFrozen,
  maskBvn,
  readBirthDate,
  readBvn,
  readEmail,
  readName,
  readReachablePhone,
} from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { assertPersonName } from '#modules/reserved-names';
import { readNewPayTag, readPayTag } from '#modules/tags';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import {
  assertLiveCreation,
  bvnOf,
  type CreationState,
  creationKey,
  openValue,
  SESSION_TTL_MS,
  sealValue,
  stateOf,
} from './creation-session.ts';
import { insertCreation, selectCreation } from './store.ts';
import { type BvnLimits, verifyBvn } from './verify-bvn.ts';

/** As a partner sends it. */
export interface CreationRequest {
  partnerId: string;
  bvn: string;
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
  dateOfBirth: string;
  phone?: string | undefined;
  email?: string | undefined;
  paytag?: string | undefined;
}

/**
 * Starts the creation of a PayTag by a person whose BVN, names, date of birth and phone the register confirms. The OTP goes
 * to that phone, without one to the register's, and to an e-mail address only if the register holds it: BVN, names and
 * birth date are no secret. For a customer who exists without a password it begins the setting of one: the OTP goes to
 * their proven contacts and to no other; where none is proven, to what the register confirms. Who is frozen cannot set one.
 *
 * @throws DomainError INVALID_PARAMETER, INVALID_PAYTAG, PAYTAG_RESERVED, NAME_RESERVED, BVN_NOT_FOUND, BVN_MISMATCH,
 *   BVN_PROVIDER_UNAVAILABLE, BVN_ALREADY_REGISTERED, TOO_MANY_REQUESTS
 */
export async function startCreation(
  deps: {
    db: Database;
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    limits: BvnLimits;
    bvn: BvnProvider;
    throttles: Throttles;
    messagingCountries: readonly string[];
  },
  request: CreationRequest,
): Promise<CreationState & { session: string }> {
  const { db, keyring, clock } = deps;
  const given = readRequest(request, clock.now(), deps.messagingCountries);
  assertPersonName(given, { confirmed: true }); // as it will be, or there is no session
  const confirmed = await verifyBvn(deps, request.partnerId, given);
  const customer = await findCustomerByBvn(db, keyring, given.bvn);
  if (customer?.passwordHash !== undefined) throw bvnAlreadyRegistered();
  if (customer === undefined && given.paytag !== undefined) readNewPayTag(given.paytag); // who exists keeps theirs
  const phone = customer?.proven.phone ?? confirmed.phone;
  const email = customer === undefined ? given.email : (customer.proven.email ?? confirmed.email);
  const isEmailProven = email !== undefined && (customer !== undefined || confirmed.email !== undefined);

  const session = randomToken();
  const key = creationKey({ partnerId: request.partnerId, session });
  const now = clock.now();
  const created = await deps.transact(async (tx) => {
    if (customer !== undefined && (await isFrozen(tx, keyring, customer.id))) throw bvnAlreadyRegistered();
    return insertCreation(tx, keyring, {
      ...key,
      kind: 'CREATION',
      customerId: customer?.id ?? null,
      bvnSealed: sealValue(keyring, key, 'bvn', given.bvn),
      firstName: given.firstName,
      lastName: given.lastName,
      otherName: given.otherName,
      isOtherNameConfirmed: confirmed.isOtherNameConfirmed,
      dateOfBirthSealed: sealValue(keyring, key, 'dateOfBirth', given.dateOfBirth),
      phoneSealed: sealValue(keyring, key, 'phone', phone),
      emailSealed: sealValue(keyring, key, 'email', email),
      isEmailProven,
      paytag: given.paytag,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_TTL_MS),
    });
  });
  return { session, ...stateOf(keyring, created) };
}

function readRequest(request: CreationRequest, now: Date, countries: readonly string[]) {
  const { otherName, phone, email, paytag } = request;
  return {
    bvn: readBvn(request.bvn),
    firstName: readName('firstName', request.firstName),
    lastName: readName('lastName', request.lastName),
    otherName: otherName === undefined ? undefined : readName('otherName', otherName),
    dateOfBirth: readBirthDate(request.dateOfBirth, now),
    phone: phone === undefined ? undefined : readReachablePhone(phone, countries),
    email: email === undefined ? undefined : readEmail(email),
    paytag: paytag === undefined ? undefined : readPayTag(paytag),
  };
}

/** A session with what was given to it. */
export interface Creation extends CreationState {
  /** Only its last four digits. */
  bvn: string;
  firstName: string;
  lastName: string;
  otherName: string | undefined;
  dateOfBirth: string;
  paytag: string | undefined;
}

/** A PayTag creation under way. @throws DomainError SESSION_NOT_FOUND, also for another partner's; SESSION_EXPIRED */
export async function getCreation(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  request: { partnerId: string; session: string },
): Promise<Creation> {
  const row = await selectCreation(db, keyring, creationKey(request));
  assertLiveCreation(row, clock.now());
  return {
    ...stateOf(keyring, row),
    bvn: maskBvn(bvnOf(keyring, row)),
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName ?? undefined,
    dateOfBirth: openValue(keyring, row, 'dateOfBirth') ?? '',
    paytag: row.paytag ?? undefined,
  };
}
