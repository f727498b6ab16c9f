import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenRules } from './migration-rules.ts';

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
  const inOrder = [...new Set(times)].toSorted((a, b) => a - b);
  expect(times, 'each has a place of its own, by which it is known').toEqual(inOrder);
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

it('each file of migrations/functions replaces the one function of its name', () => {
  const files = find('migrations/functions/**/*.sql');
  expect(files.length).toBeGreaterThan(50);
  const made = files.map((path) => {
    const text = readFileSync(new URL(path, root), 'utf8');
    return [...text.matchAll(/^create (or replace )?function (?<name>[\w.]+)\(/gim)].map(
      ({ groups }) => groups?.['name'],
    );
  });
  expect(made).toEqual(
    files.map((path) => [
      path
        .split('/')
        .slice(-2)
        .join('.')
        .replace(/\.sql$/, ''),
    ]),
  );
});

describe('a migration that goes out to servers that run', () => {
  const { entries } = readJson('migrations/meta/_journal.json');
  const files = entries.map(({ tag }: { tag: string }) => ({
    tag,
    text: readFileSync(new URL(`migrations/${tag}.sql`, root), 'utf8'),
  }));

  it('of this project keeps to the rules', () => {
    expect(files.flatMap(brokenRules)).toEqual([]);
  });

  it.each([
    [
      '-- Servers from 0000 on work with it.\nCREATE INDEX "i" ON "ledger"."entry" ("id");',
      'makes an index of "ledger"."entry"',
    ],
    ['-- Servers from 0000 on work with it.\nALTER TABLE a.b ALTER COLUMN c SET NOT NULL;', 'reads the whole table'],
    ['-- Servers from 0000 on work with it.\nALTER TABLE a.b ADD CONSTRAINT c CHECK (d > 0);', 'reads the whole table'],
    [
      '-- Servers from 0000 on work with it.\ncreate unique index if not exists i on a.b (id);\ncreate table a.bc (id int);',
      'makes an index of a.b,',
    ],
    ['-- Servers from 0000 on work with it.\nalter table a.b add unique (c);', 'reads the whole table'],
    ['-- Servers from 0000 on work with it.\nALTER TABLE a.b ALTER COLUMN "c" SET DATA TYPE bigint;', 'writes a whole'],
    ['-- Servers from 0000 on work with it.\nalter table a.b add column c int unique;', 'writes a whole'],
    ['-- Outside a transaction.\n-- Servers from 0000 on work with it.\nupdate a.b set c = 1', 'cannot be repeated'],
    ['select 1', 'does not say which servers work with it'],
    [
      '-- Servers from 0000 on work with it.\ncreate or replace function a.b() returns int language sql as $$ select 1 $$;',
      'makes a function',
    ],
  ])('%j breaks one', (text, why) => {
    expect(brokenRules({ tag: '0001_planted', text })).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    '-- Servers from 0000 on work with it.\nCREATE TABLE "a"."b" ("id" int);--> statement-breakpoint\nCREATE INDEX "i" ON "a"."b" ("id");',
    '-- Servers from 0000 on work with it.\nALTER TABLE a.b ADD CONSTRAINT c CHECK (d > 0) NOT VALID;',
    '-- No server from before works with it: it drops what they read.\ndrop table a.b;',
    '-- Servers from 0000 on work with it.\n-- Outside a transaction.\ncreate index concurrently if not exists "i" on "a"."b" ("id");--> statement-breakpoint\nalter table a.b validate constraint c',
  ])('%j breaks none', (text) => {
    expect(brokenRules({ tag: '0001_planted', text })).toEqual([]);
  });
});
