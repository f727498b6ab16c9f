import { and, eq, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { ownerCode } from './tables.ts';

export type OwnerCodeRow = typeof ownerCode.$inferSelect;

/** The row of a purpose, made where there is none. Locked until the transaction ends. */
export async function lockOwnerCode(tx: Tx, purpose: string, expiresAt: Date): Promise<OwnerCodeRow> {
  const [, found] = await Promise.all([ensure(tx, { purpose, expiresAt }), lockIfAny(tx, purpose)]);
  if (found === undefined) throw new Error('a code is deleted only after its purpose has expired');
  return found;
}

const ensure = prepared('owner-proofs.ensure', (db, given: Given<{ purpose: string; expiresAt: Date }>) =>
  db.insert(ownerCode).values({ purpose: given.purpose, expiresAt: given.expiresAt }).onConflictDoNothing(),
);

/** The row of a purpose, if a code was ever asked for, locked too. */
export const lockIfAny = (tx: Tx, purpose: string): Promise<OwnerCodeRow | undefined> => lockCode(tx, { purpose });

const lockCode = preparedOne('owner-proofs.lock', (db, given: Given<{ purpose: string }>) =>
  db.select().from(ownerCode).where(eq(ownerCode.purpose, given.purpose)).for('update'),
);

/** Until when the code that was sent last for a purpose can be given, read without a lock; null when there is none. */
export async function openUntil(db: Executor, purpose: string): Promise<Date | null> {
  return (await openCode(db, { purpose }))?.codeExpiresAt ?? null;
}

const openCode = preparedOne('owner-proofs.open-until', (db, given: Given<{ purpose: string }>) =>
  db.select({ codeExpiresAt: ownerCode.codeExpiresAt }).from(ownerCode).where(eq(ownerCode.purpose, given.purpose)),
);

/** Changes a row that the transaction has locked. */
export async function updateOwnerCode(tx: Tx, purpose: string, values: Partial<OwnerCodeRow>): Promise<void> {
  await change(tx, values, { purpose });
}

const change = preparedColumns(
  'owner-proofs.change',
  ownerCode,
  (db, written: Written<Partial<OwnerCodeRow>>, given: Given<{ purpose: string }>) =>
    db.update(ownerCode).set(written).where(eq(ownerCode.purpose, given.purpose)),
);

/** Takes back a send that did not happen: another can be sent at once. A code that was sent after it stays. */
export const undoOwnerCode = prepared(
  'owner-proofs.undo',
  (db, given: Given<{ purpose: string; channel: string; codeDigest: Buffer }>) =>
    db
      .update(ownerCode)
      .set({
        codeDigest: sql`nullif(${ownerCode.codeDigest}, ${given.codeDigest}::bytea)`,
        sends: sql`${ownerCode.sends} - 1`,
        sentAt: sql`${ownerCode.sentAt} - ${given.channel}::text`,
      })
      .where(eq(ownerCode.purpose, given.purpose)),
);

/** Voids a code that was not delivered; its send stays counted. A code that was sent after it stays. */
export const voidOwnerCode = prepared(
  'owner-proofs.void-unsent',
  (db, given: Given<{ purpose: string; codeDigest: Buffer }>) =>
    db
      .update(ownerCode)
      .set({ codeDigest: null })
      .where(and(eq(ownerCode.purpose, given.purpose), eq(ownerCode.codeDigest, given.codeDigest))),
);

/** The purpose of the code that proves the owner for a claim. */
export const consentPurpose = (claimId: string): string => `consent:${claimId}`;

/** The purpose of the code that proves the owner of a linked tag. */
export const linkPurpose = (linkId: string): string => `federation:${linkId}`;

/** Voids the codes with which a tag's owner could answer pending claims and links on it. Their sends stay counted. */
export async function voidCodesOfTag(tx: Tx, tagId: string): Promise<void> {
  const [claims, links] = await Promise.all([pendingClaims(tx, [tagId]), pendingLinks(tx, [tagId])]);
  const purposes = [...claims.map(({ id }) => consentPurpose(id)), ...links.map(({ id }) => linkPurpose(id))];
  if (purposes.length > 0) await voidAll(tx, [purposes]);
}

const pendingClaims = preparedText<{ id: string }>(
  'claims.pending-on-tag',
  `select id from claims.claim where tag_id = $1 and state = 'PENDING'`,
  { writes: true },
);

const pendingLinks = preparedText<{ id: string }>(
  'federations.pending-on-tag',
  `select id from federations.link where linked_tag_id = $1 and status = 'PENDING'`,
  { writes: true },
);

const voidAll = preparedText(
  'owner-proofs.void',
  'update owner_proofs.owner_code set code_digest = null where purpose = any($1)',
  { writes: true },
);
