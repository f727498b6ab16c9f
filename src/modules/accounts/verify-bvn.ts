import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { changeSubjectName, payTagApplicationId } from '#modules/clients';
import { type Customer, findRegistration, fullName, lockCustomer, recordProven } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { type BvnClaim, type BvnProvider, BvnProviderDown, type BvnVerdict } from '../../providers/bvn/port.ts';

/** How many BVNs a partner may try, and how many of them may be unknown or another person's; 0: any number. */
export interface BvnLimits {
  bvnsPerD: number;
  unknownBvnsPerD: number;
}

type ThrottleDeps = { throttles: Throttles; limits: BvnLimits };

const DAY_S = 24 * 3600;

/** Keeps a partner from guessing BVNs. */
export function bvnThrottle({ throttles, limits }: ThrottleDeps, partnerId: string) {
  const tried = { name: 'BVNs', points: limits.bvnsPerD, windowS: DAY_S };
  const unknown = { name: 'unknown BVNs', points: limits.unknownBvnsPerD, windowS: DAY_S };
  return {
    /** Before a BVN is looked up, whosever it is. @throws DomainError TOO_MANY_REQUESTS */
    async begin() {
      await throttles.assertOpen(unknown, partnerId);
      await throttles.take(tried, partnerId);
    },
    /**
     * Before a known one is answered: of many at the same time the known ones would otherwise show by not being refused.
     *
     * @throws DomainError TOO_MANY_REQUESTS
     */
    assertOpen: () => throttles.assertOpenInTurn(unknown, partnerId),
    /** The BVN was unknown, or another person's. @throws DomainError TOO_MANY_REQUESTS */
    takeUnknown: () => throttles.take(unknown, partnerId),
  };
}

/** What the register confirms of a person besides first and last name: where a code may go, and the other name. */
export interface Confirmed {
  /** E.164: the phone they gave, or else one of the register's. */
  phone: string | undefined;
  /** The address they gave, where the register holds it. */
  email: string | undefined;
  isOtherNameConfirmed: boolean;
}

/**
 * Compares what a person says with the register: names, date of birth and phone. Never inside a transaction: the register
 * may be slow. A partner's attempts are counted, and its misses separately; the answer does not show what did not match.
 *
 * @throws DomainError BVN_NOT_FOUND, BVN_MISMATCH, BVN_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS
 */
export async function verifyBvn(
  deps: ThrottleDeps & { bvn: BvnProvider },
  partnerId: string,
  claim: BvnClaim,
): Promise<Confirmed> {
  const throttle = bvnThrottle(deps, partnerId);
  await throttle.begin();
  const { bvn, firstName, lastName, otherName, dateOfBirth, phone, email } = claim; // and nothing else of what is known of the person
  const asked = { bvn, firstName, lastName, otherName, dateOfBirth, phone, email };
  const verdict = await askRegister(deps.bvn, asked);
  await (verdict.outcome === 'verified' ? throttle.assertOpen() : throttle.takeUnknown());
  if (verdict.outcome === 'not-found') throw new DomainError('BVN_NOT_FOUND', 'bvn: no such BVN is registered');
  if (verdict.outcome === 'mismatch') {
    throw new DomainError(
      'BVN_MISMATCH',
      'bvn: the names, the date of birth or the phone are not those registered with it',
    );
  }
  return confirmedBy(verdict, claim);
}

/** What a verdict confirms of a claim. */
const confirmedBy = (
  { phone, holdsEmail, holdsOtherName }: Extract<BvnVerdict, { outcome: 'verified' }>,
  { email }: BvnClaim,
): Confirmed => ({ phone, email: holdsEmail ? email : undefined, isOtherNameConfirmed: holdsOtherName });

/** Asks the register, once. @throws DomainError BVN_PROVIDER_UNAVAILABLE */
const askRegister = (bvn: BvnProvider, claim: BvnClaim): Promise<BvnVerdict> =>
  bvn.verify(claim).catch((cause: unknown) => {
    if (!(cause instanceof BvnProviderDown)) throw cause;
    const message = 'the BVN register did not answer: send the same request again';
    throw new DomainError('BVN_PROVIDER_UNAVAILABLE', message, { retryAfterS: 5, cause });
  });

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; bvn: BvnProvider };

/**
 * Records what the register proves of a customer's contacts and other name where no phone is proven yet: they are from
 * before these were compared. Their phone on record is proven if the register holds it; otherwise the register's own takes
 * its place. A customer whose BVN was handed back to its owner is not looked up.
 *
 * @throws DomainError BVN_PROVIDER_UNAVAILABLE
 */
export async function proveByRegister({ db, transact, keyring, clock, bvn }: Deps, customer: Customer): Promise<void> {
  const { id, firstName, lastName, otherName, phone, email, proven } = customer;
  if (proven.phone !== undefined) return;
  const registration = await findRegistration(db, keyring, id);
  if (registration === undefined) return;
  const claim = { ...registration, firstName, lastName, otherName, email };
  let verdict = await askRegister(bvn, { ...claim, phone });
  if (verdict.outcome === 'mismatch' && phone !== undefined) verdict = await askRegister(bvn, claim);
  if (verdict.outcome !== 'verified') return;
  const confirmed = confirmedBy(verdict, claim);
  await transact(async (tx) => {
    const { customer: stands } = await lockCustomer(tx, id);
    if (stands.phoneProvenAt !== null) return; // meanwhile by the customer, who comes first
    if (stands.bvnHandedBackAt !== null || stands.erasedAt !== null) return; // what it proves is its owner's
    await recordProven(tx, keyring, stands, confirmed, clock.now());
    if (!confirmed.isOtherNameConfirmed) return;
    const subject = { applicationId: payTagApplicationId, externalId: id };
    await changeSubjectName(tx, subject, fullName({ ...customer, isOtherNameConfirmed: true }));
  });
}
