/** Makes an empty database, which no server uses yet. */
const BASELINE = '0000_baseline';
const SAYS_WHO_WORKS = /^-- (Servers from \d{4} on work with it\.|No server from before works with it: )/m;
const OUTSIDE = /^-- Outside a transaction\b/m;
const REPEATABLE =
  /^(create (unique )?index concurrently if not exists |drop index concurrently if exists |alter table \S+ validate constraint )/i;
const INDEX = /create\s+(?:unique\s+)?index\s+(?!concurrently)[^;]*?\son\s+(?:only\s+)?(?<table>"?\w+"?\."?\w+"?)/gi;
const CONSTRAINT = 'constraint|unique|primary key|foreign key|check|exclude';
const READS_ALL = new RegExp(
  `\\bset not null\\b|\\badd (${CONSTRAINT})\\b(?![^;]*\\b(not valid|not enforced|using index)\\b)`,
  'i',
);
const WRITES_ALL = new RegExp(
  '\\balter (column )?"?\\w+"? (set data )?type\\b|\\badd column\\b[^;,]*\\b(unique|primary key|generated always as .* stored)\\b|^(cluster|reindex|vacuum)\\b',
  'im',
);

const FUNCTION = /\bcreate (or replace )?(constraint )?(function|procedure|trigger)\b/i;

const withoutComments = (sql: string): string => sql.replaceAll(/--(?!>).*$/gm, '').trim();

/** What a migration does that would keep servers which run waiting, or break them; migrations/README.md explains it. */
export function brokenRules({ tag, text }: { tag: string; text: string }): string[] {
  if (tag === BASELINE) return [];
  const broken: string[] = [];
  const statements = text
    .split('--> statement-breakpoint')
    .map(withoutComments)
    .filter((one) => one !== '');
  const sql = statements.join(';\n');
  if (FUNCTION.test(sql)) broken.push(`${tag} makes a function or trigger, which has its file in migrations/functions`);
  if (!SAYS_WHO_WORKS.test(text)) broken.push(`${tag} does not say which servers work with it`);
  if (OUTSIDE.test(text)) {
    const once = statements.find((one) => !REPEATABLE.test(one) || one.replace(/;$/, '').includes(';'));
    if (once !== undefined) broken.push(`${tag} cannot be repeated: ${once}`);
    return broken;
  }
  const isNew = (table: string) => new RegExp(`create table (if not exists )?${table}(?![\\w"])`, 'i').test(sql);
  for (const { groups } of sql.matchAll(INDEX)) {
    const table = groups?.['table'] ?? '';
    if (!isNew(table)) broken.push(`${tag} makes an index of ${table}, which stops writers: make it concurrently`);
  }
  if (READS_ALL.test(sql))
    broken.push(`${tag} reads the whole table while nobody can write: add NOT VALID, and validate later`);
  if (WRITES_ALL.test(sql)) broken.push(`${tag} writes a whole table or index while nobody can: do it in steps`);
  return broken;
}
