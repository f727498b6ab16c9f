import { and, desc, eq } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import { EXPORTED_MAX, type ExportOf, type OfCustomer } from '#lib/personal-data.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import { application, payTagApplicationId, subject } from '#modules/applications';
import { tag } from '#modules/tags';
import { claim } from './tables.ts';

/** What applications asked of the customer on their PayTag, and what they answered. */
export const exportOf: ExportOf = async ({ db }, customerId) => asked(db, { customerId });

const owner = alias(subject, 'owner');

const asked = prepared('claims.export', (db, given: OfCustomer) =>
  db
    .select({
      id: claim.id,
      paytag: tag.handle,
      application: application.name,
      for: subject.displayName,
      state: claim.state,
      requestedAt: claim.requestedAt,
      approvedAt: claim.approvedAt,
      revokedAt: claim.revokedAt,
      confirmedAt: claim.ownerConfirmedAt,
      confirmedBy: claim.ownerConfirmedBy,
    })
    .from(claim)
    .innerJoin(tag, eq(tag.id, claim.tagId))
    .innerJoin(owner, eq(owner.id, tag.subjectId))
    .innerJoin(subject, eq(subject.id, claim.subjectId))
    .innerJoin(application, eq(application.id, claim.requestedByAppId))
    .where(and(eq(owner.applicationId, payTagApplicationId), eq(owner.externalId, given.customerId)))
    .orderBy(desc(claim.id))
    .limit(EXPORTED_MAX),
);
