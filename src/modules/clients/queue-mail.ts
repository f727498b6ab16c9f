import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts } from '#lib/crypto/routing-facts.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { maskEmail } from '#lib/text/output.ts';
import { insertLetter, type LetterRow, PROVEN, selectByCause, selectProven, TOKEN } from './letter-store.ts';
import type { LetterFacts } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A link is good over a weekend. */
const LINK_TTL_MS = 72 * HOUR_MS;

const ROW = ['id', 'owner_kind', 'owner_id', 'kind', 'address_digest'] as const;

const columns = {
  recipient: { table: 'letters.letter', column: 'recipient_sealed', row: ROW },
  secret: { table: 'letters.letter', column: 'secret_sealed', row: ROW },
} as const satisfies Record<string, SealedColumn>;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** The routing facts that the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [PROVEN, TOKEN];

/** Whose contact is written to. */
export interface Addressee {
  ownerKind: LetterRow['ownerKind'];
  ownerId: string;
  ownerName: string;
  /** Undefined: there is no contact. */
  email: string | undefined;
}

/** Where a secret went in place of an answer. */
export interface Handover {
  /** The owner’s contact, masked. */
  to: string;
  /** Until when the link in the mail shows it. */
  expiresAt: Date;
}

interface NewLetter extends Omit<LetterFacts, 'ownerName' | 'to'> {
  kind: LetterRow['kind'];
  /** What a link shows once. */
  secret?: string;
  /** Whether there is a link without a secret: to prove the address by. */
  isProof?: boolean;
  /** The request that it comes of. */
  cause?: string | undefined;
}

type Deps = { keyring: Keyring; clock: Clock };

type Bound = Pick<LetterRow, 'id' | 'ownerKind' | 'ownerId' | 'kind' | 'addressDigest'>;

const rowOf = ({ id, ownerKind, ownerId, kind, addressDigest }: Bound) => [id, ownerKind, ownerId, kind, addressDigest];

/** What is sealed in a letter. @throws AlteredRecord for what was sealed in another */
export const opened = (keyring: Keyring, what: keyof typeof columns, row: Bound, bytes: Buffer): string =>
  keyring.open(columns[what], rowOf(row), bytes);

/** By which an address is known as this owner’s. */
export const digestOf = (
  keyring: Keyring,
  { ownerKind, ownerId }: Pick<Addressee, 'ownerKind' | 'ownerId'>,
  email: string,
): Buffer => keyring.blindIndex('letters.address', JSON.stringify([ownerKind, ownerId, email.toLowerCase()]));

/** Whether the contact of an owner is theirs, as a link has proven that was mailed to just this address. @throws AlteredRecord */
export async function isProven(db: Executor, keyring: Keyring, addressee: Addressee): Promise<boolean> {
  if (addressee.email === undefined) return false;
  const [proven] = await selectProven(db, [addressee.ownerId]);
  if (proven === undefined) return false;
  assertAuthentic(keyring, PROVEN, proven);
  return equalDigests(proven.addressDigest, digestOf(keyring, addressee, addressee.email));
}

/** The error for a secret that has nobody to go to. */
export function contactNotProven({ ownerKind, email }: Addressee): DomainError {
  const noAddress = {
    PARTNER:
      'this partner has no contact to send a secret to: give it a contactEmail (PATCH /operator/v1/partners/{id}), whose owner then follows the link that is mailed there',
    APPLICATION:
      'this application was registered without an e-mail address to send a secret to: with its present secret it rotates the secret itself, or else it registers anew',
  }[ownerKind];
  const notProven = `the contact ${email === undefined ? '' : maskEmail(email)} has not proven that the address is theirs: a link was mailed there; ask again once they have followed it`;
  return new DomainError('CONTACT_NOT_PROVEN', email === undefined ? noAddress : notProven);
}

/**
 * Writes to the contact of an owner, in the transaction of what it tells of: a worker mails it. Who has no contact is not
 * written to.
 *
 * @returns where the link in it went; undefined where there is none
 * @throws DomainError CONTACT_NOT_PROVEN for a secret, which goes to a proven contact alone
 */
export async function writeLetter(
  tx: Tx,
  { keyring, clock }: Deps,
  addressee: Addressee,
  { kind, secret, isProof = false, cause, ...facts }: NewLetter,
): Promise<Handover | undefined> {
  const { ownerName, email, ...owner } = addressee;
  if (secret !== undefined && !(await isProven(tx, keyring, addressee))) throw contactNotProven(addressee);
  if (email === undefined) return undefined;
  const now = clock.now();
  const row = { id: randomUUID(), ...owner, kind, addressDigest: digestOf(keyring, owner, email) };
  const hasLink = isProof || secret !== undefined;
  const linkUntil = hasLink ? new Date(now.getTime() + LINK_TTL_MS) : null;
  const to = maskEmail(email);
  await insertLetter(tx, {
    ...row,
    facts: { ownerName, to, ...facts },
    recipientSealed: keyring.seal(columns.recipient, rowOf(row), email),
    happenedAt: now,
    linkUntil,
    secretSealed: secret === undefined ? null : keyring.seal(columns.secret, rowOf(row), secret),
    cause: cause ?? null,
  });
  return linkUntil === null ? undefined : { to, expiresAt: linkUntil };
}

/** What a request has had handed over before, when it is done again after a crash. */
export async function handoverOf(
  tx: Tx,
  cause: string | undefined,
): Promise<{ facts: LetterFacts; handover: Handover } | undefined> {
  const found = cause === undefined ? undefined : await selectByCause(tx, cause);
  if (found === undefined || found.linkUntil === null) return undefined;
  return { facts: found.facts, handover: { to: found.facts.to, expiresAt: found.linkUntil } };
}
