import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** Behind every name that begins as something does. */
const LAST = '\u{10ffff}';

/** By byte order, which the index is in: a pattern would be none once the statement is planned for any. */
const byName = preparedText<{ id: string; name: string }>(
  'applications.by-name',
  `select id, name from ((
     select id, name from applications.application where lower(name) ~>=~ $1 and lower(name) ~<~ $2 and not built_in
      order by lower(name) using ~<~ limit $3)
     union
     select id, name from applications.application where namespace = $1 and not built_in) found limit $3`,
);

/** Applications whose names begin with a text, in whatever case, and the one whose namespace it is; so many at most. */
export const findApplicationsByName = async (
  db: Executor,
  { begin, limit }: { begin: string; limit: number },
): Promise<{ id: string; name: string }[]> => byName(db, [begin.toLowerCase(), begin.toLowerCase() + LAST, limit]);

const names = preparedText<{ id: string; name: string }>(
  'applications.names',
  'select id, name from applications.application where id = any((select $1::uuid[])::uuid[])',
);

/** The names of applications, by their ids. */
export const findApplicationNames = async (db: Executor, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(ids.length === 0 ? [] : (await names(db, [ids])).map(({ id, name }) => [id, name]));
