import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** Behind every name that begins as something does. */
const LAST = '\u{10ffff}';

/** By byte order, which the index is in: a pattern would be none once the statement is planned for any. */
const byName = preparedText<{ id: string; name: string }>(
  'partners.by-name',
  'select id, name from partners.partner where lower(name) ~>=~ $1 and lower(name) ~<~ $2 order by lower(name) using ~<~ limit $3',
);

/** Partners whose names begin with a text, in whatever case; so many at most. */
export const findPartnersByName = async (
  db: Executor,
  { begin, limit }: { begin: string; limit: number },
): Promise<{ id: string; name: string }[]> => byName(db, [begin.toLowerCase(), begin.toLowerCase() + LAST, limit]);

const names = preparedText<{ id: string; name: string }>(
  'partners.names',
  'select id, name from partners.partner where id = any((select $1::uuid[])::uuid[])',
);

/** The names of partners, by their ids. */
export const findPartnerNames = async (db: Executor, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(ids.length === 0 ? [] : (await names(db, [ids])).map(({ id, name }) => [id, name]));
