import { desc, eq, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import { EXPORTED_MAX, type ExportOf } from '#lib/personal-data.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { application } from '#modules/applications';
import { tag, tagsOfCustomer } from '#modules/tags';
import { link } from './tables.ts';

/** The links between the customer's PayTag and tags elsewhere. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
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
