import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { EraseOf, ExportOf, OfCustomer } from '#lib/personal-data.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { findRegistration } from '#modules/customers';
import { partner } from '#modules/partners';
import { openValue } from './creation.ts';
import { creationSession } from './tables.ts';

/** The onboardings, password resets and changes of a contact that the customer began, as long as they are kept. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  return (await selectOfPerson(db, keyring, customerId)).map(({ row, partner: at }) => ({
    kind: row.kind,
    partner: at,
    status: row.status,
    bvn: openValue(keyring, row, 'bvn'),
    firstName: row.firstName,
    lastName: row.lastName,
    otherName: row.otherName,
    dateOfBirth: openValue(keyring, row, 'dateOfBirth'),
    phone: openValue(keyring, row, 'phone'),
    email: openValue(keyring, row, 'email'),
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
  const found = await (bvn === undefined ? theirs : theirsOrAnyones)(db, { customerId });
  return found.filter(
    ({ row }) => row.customerId !== null || (row.bvnSealed !== null && openValue(keyring, row, 'bvn') === bvn),
  );
}

const selectBegun = (name: string, orElse?: SQL) =>
  prepared(name, (db, given: OfCustomer) =>
    db
      .select({ row: creationSession, partner: { id: partner.id, name: partner.name } })
      .from(creationSession)
      .innerJoin(partner, eq(partner.id, creationSession.partnerId))
      .where(or(eq(creationSession.customerId, given.customerId), orElse))
      .orderBy(desc(creationSession.createdAt)),
  );

const theirs = selectBegun('onboarding.export');
const theirsOrAnyones = selectBegun(
  'onboarding.export-with-anyones',
  and(isNull(creationSession.customerId), isNotNull(creationSession.bvnSealed)),
);

/** What the customer began, whether it ended or not. */
export const eraseOf: EraseOf = async ({ tx, keyring }, customerId) => {
  const begun = await selectOfPerson(tx, keyring, customerId);
  await erase(tx, { digests: begun.map(({ row }) => row.digest) });
};

const erase = prepared('onboarding.erase', (db, given: Given<{ digests: readonly Buffer[] }>) =>
  db.delete(creationSession).where(sql`${creationSession.digest} = any(${given.digests})`),
);
