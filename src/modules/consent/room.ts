import { and, desc, eq, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Room } from '#lib/room.ts';
import { DAY_MS, deletes, EXPORTED_MAX, type ExportOf, type OfCustomer, type Retention } from '#lib/room.ts';
import { application, payTagApplicationId, subject } from '#modules/clients';
import { tag, tagsOfCustomer } from '#modules/tags';
import { claimFacts, sealedColumns } from './claim.ts';
import { linkFacts } from './link.ts';
import { consentPurpose, linkPurpose } from './owner-code-store.ts';
import { claim, link } from './tables.ts';

/** The requests to the customer on their PayTag, and the answers. */
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

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'claims.claim',
    kept: 'for ever; its consent token until it is answered',
    why: 'the proof that the owner agreed',
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
    why: 'a late code is refused as late',
    forget: { rows: deletes({ table: 'owner_proofs.owner_code', by: 'expires_at', afterMs: DAY_MS }) },
  },
];

export const room: Room = {
  retention,
  sealedColumns,
  routingFacts: [...claimFacts, ...linkFacts],
  exports: { claims: exportClaimsOf, links: exportLinksOf },
};

/**
 * Moves the expiry of an application's pending claims, of its pending links and of their owners' codes forward by some seconds.
 * For the sandbox.
 *
 * @returns how many
 */
export async function bringForward(
  tx: Tx,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<{ claims: number; links: number; ownerCodes: number }> {
  const claims = await bringClaimsForward(tx, [applicationId, seconds]);
  const links = await bringLinksForward(tx, [applicationId, seconds]);
  const purposes = [...claims.map(({ id }) => consentPurpose(id)), ...links.map(({ id }) => linkPurpose(id))];
  const codes = purposes.length === 0 ? [] : await bringCodesForward(tx, [purposes, seconds]);
  return { claims: claims.length, links: links.length, ownerCodes: codes.length };
}

const bringClaimsForward = preparedText<{ id: string }>(
  'claims.bring-forward',
  `update claims.claim set token_expires_at = token_expires_at - make_interval(secs => $2)
    where requested_by_app_id = $1 and state = 'PENDING' returning id`,
  { writes: true },
);

const bringLinksForward = preparedText<{ id: string }>(
  'federations.bring-forward',
  `update federations.link set expires_at = expires_at - make_interval(secs => $2)
    where primary_app_id = $1 and status = 'PENDING' returning id`,
  { writes: true },
);

const bringCodesForward = preparedText<{ purpose: string }>(
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
