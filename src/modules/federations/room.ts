import { desc, eq, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Retention, Room } from '#lib/room.ts';
import { EXPORTED_MAX, type ExportOf } from '#lib/room.ts';
import { application } from '#modules/applications';
import { bringCodesForward } from '#modules/owner-proofs';
import { tag, tagsOfCustomer } from '#modules/tags';
import { linkPurpose } from './answer-link-request.ts';
import { routingFacts } from './link-route.ts';
import { link } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
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
];

/** The links between the customer's PayTag and tags elsewhere. */
const exportOf: ExportOf = async ({ db }, customerId) => {
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

const forward = preparedText<{ id: string }>(
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
  const ids = (await forward(tx, [applicationId, seconds])).map(({ id }) => id);
  const codes = await bringCodesForward(tx, { purposes: ids.map(linkPurpose), seconds });
  return { links: ids.length, codes };
}

export const room: Room = { retention, routingFacts, exports: { links: exportOf } };
