import { and, desc, eq, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Room } from '#lib/room.ts';
import { DAY_MS, deletes, EXPORTED_MAX, type ExportOf, type OfCustomer, type Retention } from '#lib/room.ts';
import { application, payTagApplicationId, subject } from '#modules/clients';
import { tag, tagsOfCustomer } from '#modules/tags';
import { consentPurpose } from './answer-in-person.ts';
import { linkPurpose } from './answer-link-request.ts';
import { sealedColumns } from './claim.ts';
import { routingFacts as claimRoutes } from './claim-route.ts';
import { routingFacts as linkRoutes } from './link-route.ts';
import { claim, link } from './tables.ts';

/** What applications asked of the customer on their PayTag, and what they answered. */
const exportClaimsOf: ExportOf = async ({ db }, customerId) => asked(db, { customerId });

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

const claimsForward = preparedText<{ id: string }>(
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
  const ids = (await claimsForward(tx, [applicationId, seconds])).map(({ id }) => id);
  const codes = await bringCodesForward(tx, { purposes: ids.map(consentPurpose), seconds });
  return { claims: ids.length, codes };
}

/** The links between the customer's PayTag and tags elsewhere. */
const exportLinksOf: ExportOf = async ({ db }, customerId) => {
  const tags = await tagsOfCustomer(db, customerId);
  return linksOf(db, { tags: tags.map(({ id }) => id) });
};

const linksOf = prepared('federations.export', (db, given: Given<{ tags: readonly string[] }>) => {
  const [primary, linked] = [alias(tag, 'primary_tag'), alias(tag, 'linked_tag')];
  const [primaryApp, linkedApp] = [alias(application, 'primary_app'), alias(application, 'linked_app')];
  return db
    .select({
      id: link.id,
      primary: { tag: primary.handle, application: primaryApp.name },
      linked: { tag: linked.handle, application: linkedApp.name },
      method: link.method,
      status: link.status,
      verifiedAt: link.verifiedAt,
      verifiedBy: link.verifiedBy,
      createdAt: link.createdAt,
      updatedAt: link.updatedAt,
    })
    .from(link)
    .innerJoin(primary, eq(primary.id, link.primaryTagId))
    .innerJoin(linked, eq(linked.id, link.linkedTagId))
    .innerJoin(primaryApp, eq(primaryApp.id, link.primaryAppId))
    .innerJoin(linkedApp, eq(linkedApp.id, link.linkedAppId))
    .where(or(sql`${link.primaryTagId} = any(${given.tags})`, sql`${link.linkedTagId} = any(${given.tags})`))
    .orderBy(desc(link.id))
    .limit(EXPORTED_MAX);
});

const federationsForward = preparedText<{ id: string }>(
  'federations.bring-forward',
  `update federations.link set expires_at = expires_at - make_interval(secs => $2)
    where primary_app_id = $1 and status = 'PENDING' returning id`,
  { writes: true },
);

/**
 * Lets a time pass for the links that an application has started and nobody has verified, and for the codes with which their
 * owners prove themselves. For the sandbox.
 */
export async function bringLinksForward(
  tx: Tx,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<{ links: number; codes: number }> {
  const ids = (await federationsForward(tx, [applicationId, seconds])).map(({ id }) => id);
  const codes = await bringCodesForward(tx, { purposes: ids.map(linkPurpose), seconds });
  return { links: ids.length, codes };
}

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'claims.claim',
    kept: 'for ever; its consent token until it is answered',
    why: 'the proof that somebody agreed',
  },
  {
    table: 'federations.federation',
    kept: 'for ever',
    why: 'its links name it',
  },
  {
    table: 'federations.link',
    kept: 'for ever',
    why: 'the proof that two tags belong to one person',
  },
  {
    table: 'owner_proofs.owner_code',
    kept: 'a day after its request expired',
    why: 'a late code is told that it is late',
    forget: { rows: deletes({ table: 'owner_proofs.owner_code', by: 'expires_at', afterMs: DAY_MS }) },
  },
];

const ownerProofsForward = preparedText<{ purpose: string }>(
  'owner-proofs.bring-forward',
  `update owner_proofs.owner_code c
      set expires_at = expires_at - make_interval(secs => $2),
          code_expires_at = code_expires_at - make_interval(secs => $2),
          sent_at = coalesce((
            select jsonb_object_agg(key, to_char((value::timestamptz - make_interval(secs => $2)) at time zone 'utc',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from jsonb_each_text(c.sent_at)), '{}')
    where purpose = any($1) returning purpose`,
  { writes: true },
);

/** Lets a time pass for the codes that prove the owner of a tag for these purposes. For the sandbox. @returns how many */
async function bringCodesForward(
  tx: Tx,
  { purposes, seconds }: { purposes: string[]; seconds: number },
): Promise<number> {
  return purposes.length === 0 ? 0 : (await ownerProofsForward(tx, [purposes, seconds])).length;
}

export const room: Room = {
  retention,
  sealedColumns,
  routingFacts: [...claimRoutes, ...linkRoutes],
  exports: { claims: exportClaimsOf, links: exportLinksOf },
};
