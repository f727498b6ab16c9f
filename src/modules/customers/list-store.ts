import { and, desc, eq, gte, lt, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { tag } from '#modules/tags';
import type { CustomerParts } from './store.ts';
import { customer } from './tables.ts';

/** Which customers are asked for. What is absent is not asked. */
export interface CustomerFilter {
  status?: 'ACTIVE' | 'FROZEN' | 'ERASED' | undefined;
  /** Made at this moment or later, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(customer, 'c');

const stands = {
  ACTIVE: sql`${row.frozenAt} is null and ${row.erasedAt} is null`,
  FROZEN: sql`${row.frozenAt} is not null and ${row.erasedAt} is null`,
  ERASED: sql`${row.erasedAt} is not null`,
};
/** Few are, and they have an index. */
const isRare = sql`(${row.frozenAt} is not null or ${row.erasedAt} is not null)`;

/** Customers, newest first: by their PayTags, whose ids tell the time, as their own do not. */
export async function selectCustomers(
  db: Executor,
  filter: CustomerFilter,
  page: PageRequest<string>,
): Promise<Listed<CustomerParts, string>> {
  const { status, from, to } = filter;
  const within = status === undefined || status === 'ACTIVE' ? undefined : isRare;
  const matches = and(status && stands[status], from && gte(row.createdAt, from), to && lt(row.createdAt, to));
  return pageOfWalk(db, { name: 'customers', filter, table: customer, row, key: row.tagId, within, matches }, page, {
    rows: (keys) =>
      db
        .select({ customer, handle: tag.handle, tagStatus: tag.status })
        .from(customer)
        .innerJoin(tag, eq(tag.id, customer.tagId))
        .where(sql`${customer.tagId} = any(array(${keys}))`)
        .orderBy(desc(customer.tagId)),
    keyOf: (one) => String(one.customer.tagId),
  });
}
