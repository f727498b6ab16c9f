import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PERMITTED } from '../../../src/modules/installation/server-role.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const owner = new Client({ connectionString: database.ownerUrl });
beforeAll(() => owner.connect());
afterAll(() => owner.end());

const sql = readFileSync(new URL('../../../migrations/rights.sql', import.meta.url), 'utf8');
/** What migrations/rights.sql decides for each table. */
const decided = Object.fromEntries(
  [...sql.matchAll(/^ {6}\('([\w.]+)', '([^']+)'\)/gm)].map(([, table = '', rights = '']) => [table, rights]),
);

/** The schemas of ours: BullMQ's is its own. */
const OURS = `n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'public', 'bullmq')`;

async function column<T>(query: string): Promise<T[]> {
  const { rows } = await owner.query<{ it: T }>(query);
  return rows.map((row) => row.it);
}

it('what the server may do with a table is decided for every table, and is what the database grants', async () => {
  const { rows } = await owner.query<{ name: string; rights: string[] }>(`
    select n.nspname || '.' || c.relname as name, array(
        select lower(a.privilege_type) from aclexplode(c.relacl) a where a.grantee = 'paytag_server_role'::regrole
        union all
        select lower(a.privilege_type) || ' (' || string_agg(t.attname, ', ' order by t.attnum) || ')'
          from pg_attribute t, aclexplode(t.attacl) a
          where t.attrelid = c.oid and a.grantee = 'paytag_server_role'::regrole group by a.privilege_type) as rights
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and ${OURS}`);
  const sorted = (rights: string): string[] => {
    const parts = rights.match(/\w+( \([^)]*\))?/g) ?? [];
    return parts.map((part) =>
      part.replace(/\(.*\)/, (list) => `(${list.slice(1, -1).split(', ').toSorted().join(', ')})`),
    );
  };
  const granted = rows.map(({ name, rights }) => [name, sorted(rights.join(', ')).toSorted()]);
  const expected = Object.entries(decided).map(([name, rights]) => [name, sorted(rights).toSorted()]);
  expect(rows.length).toBeGreaterThan(40);
  expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(expected));
});

it('a part of a table is read by way of its table alone', async () => {
  const may = `has_table_privilege('paytag_server_role', c.oid, 'select')`;
  const mays = await column<boolean>(`select ${may} as it from pg_class c where c.relkind = 'r' and c.relispartition`);
  expect(mays.length).toBeGreaterThan(8);
  expect(new Set(mays)).toEqual(new Set([false]));
});

it('what live takes from a server’s role is what is granted: no more is refused, and no less', () => {
  const ofRole = Object.entries(PERMITTED).map(([name, { insert, update }]) => {
    const rights = [
      'select',
      ...(insert ? ['insert'] : []),
      ...(update.length > 0 ? [`update (${update.join(', ')})`] : []),
    ];
    return [name, rights.join(', ')];
  });
  const guarded = Object.entries(decided).filter(([name]) => name in PERMITTED);
  expect(Object.fromEntries(ofRole)).toEqual(Object.fromEntries(guarded));
  const keepsAnAmount = /^(audit|integrity|ledger|payments|seals)\.|\.(event|tag_transaction|split|partner_wallet)$/;
  expect(Object.keys(decided).filter((name) => keepsAnAmount.test(name) && !(name in PERMITTED))).toEqual([]);
});

it('nobody but owner and server may do anything', async () => {
  const strangers = await column(`
    select n.nspname || '.' || x.name || ': ' || a.grantee::regrole from pg_namespace n
      join (select relnamespace as space, relname as name, relacl as acl from pg_class
            union all select pronamespace, proname, coalesce(proacl, acldefault('f', proowner)) from pg_proc) x on x.space = n.oid,
      aclexplode(x.acl) a
    where ${OURS} and a.grantee not in ('paytag_server_role'::regrole, n.nspowner)`);
  expect(strangers).toEqual([]);
});

it('only the functions that write for the server have their owner’s rights, and no caller can redirect their names', async () => {
  const { rows } = await owner.query(`
    select n.nspname || '.' || p.proname as name, array_to_string(p.proconfig, ';') as settings
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosecdef and n.nspname not like 'pg\\_%' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    'books.add_up',
    'bullmq.next_job_id',
    'data_keys.count_sealed',
    'ledger.apply_deferred',
    'ledger.authorize',
    'ledger.authorize_all',
    'ledger.capture',
    'ledger.close_holds',
    'ledger.lock_transaction',
    'ledger.make_months',
    'ledger.place_hold',
    'ledger.place_holds',
    'ledger.post',
    'ledger.settle_pending',
    'ledger.void',
    'outbox.emit',
    'outbox.emit_all',
    'outbox.emit_all', // of the rows of the first part, too
    'outbox.emit_to',
    'outbox.make_months',
    'tag_transactions.bring_forward',
    'terminals.bring_forward',
    'webhooks.drop_months',
    'webhooks.forget_deliveries',
    'webhooks.forget_replay',
    'webhooks.make_months',
    'webhooks.note_replay',
  ]);
  for (const { name, settings } of rows) {
    expect(settings).toContain(
      name.startsWith('bullmq') ? 'search_path=bullmq, pg_temp' : 'search_path=pg_catalog, pg_temp',
    );
  }
});

it('the server’s own login can make no role, no database, and is nobody else', async () => {
  const { rows } = await owner.query(`
    select r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolbypassrls, r.rolreplication, r.rolinherit,
      array(select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid)::text[] as groups
    from pg_roles r where r.rolname = 'paytag_server'`);
  const no = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false };
  expect(rows).toEqual([{ ...no, rolinherit: true, groups: ['paytag_server_role'] }]);
});
