import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentAt } from '../support/documents.ts';

const guide = documentAt('src/docs/scale.md').text;
const schema = readFileSync('migrations/schema.sql', 'utf8');
const sources = globSync(['src/**/*.ts', 'migrations/functions/**/*.sql']);
const all = [schema, ...sources.map((file) => readFileSync(file, 'utf8'))].join('\n');

/** What PostgreSQL offers, in the words of the guide, and how it looks where it is used. */
const features: Record<string, RegExp> = {
  FOUND: /\bfound\b/i,
  PERFORM: /^\s*perform /im,
  'GET DIAGNOSTICS': /\bget diagnostics\b/i,
  'SECURITY DEFINER': /security definer/i,
  'SET plan_cache_mode': /set plan_cache_mode/,
  'SET enable_seqscan': /set enable_seqscan/,
  'REFERENCING NEW TABLE': /referencing new table/,
  'BEFORE UPDATE OF': /before (insert or )?update of/,
  'FOR NO KEY UPDATE': /for no key update/i,
  'SKIP LOCKED': /skip locked/i,
  lock_timeout: /lock_timeout/,
  'ON CONFLICT': /on conflict/i,
  pg_advisory_xact_lock: /pg_advisory_xact_lock\(/,
  pg_try_advisory_lock: /pg_try_advisory_lock\(/,
  'LISTEN and NOTIFY': /pg_notify\(/,
  'identity columns': /GENERATED ALWAYS AS IDENTITY/,
  'a sequence': /CREATE SEQUENCE/,
  'uuidv7()': /DEFAULT uuidv7\(\)/,
  partitions: /PARTITION BY (RANGE|LIST|HASH)/i,
  'ON DELETE CASCADE': /ON DELETE CASCADE/,
  'expression indexes': /INDEX .* USING btree \([^)]*\(/,
  BRIN: /USING brin/i,
  'NOT ENFORCED': /NOT ENFORCED/,
  fillfactor: /fillfactor=/,
  pg_stat_activity: /from pg_stat_activity/,
  'WAL positions': /pg_current_wal_flush_lsn/,
  'REPEATABLE READ': /repeatable read/i,
  cursors: /\bcursor for\b/,
  jsonb_path_query_array: /jsonb_path_query_array\(/,
  'deferrable constraints': /\b(?<!not )deferrable\b/i,
  'exclusion constraints': /\bEXCLUDE USING\b/i,
  'generated columns': /GENERATED ALWAYS AS \(/,
  'GIN, GiST and hash indexes': /USING (gin|gist|hash)\b/i,
  inheritance: /\bINHERITS\b/,
  rules: /\bCREATE RULE\b/i,
  'materialized views': /MATERIALIZED VIEW/i,
  ' views,': /CREATE (OR REPLACE )?VIEW\b/i,
  'types and domains of our own': /CREATE (TYPE|DOMAIN)\b/,
  'collations of our own': /CREATE COLLATION\b/i,
  'row-level security': /ROW LEVEL SECURITY/i,
  MERGE: /\bmerge into\b/i,
  COPY: /\bcopy [^;`']+ (to stdout|from stdin)\b/i,
  'temporary tables': /create temp(orary)? /i,
  'foreign tables': /FOREIGN TABLE/i,
  'large objects': /\blo_(create|import)\b/,
  'two-phase commit': /PREPARE TRANSACTION/i,
  'event triggers': /EVENT TRIGGER/i,
  extensions: /CREATE EXTENSION/i,
};

test('the guide lists each feature where it belongs: as relied on, or as not used', () => {
  const [, section = ''] = guide.split('\n## What our SQL relies on\n');
  const [relied = '', unused = ''] = section.split('\n## ')[0]?.split('\nNot used: ') ?? [];
  const misplaced = Object.entries(features).filter(([words, look]) => {
    const isUsed = look.test(all);
    return isUsed ? !relied.includes(words) || unused.includes(words) : !unused.includes(words);
  });
  expect(misplaced).toEqual([]);
});

test('the guide says where the tables of each room live', () => {
  const rooms = new Set([...schema.matchAll(/^CREATE TABLE (\w+)\./gm)].map(([, room = '']) => room));
  expect(rooms.size).toBeGreaterThan(30);
  expect([...rooms].filter((room) => !guide.includes(`\`${room}\``))).toEqual([]);
});
