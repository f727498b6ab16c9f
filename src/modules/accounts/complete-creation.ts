import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { changeSubjectImage, payTagApplicationId } from '#modules/clients';
import {
  activateCustomer,
  assertPasswordAllowed,
  bvnAlreadyRegistered,
  findCustomerByBvn,
  findPayTag,
  hashPassword,
  type LockedCustomer,
  lockCustomer,
  type PayTag,
  partnerShare,
  readEmail,
} from '#modules/customers';
import { recordPriorLogin } from '#modules/sessions';
import { readNewPayTag, readPayTag } from '#modules/tags';
import { openCustomerWallet } from '#modules/wallets';
import { registerCustomer } from './create-paytag.ts';
import {
  addressesOf,
  assertLiveCreation,
  assertValidated,
  bvnOf,
  contactsOf,
  creationKey,
  openValue,
} from './creation-session.ts';
import { type CreationRow, lockCreation, selectCreation, updateCreation } from './store.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; nubanInstitutionCode: string };

/** As a partner sends it. */
export interface Completion {
  partnerId: string;
  session: string;
  paytag: string;
  password: string;
  email?: string | undefined;
  imageUrl?: string | undefined;
}

/** What the session gets when it is completed. */
interface Chosen {
  handle: string;
  passwordHash: string;
  email: string | undefined;
  imageUrl: string | undefined;
}

/**
 * Ends a creation: makes the customer with their PayTag and their wallet at the session's partner, or gives a customer who
 * exists their first password, in one transaction. Of two completions at the same time one succeeds. An e-mail address given here
 * never takes the place of a proven one, and is not proven.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, SESSION_NOT_VALIDATED, SESSION_COMPLETED, INVALID_PARAMETER,
 *   INVALID_PAYTAG, PAYTAG_RESERVED, PAYTAG_TAKEN, PAYTAG_MISMATCH, WEAK_PASSWORD, BVN_ALREADY_REGISTERED, BUSY
 */
export async function completeCreation(deps: Deps, request: Completion): Promise<PayTag> {
  const key = creationKey(request);
  const seen = assertCompletable(await selectCreation(deps.db, deps.keyring, key), deps.clock.now());
  const handle = seen.customerId === null ? readNewPayTag(request.paytag) : readPayTag(request.paytag);
  const email = request.email === undefined ? undefined : readEmail(request.email);
  assertPasswordAllowed(request.password, { ...seen, tag: handle, otherName: seen.otherName ?? undefined });
  const passwordHash = await hashPassword(request.password, partnerShare(key.partnerId)); // costly, so before the transaction
  const chosen = { handle, passwordHash, email, imageUrl: request.imageUrl };

  return deps.transact(async (tx) => {
    // Lock order: the customer before the session, as a freeze does.
    const locked = seen.customerId === null ? undefined : await lockCustomer(tx, seen.customerId);
    const row = assertCompletable(await lockCreation(tx, deps.keyring, key), deps.clock.now());
    const customerId = await (locked === undefined
      ? register(tx, deps, row, chosen)
      : activate(tx, deps, row, { ...chosen, customer: locked.customer }));
    const pair = { partnerId: key.partnerId, customerId };
    await openCustomerWallet(tx, deps, { ...pair, provenAt: deps.clock.now() });
    await recordPriorLogin(tx, pair, deps.clock.now());
    await updateCreation(tx, deps.keyring, row, { status: 'COMPLETED', paytag: handle });
    const payTag = await findPayTag(tx, deps.keyring, customerId);
    if (payTag === undefined) throw new Error('the PayTag that was made a moment ago is not there');
    return payTag;
  });
}

function assertCompletable(row: CreationRow | undefined, now: Date) {
  assertLiveCreation(row, now);
  assertValidated(row);
  return row;
}

type Completable = ReturnType<typeof assertCompletable>;

async function register(tx: Tx, deps: Deps, row: Completable, { handle, email, ...chosen }: Chosen): Promise<string> {
  const given = contactsOf(deps.keyring, row);
  const proven = { ...addressesOf(deps.keyring, row), isOtherNameConfirmed: row.isOtherNameConfirmed };
  return registerCustomer(tx, deps, {
    handle,
    passwordHash: chosen.passwordHash,
    proven,
    person: {
      bvn: bvnOf(deps.keyring, row),
      firstName: row.firstName,
      lastName: row.lastName,
      otherName: row.otherName ?? undefined,
      phone: proven.phone,
      email: proven.email ?? email ?? given.email,
      dateOfBirth: openValue(deps.keyring, row, 'dateOfBirth'),
      imageUrl: chosen.imageUrl,
    },
  });
}

async function activate(
  tx: Tx,
  { keyring, clock }: Deps,
  row: Completable,
  { customer, ...chosen }: Chosen & Pick<LockedCustomer, 'customer'>,
): Promise<string> {
  const found = await findCustomerByBvn(tx, keyring, bvnOf(keyring, row));
  if (found?.id !== customer.id || found.passwordHash !== undefined) throw bvnAlreadyRegistered();
  if (found.tag !== chosen.handle) {
    throw new DomainError('PAYTAG_MISMATCH', 'paytag: this customer has another PayTag already, and keeps it');
  }
  await activateCustomer(tx, keyring, customer, { ...chosen, proven: addressesOf(keyring, row) }, clock.now());
  if (chosen.imageUrl !== undefined) {
    await changeSubjectImage(tx, { applicationId: payTagApplicationId, externalId: customer.id }, chosen.imageUrl);
  }
  return customer.id;
}
