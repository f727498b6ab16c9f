/** Three rooms, of which `b` refers to a table of `a`, and `c` to none. */
export const rooms: Record<string, string> = {
  'src/modules/a/index.ts': `export { thing } from './tables.ts';`,
  'src/modules/a/tables.ts': `const aSchema = pgSchema('a_schema'); export const thing = aSchema.table('thing', {});`,
  'src/modules/b/index.ts': `export { list } from './list.ts';`,
  'src/modules/b/tables.ts': `import { thing } from '#modules/a';\nexport const other = bSchema.table('other', {});`,
  'src/modules/b/store.ts': `import { other } from './tables.ts';`,
  'src/modules/b/show.ts': `import { list } from './list.ts';`,
  'src/modules/c/index.ts': `export { c } from './c.ts';`,
};
