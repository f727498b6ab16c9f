import { createRequire } from 'node:module';

// drizzle-orm through its CommonJS build: as ES modules it loads six times slower and takes 210 MB more, because Node reads
// its package.json once for each of its modules. `#drizzle` in package.json leads here; the types are the package's own. What we
// use is named, as in the other files here: where Node is to find the names itself, it reads every file of the package twice.
export const {
  and,
  asc,
  between,
  Column,
  count,
  desc,
  eq,
  exists,
  fillPlaceholders,
  getTableName,
  gt,
  gte,
  inArray,
  is,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  notExists,
  notInArray,
  or,
  SQL,
  sql,
} = createRequire(import.meta.url)('drizzle-orm');
