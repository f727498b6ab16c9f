import { and, desc, eq, inArray, isNotNull, isNull, or } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import type { EraseOf, ExportOf } from '#lib/personal-data.ts';
import { findRegistration } from '#modules/customers';
import { partner } from '#modules/partners';
import { purposes } from './creation.ts';
import { creationSession } from './tables.ts';

/** The onboardings, password resets and changes of a contact that the customer began, as long as they are kept. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const open = (purpose: keyof typeof purposes, sealed: Buffer | null) =>
    sealed === null ? undefined : keyring.open(purposes[purpose], sealed);
  return (await selectOfPerson(db, keyring, customerId)).map(({ row, partner: at }) => ({
    kind: row.kind,
    partner: at,
    status: row.status,
    bvn: open('bvn', row.bvnSealed),
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName,
    dateOfBirth: open('dateOfBirth', row.dateOfBirthSealed),
    phone: open('phone', row.phoneSealed),
    email: open('email', row.emailSealed),
    paytag: row.paytag,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  }));
};

/**
 * The sessions of a customer: those that name them, and creations with their BVN, which begin before there is a customer;
 * not those of whoever a BVN was handed back to.
 */
async function selectOfPerson(db: Executor, keyring: Keyring, customerId: string) {
  const bvn = (await findRegistration(db, keyring, customerId))?.bvn;
  const isAnyones = and(isNull(creationSession.customerId), isNotNull(creationSession.bvnSealed));
  const found = await db
    .select({ row: creationSession, partner: { id: partner.id, name: partner.name } })
    .from(creationSession)
    .innerJoin(partner, eq(partner.id, creationSession.partnerId))
    .where(or(eq(creationSession.customerId, customerId), bvn === undefined ? undefined : isAnyones))
    .orderBy(desc(creationSession.createdAt));
  return found.filter(
    ({ row }) =>
      row.customerId !== null || (row.bvnSealed !== null && keyring.open(purposes.bvn, row.bvnSealed) === bvn),
  );
}

/** What the customer began, whether it ended or not. */
export const eraseOf: EraseOf = async ({ tx, keyring }, customerId) => {
  const theirs = await selectOfPerson(tx, keyring, customerId);
  const digests = theirs.map(({ row }) => row.digest);
  await tx.delete(creationSession).where(inArray(creationSession.digest, digests));
};
