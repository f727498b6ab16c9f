import { and, desc, eq } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Tx } from '#lib/postgres/executor.ts';
import { prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Retention, Room } from '#lib/room.ts';
import { EXPORTED_MAX, type ExportOf, type OfCustomer } from '#lib/room.ts';
import { application, payTagApplicationId, subject } from '#modules/applications';
import { bringCodesForward } from '#modules/owner-proofs';
import { tag } from '#modules/tags';
import { consentPurpose } from './answer-in-person.ts';
import { sealedColumns } from './claim.ts';
import { routingFacts } from './claim-route.ts';
import { claim } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'claims.claim',
    kept: 'for ever; its consent token until it is answered',
    why: 'the proof that somebody agreed',
  },
];

/** What applications asked of the customer on their PayTag, and what they answered. */
const exportOf: ExportOf = async ({ db }, customerId) => asked(db, { customerId });

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

const forward = preparedText<{ id: string }>(
  'claims.bring-forward',
  `update claims.claim set token_expires_at = token_expires_at - make_interval(secs => $2)
    where requested_by_app_id = $1 and state = 'PENDING' returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the consents that an application has asked for and nobody has answered, and for the codes with which
 * their owners prove themselves. For the sandbox.
 */
export async function bringClaimsForward(
  tx: Tx,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<{ claims: number; codes: number }> {
  const ids = (await forward(tx, [applicationId, seconds])).map(({ id }) => id);
  const codes = await bringCodesForward(tx, { purposes: ids.map(consentPurpose), seconds });
  return { claims: ids.length, codes };
}

export const room: Room = { retention, sealedColumns, routingFacts, exports: { claims: exportOf } };
