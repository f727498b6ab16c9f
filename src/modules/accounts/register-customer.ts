import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { createSubject, payTagApplicationId } from '#modules/clients';
import { createCustomer, fullName, type Person } from '#modules/customers';
import { createTag } from '#modules/tags';
import type { Confirmed } from './verify-bvn.ts';

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
