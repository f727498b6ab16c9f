import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

// Through require, because drizzle-orm takes seconds to load as ES modules.
const { generateDrizzleJson } = createRequire(import.meta.url)('drizzle-kit/api') as typeof import('drizzle-kit/api');

// drizzle-kit gives every array and string methods of its own, which other tests of this worker would meet.
for (const { prototype } of [Array, String])
  for (const name of Object.keys(prototype)) Reflect.deleteProperty(prototype, name);

const root = new URL('../../', import.meta.url);
const find = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

it('every migration stands in the journal, in the order of their numbers', () => {
  const { entries } = readJson('migrations/meta/_journal.json');
  const tags: string[] = entries.map(({ tag }: { tag: string }) => tag);
  expect(tags).toEqual(find('migrations/[0-9]*.sql').map((path) => basename(path, '.sql')));
  const times: number[] = entries.map(({ when }: { when: number }) => when);
  expect(times, 'one that is not later than the last applied is passed over').toEqual(times.toSorted((a, b) => a - b));
});

it('the tables that the rooms declare are those of the last migration', async () => {
  const rooms = await Promise.all(find('src/modules/*/tables.ts').map((path) => import(new URL(path, root).href)));
  const exported = rooms.flatMap((room, index) =>
    Object.entries(room).map(([name, value]) => [`${name} of ${index}`, value] as const),
  );
  const declared = JSON.parse(JSON.stringify(generateDrizzleJson(Object.fromEntries(exported))));
  const migrated = readJson(find('migrations/meta/*_snapshot.json').at(-1) ?? '');
  expect(Object.keys(declared.tables).length).toBeGreaterThan(30);
  const anyIds = { id: expect.any(String), prevId: expect.any(String) };
  expect(declared, 'run npm run migrations').toEqual({ ...migrated, ...anyIds });
});

it('what the server may do with each of those tables is decided in migrations/rights.sql', () => {
  const rights = readFileSync(new URL('migrations/rights.sql', root), 'utf8');
  const { tables } = readJson(find('migrations/meta/*_snapshot.json').at(-1) ?? '');
  const names = Object.keys(tables);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !rights.includes(`('${name}', '`))).toEqual([]);
});
