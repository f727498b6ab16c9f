import { and, desc, eq, gte, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { transaction } from '#modules/ledger';
import type { ItemStatus } from './item-status.ts';
import { type Rail, rails } from './rails.ts';
import type { ImportRow, ItemParts } from './store.ts';
import { bankImport, item } from './tables.ts';

export interface ItemFilter {
  rail?: Rail | undefined;
  status?: ItemStatus | undefined;
  importId?: string | undefined;
  /** Days of the line, or of a posting alone its day. */
  from?: string | undefined;
  to?: string | undefined;
}

const i = alias(item, 'i');
const dayOf = sql<string>`coalesce(${i.bankDay}, ${i.ourDay})`;

export async function selectItems(
  db: Executor,
  filter: ItemFilter,
  page: PageRequest<string>,
): Promise<Listed<ItemParts, string>> {
  const { rail, status, importId, from, to } = filter;
  // What stands on each rail in one status has an index.
  const ofStatus =
    importId !== undefined || status === undefined
      ? undefined
      : (rail === undefined ? rails : [rail]).map((one) => sql`${i.rail} = ${one} and ${i.status} = ${status}`);
  const matches = and(
    rail === undefined ? undefined : eq(i.rail, rail),
    importId === undefined || status === undefined ? undefined : eq(i.status, status),
    from === undefined ? undefined : gte(dayOf, from),
    to === undefined ? undefined : lte(dayOf, to),
  );
  const within = importId === undefined ? undefined : eq(i.importId, importId);
  const walk = {
    name: 'reconciliation-items',
    filter,
    table: item,
    row: i,
    key: i.id,
    within,
    matches,
    ...(ofStatus && { withinOneOf: ofStatus }),
  };
  return pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db
        .select({ row: item, ourReference: transaction.reference })
        .from(item)
        .leftJoin(transaction, eq(transaction.id, item.transactionId))
        .where(sql`${item.id} in (${keys})`)
        .orderBy(desc(item.id)),
    keyOf: ({ row: { id } }) => id,
  });
}

const m = alias(bankImport, 'm');

export async function selectImports(
  db: Executor,
  filter: { rail?: Rail | undefined },
  page: PageRequest<string>,
): Promise<Listed<ImportRow, string>> {
  const matches = filter.rail === undefined ? undefined : eq(m.rail, filter.rail);
  const walk = { name: 'reconciliation-imports', filter, table: bankImport, row: m, key: m.id, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(bankImport).where(sql`${bankImport.id} in (${keys})`).orderBy(desc(bankImport.id)),
    keyOf: ({ id }) => id,
  });
}
