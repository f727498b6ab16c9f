import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { deleteProven, endLinks, selectOpenProof } from './letter-store.ts';
import { type Addressee, contactNotProven, digestOf, isProven, writeLetter } from './write-letter.ts';

const HOUR_MS = 60 * 60 * 1000;

type Deps = { keyring: Keyring; clock: Clock };

/** Mails a link by which the contact proves that the address is theirs, unless one was mailed there within the hour. */
export async function askForProof(tx: Tx, deps: Deps, addressee: Addressee): Promise<void> {
  const { ownerId, email } = addressee;
  if (email === undefined) return;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - HOUR_MS);
  const asked = await selectOpenProof(tx, [ownerId, digestOf(deps.keyring, addressee, email), since, now]);
  if (asked.length === 0) await writeLetter(tx, deps, addressee, { kind: 'CONTACT_PROOF', isProof: true });
}

/** Forgets what was proven of an owner’s contact, with the address: links that were mailed there open nothing any more. */
export async function forgetContact(tx: Tx, { clock }: Pick<Deps, 'clock'>, ownerId: string): Promise<void> {
  await deleteProven(tx, [ownerId]);
  await endLinks(tx, [ownerId, clock.now()]);
}

/**
 * Refuses to hand a secret over where nobody has proven to be the owner’s contact, and mails them a link to do so.
 *
 * @throws DomainError CONTACT_NOT_PROVEN
 */
export async function assertProvenContact(
  deps: Deps & { transact: Transact; db: Executor },
  addressee: Addressee,
): Promise<void> {
  if (await isProven(deps.db, deps.keyring, addressee)) return;
  if (addressee.email !== undefined) await deps.transact((tx) => askForProof(tx, deps, addressee));
  throw contactNotProven(addressee);
}
