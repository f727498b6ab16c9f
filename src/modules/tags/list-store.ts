import { and, desc, eq, gte, isNull, lt, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { application, subject } from '#modules/clients';
import { DRAWN_DIGITS, NAMED_NUMBER, NUMBER, WRITTEN_NUMBER } from '#modules/reserved-names';
import { tag } from './tables.ts';
import type { TagStatus } from './tag-status.ts';

/** Which tags are asked for. What is absent is not asked. */
export interface TagFilter {
  /** The application that made it. */
  createdByAppId?: string | undefined;
  status?: TagStatus | undefined;
  /** Only those that have no letter or read as somebody's number: nobody gets such a one any more. */
  readsAsNumber?: boolean | undefined;
  /** Made at this moment or later, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(tag, 't');
const creator = alias(application, 'creator');

const bare = sql`translate(${row.handle}, '._-', '')`;
/** As `readsAsNumber` of the reserved names has it. */
const isNumber = sql`(${bare} !~ '[a-z]' or ${bare} ~ ${NAMED_NUMBER.source} or ${row.handle} ~ ${WRITTEN_NUMBER.source}
  or translate(${bare}, ${DRAWN_DIGITS.letters}, ${DRAWN_DIGITS.digits}) ~ ${NUMBER.source})`;

/** Tags, newest first, closed ones too while nobody else has their handle. */
export async function selectTags(db: Executor, filter: TagFilter, page: PageRequest<string>) {
  const { createdByAppId, status, readsAsNumber, from, to } = filter;
  const within = and(
    isNull(row.releasedAt),
    // Few are, and they have an index.
    status === undefined || status === 'ACTIVE' ? undefined : sql`${row.status} <> 'ACTIVE'`,
    createdByAppId === undefined ? undefined : eq(row.createdByAppId, createdByAppId),
  );
  const matches = and(
    status && eq(row.status, status),
    from && gte(row.createdAt, from),
    to && lt(row.createdAt, to),
    readsAsNumber === true ? isNumber : undefined,
  );
  return pageOfWalk(db, { name: 'tags', filter, table: tag, row, key: row.id, within, matches }, page, {
    rows: (keys) =>
      db
        .select({
          tag,
          owner: { id: subject.id },
          ownerApp: { id: application.id, name: application.name, namespace: application.namespace },
          creator: { id: creator.id },
        })
        .from(tag)
        .innerJoin(subject, eq(subject.id, tag.subjectId))
        .innerJoin(application, eq(application.id, subject.applicationId))
        .innerJoin(creator, eq(creator.id, tag.createdByAppId))
        .where(sql`${tag.id} = any(array(${keys}))`)
        .orderBy(desc(tag.id)),
    keyOf: (one) => one.tag.id,
  });
}

export type TagParts = Awaited<ReturnType<typeof selectTags>> extends Listed<infer Parts, string> ? Parts : never;
