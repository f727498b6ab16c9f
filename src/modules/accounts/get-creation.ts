import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { maskBvn } from '#modules/customers';
import { assertLiveCreation, bvnOf, type CreationState, creationKey, openValue, stateOf } from './creation.ts';
import { selectCreation } from './onboarding-store.ts';

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
