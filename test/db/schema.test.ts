import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { stampInstallation } from '#modules/keys';
import { readFunctions } from '../../src/schema/apply.ts';
import { MIGRATIONS_FOLDER } from '../../src/schema/migrations.ts';
import { queryAs, useDatabase } from '../support/database.ts';
import { DUMP, dumpSchema } from './schema/dump-schema.ts';

const database = useDatabase();

it('migrations/schema.sql has the tables of a migrated database', async () => {
  expect(await dumpSchema(database.url), 'run npm run db:dump').toBe(await readFile(DUMP, 'utf8'));
});

it('its functions and triggers are those of migrations/functions', async () => {
  const made = await queryAs<{ name: string; body: string; triggers: string[] }>(
    database.url,
    `select n.nspname || '/' || p.proname as name, p.prosrc as body,
            array(select t.tgname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
                   where t.tgfoid = p.oid and not t.tgisinternal and not c.relispartition) as triggers
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname !~ '^pg_' and n.nspname not in ('bullmq', 'information_schema')`,
  );
  const files = await readFunctions(MIGRATIONS_FOLDER);
  expect(made.map(({ name }) => name).toSorted()).toEqual(files.map(({ name }) => name));
  const textOf = (name: string) => files.find((file) => file.name === name)?.text ?? '';
  const differs = made.filter(({ name, body, triggers }) =>
    [body, ...triggers.map((trigger) => `trigger ${trigger} `)].some((part) => !textOf(name).includes(part)),
  );
  expect(differs).toEqual([]);
});

/** Those whose null is meant, and why. */
const NONE_IS_MEANT: Readonly<Record<string, string>> = {
  'claims.claim claim_owner_confirmed_by': 'the owner has not confirmed it',
  'ledger.account account_floor': 'no floor, of which it speaks',
  'payouts.payout payout_contradiction': 'nothing contradicts it',
  'reconciliation.item item_equal': 'item_sides asks for both amounts where they must be equal',
  'wallets.partner_wallet wallet_status_before_freeze': 'it is not frozen',
};

interface Check {
  name: string;
  says: string;
  /** The columns that it reads and that may be null. */
  nullable: string[];
}

/** What of a check is never null, whatever its columns are. */
const certain = (says: string, column: string) =>
  says
    .replaceAll(new RegExp(`(?<!\\w)"?${column}"? IS (?:NOT )?NULL`, 'g'), '')
    .replaceAll(/num_(?:non)?nulls\([^()]*\)/g, '')
    .replaceAll(/COALESCE\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/g, '');

it('a check that reads a column which may be null says what it makes of none', async () => {
  const checks = await queryAs<Check>(
    database.url,
    `select n.nspname || '.' || t.relname || ' ' || c.conname as name, pg_get_constraintdef(c.oid) as says,
            array_agg(a.attname::text order by a.attnum) as nullable
       from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
       join pg_attribute a on a.attrelid = t.oid and a.attnum = any(c.conkey) and not a.attnotnull
       where c.contype = 'c' and c.conparentid = 0 and not t.relispartition and n.nspname not in ('bullmq', 'pg_catalog', 'information_schema')
       group by 1, 2, c.oid order by 1`,
  );
  expect(checks.length).toBeGreaterThan(30);
  const passes = ({ says, nullable }: Check) =>
    nullable.some((column) => new RegExp(`\\b${column}\\b`).test(certain(says, column)));
  expect(checks.filter(passes).map(({ name }) => name)).toEqual(Object.keys(NONE_IS_MEANT));
});

const { url } = useDatabase();
const ours = [fingerprintOf(Buffer.alloc(32, 1))] as const;
let handle: DatabaseHandle;

beforeAll(async () => {
  handle = openDatabase(url, 2, () => {});
  await stampInstallation(handle.db, 'sandbox', ours);
});

afterAll(() => handle.close());

it('lets the same environment and key in again', async () => {
  await expect(stampInstallation(handle.db, 'sandbox', ours)).resolves.toBeUndefined();
});

it('refuses another environment, in one line', async () => {
  await expect(stampInstallation(handle.db, 'live', ours)).rejects.toThrow(
    /^ENVIRONMENT is live, but this database is the sandbox one[^\n]*$/,
  );
});

it('refuses another master key', async () => {
  const other = [fingerprintOf(Buffer.alloc(32, 2))] as const;
  await expect(stampInstallation(handle.db, 'sandbox', other)).rejects.toThrow(/^MASTER_KEY is not the key/);
});
