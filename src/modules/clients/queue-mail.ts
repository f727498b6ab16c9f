import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts } from '#lib/crypto/routing-facts.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { maskEmail } from '#lib/text/output.ts';
import { insertMail, type MailRow, PROVEN, selectByCause, selectProven, TOKEN } from './mail-store.ts';
import type { MailFacts } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Long enough for a weekend. */
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

/** The owner whose contact receives a mail. */
export interface Addressee {
  ownerKind: MailRow['ownerKind'];
  ownerId: string;
  ownerName: string;
  /** Undefined: the owner has no contact. */
  email: string | undefined;
}

/** Where a secret was mailed, instead of being in the response. */
export interface Handover {
  /** The owner’s contact, masked. */
  to: string;
  /** When the link in the mail expires. */
  expiresAt: Date;
}

interface NewMail extends Omit<MailFacts, 'ownerName' | 'to'> {
  kind: MailRow['kind'];
  /** A secret that a link shows once. */
  secret?: string;
  /** The mail has a link without a secret, which proves the address. */
  isProof?: boolean;
  /** The approval request that caused it. */
  cause?: string | undefined;
}

type Deps = { keyring: Keyring; clock: Clock };

type Bound = Pick<MailRow, 'id' | 'ownerKind' | 'ownerId' | 'kind' | 'addressDigest'>;

const rowOf = ({ id, ownerKind, ownerId, kind, addressDigest }: Bound) => [id, ownerKind, ownerId, kind, addressDigest];

/** Opens a sealed value of a mail. @throws AlteredRecord if it was sealed in another */
export const opened = (keyring: Keyring, what: keyof typeof columns, row: Bound, bytes: Buffer): string =>
  keyring.open(columns[what], rowOf(row), bytes);

/** The keyed digest that binds an address to this owner. */
export const digestOf = (
  keyring: Keyring,
  { ownerKind, ownerId }: Pick<Addressee, 'ownerKind' | 'ownerId'>,
  email: string,
): Buffer => keyring.blindIndex('letters.address', JSON.stringify([ownerKind, ownerId, email.toLowerCase()]));

/** Whether a link that was mailed to exactly this address has proven it as the owner's contact. @throws AlteredRecord */
export async function isProven(db: Executor, keyring: Keyring, addressee: Addressee): Promise<boolean> {
  if (addressee.email === undefined) return false;
  const [proven] = await selectProven(db, [addressee.ownerId]);
  if (proven === undefined) return false;
  assertAuthentic(keyring, PROVEN, proven);
  return equalDigests(proven.addressDigest, digestOf(keyring, addressee, addressee.email));
}

/** The error for a secret without a proven contact. */
export function contactNotProven({ ownerKind, email }: Addressee): DomainError {
  const noAddress = {
    PARTNER:
      'this partner has no contact to send a secret to: set a contactEmail (PATCH /operator/v1/partners/{id}), then have its owner follow the link that we mail there',
    APPLICATION:
      'this application has no e-mail address to send a secret to: it must rotate the secret itself with its current one, or register again',
  }[ownerKind];
  const notProven = `the contact ${email === undefined ? '' : maskEmail(email)} has not proven that the address is theirs: we mailed a link there; repeat the request once they have followed it`;
  return new DomainError('CONTACT_NOT_PROVEN', email === undefined ? noAddress : notProven);
}

/**
 * Queues a mail to the contact of an owner, if there is one, in the transaction of the event: a worker sends it.
 *
 * @returns where its link goes; undefined without a link
 * @throws DomainError CONTACT_NOT_PROVEN for a secret, which goes only to a proven contact
 */
export async function queueMail(
  tx: Tx,
  { keyring, clock }: Deps,
  addressee: Addressee,
  { kind, secret, isProof = false, cause, ...facts }: NewMail,
): Promise<Handover | undefined> {
  const { ownerName, email, ...owner } = addressee;
  if (secret !== undefined && !(await isProven(tx, keyring, addressee))) throw contactNotProven(addressee);
  if (email === undefined) return undefined;
  const now = clock.now();
  const row = { id: randomUUID(), ...owner, kind, addressDigest: digestOf(keyring, owner, email) };
  const hasLink = isProof || secret !== undefined;
  const linkUntil = hasLink ? new Date(now.getTime() + LINK_TTL_MS) : null;
  const to = maskEmail(email);
  await insertMail(tx, {
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

/** The handover of an earlier run of a request, when it runs again after a crash. */
export async function handoverOf(
  tx: Tx,
  cause: string | undefined,
): Promise<{ facts: MailFacts; handover: Handover } | undefined> {
  const found = cause === undefined ? undefined : await selectByCause(tx, cause);
  if (found === undefined || found.linkUntil === null) return undefined;
  return { facts: found.facts, handover: { to: found.facts.to, expiresAt: found.linkUntil } };
}
