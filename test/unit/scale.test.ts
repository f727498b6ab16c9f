import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentAt } from '../support/documents.ts';

const guide = documentAt('src/docs/scale.md').text;
const schema = readFileSync('migrations/schema.sql', 'utf8');
const all = [schema, ...globSync('{src,migrations}/**/*.{ts,sql}').map((file) => readFileSync(file, 'utf8'))].join(
  '\n',
);

/** What the guide says that our SQL relies on, in its words, and how it looks. */
const relied: Record<string, RegExp> = {
  FOUND: /\bfound\b/i,
  PERFORM: /^\s*perform /im,
  'GET DIAGNOSTICS': /\bget diagnostics\b/i,
  'SECURITY DEFINER': /security definer/i,
  'SET plan_cache_mode': /SET plan_cache_mode/,
  'SET enable_seqscan': /SET enable_seqscan/,
  'REFERENCING NEW TABLE': /REFERENCING NEW TABLE/,
  'BEFORE UPDATE OF': /BEFORE (INSERT OR )?UPDATE OF/,
  'FOR NO KEY UPDATE': /for no key update/i,
  'SKIP LOCKED': /skip locked/i,
  lock_timeout: /lock_timeout/,
  'ON CONFLICT': /on conflict/i,
  pg_advisory_xact_lock: /pg_advisory_xact_lock\(/,
  pg_try_advisory_lock: /pg_try_advisory_lock\(/,
  'LISTEN and NOTIFY': /pg_notify\(/,
  'identity columns': /GENERATED ALWAYS AS IDENTITY/,
  'uuidv7()': /DEFAULT uuidv7\(\)/,
  BRIN: /USING brin/,
  'NOT ENFORCED': /NOT ENFORCED/,
  fillfactor: /fillfactor=/,
  'unlogged tables': /CREATE UNLOGGED TABLE/,
  pg_stat_activity: /from pg_stat_activity/,
  'WAL positions': /pg_current_wal_flush_lsn/,
  'REPEATABLE READ': /repeatable read/i,
};
/** What it says that is not used. */
const unused: Record<string, RegExp> = {
  'deferrable constraints': /\b(?<!not )deferrable\b/i,
  'exclusion constraints': /\bEXCLUDE USING\b/i,
  'GIN, GiST and hash indexes': /USING (gin|gist|hash)\b/i,
  inheritance: /\bINHERITS\b/,
  rules: /\bCREATE RULE\b/i,
  'materialized views': /MATERIALIZED VIEW/i,
  'foreign tables': /FOREIGN TABLE/i,
  'large objects': /\blo_(create|import)\b/,
  'two-phase commit': /PREPARE TRANSACTION/i,
  extensions: /CREATE EXTENSION/i,
};

test('what the guide says that our SQL relies on is used, and what it says is not used is not', () => {
  for (const [words, used] of Object.entries(relied)) {
    expect(guide).toContain(words);
    expect([words, used.test(all)]).toEqual([words, true]);
  }
  for (const [words, used] of Object.entries(unused)) {
    expect(guide).toContain(words);
    expect([words, used.test(schema)]).toEqual([words, false]);
  }
});

test('the guide says where the tables of each room live', () => {
  const rooms = new Set([...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)\./gm)].map(([, room = '']) => room));
  expect(rooms.size).toBeGreaterThan(30);
  expect([...rooms].filter((room) => !guide.includes(`\`${room}\``))).toEqual([]);
});
