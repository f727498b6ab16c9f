import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import {
  type Person,
  readBirthDate,
  readBvn,
  readEmail,
  readName,
  readReachablePhone,
  tellCustomer,
} from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { assertPersonName } from '#modules/reserved-names';
import { isAvailable, readNewPayTag } from '#modules/tags';
import { getPartnerWallet, openCustomerWallet, type PartnerWalletView } from '#modules/wallets';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { registerCustomer } from './register-customer.ts';
import { type BvnLimits, verifyBvn } from './verify-bvn.ts';

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
 * The customer is told, and has no password yet; onboarding with the same BVN sets one.
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
    await tellCustomer(tx, deps, { partnerId, customerId, kind: 'CREATED', now });
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
