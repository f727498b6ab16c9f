import { and, count, desc, eq, gte, lt, or, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk, type Walk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { entry } from './tables.ts';

export type Entry = typeof entry.$inferSelect;

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  requestId?: string | undefined;
  /** From this moment on, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Appends an entry. */
export async function insertEntry(
  db: Executor,
  { actor, action, target, before, after, reason, requestId }: Omit<typeof entry.$inferInsert, 'id'>,
): Promise<void> {
  await append(db, [actor, action, target, jsonOf(before), jsonOf(after), reason ?? null, requestId ?? null]);
}

const jsonOf = (value: object | null | undefined): string | null => (value == null ? null : JSON.stringify(value));

const append = preparedText(
  'audit.append',
  `insert into audit.entry (actor, action, target, before, after, reason, request_id)
    values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7)`,
  { writes: true },
);

/** These changes to a target by all but one, newest first. */
export const selectByOthers = preparedText<Pick<Entry, 'actor' | 'action' | 'at' | 'before' | 'after'>>(
  'audit.by-others',
  `select actor, action, at, before, after from audit.entry
    where target = $1 and action = any ($2::text[]) and split_part(actor, ' ', 1) <> $3 order by id desc`,
);

/** How many targets these changes have given a role, whatever became of them since. */
export const selectGiven = preparedText<{ targets: number }>(
  'audit.given-a-role',
  `select count(distinct target)::integer as targets from audit.entry where action = any ($1::text[]) and after->>'role' = $2`,
);

const row = alias(entry, 'e');

/** Entries are numbered in the order in which they are written, but for what is written at the same moment. */
const MOMENT_MS = 60_000;
const shifted = (moment: Date, byMs: number) => new Date(moment.getTime() + byMs);

/** Where the entries of a time begin and end, by their numbers. */
const numbersOf = ({ from, to }: AuditFilter): SQL | undefined =>
  and(
    from &&
      sql`${row.id} >= (select ${entry.id} from ${entry} where ${gte(entry.at, shifted(from, -MOMENT_MS))}
        order by ${entry.at}, ${entry.id} limit 1)`,
    to &&
      sql`${row.id} <= (select ${entry.id} from ${entry} where ${lt(entry.at, shifted(to, MOMENT_MS))}
        order by ${entry.at} desc, ${entry.id} desc limit 1)`,
  );

function walkOf(filter: AuditFilter): Walk {
  const { actor, action, target, requestId, from, to } = filter;
  // An operator's name stands behind their id.
  const isActor = actor && and(sql`split_part(${row.actor}, ' ', 1) = split_part(${actor}, ' ', 1)`, isNamed(actor));
  const isAction = action === undefined ? undefined : eq(row.action, action);
  const isTarget = target === undefined ? undefined : eq(row.target, target);
  const isRequest = requestId === undefined ? undefined : eq(row.requestId, requestId);
  // One of them has an index that is walked along; the others are looked at entry by entry.
  const [first, ...others] = [isRequest, isTarget, isActor || undefined, isAction].filter((one) => one !== undefined);
  return {
    name: 'audit',
    filter,
    table: entry,
    row,
    key: row.id,
    within: and(first, numbersOf(filter)),
    matches: and(...others, from && gte(row.at, from), to && lt(row.at, to)),
  };
}

const isNamed = (actor: string): SQL | undefined => (actor.includes(' ') ? eq(row.actor, actor) : undefined);

/** Entries, newest first. `count` is of all that match. */
export async function selectEntries(
  db: Executor,
  filter: AuditFilter,
  page: PageRequest<number>,
): Promise<Listed<Entry, number>> {
  return pageOfWalk(db, walkOf(filter), page, {
    rows: (keys) => db.select().from(entry).where(sql`${entry.id} in (${keys})`).orderBy(desc(entry.id)),
    keyOf: ({ id }) => id,
  });
}

/** What operators did to any of these targets, and entries that say they found or showed this one, newest first. `count` is of all. */
export async function selectAbout(
  db: Executor,
  { targets, found }: { targets: readonly string[]; found: string },
  limit: number,
): Promise<{ items: Entry[]; count: number }> {
  const about = { targets, found: JSON.stringify({ found: [found] }) };
  const [items, total] = await Promise.all([newestAbout(db, { ...about, limit }), countAbout(db, about)]);
  return { items, count: total?.count ?? 0 };
}

type About = Given<{ targets: readonly string[]; found: string }>;

/** What somebody did themselves, or came of itself, is no operator's. */
const isOfOperators = sql`${entry.actor} <> 'system' and ${entry.actor} not like 'customer:%'`;

const isAbout = ({ targets, found }: About) =>
  and(
    isOfOperators,
    or(
      sql`${entry.target} = any(${targets})`,
      and(sql`${entry.target} = 'customers'`, sql`${entry.after} @> ${found}::jsonb`),
    ),
  );

const newestAbout = prepared('audit.about', (db, given: About & Given<{ limit: number }>) =>
  db.select().from(entry).where(isAbout(given)).orderBy(desc(entry.id)).limit(given.limit),
);
const countAbout = preparedOne('audit.count-about', (db, given: About) =>
  db.select({ count: count() }).from(entry).where(isAbout(given)),
);
