import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import pg, { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '#lib/log.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { assertServerRole } from '#modules/keys';
import { migrateDatabase } from '../../../src/migrate.ts';
import { PERMITTED } from '../../../src/modules/keys/server-role.ts';
import { ensureServerLogin } from '../../../src/prepare-database.ts';
import { listed } from '../../support/cases.ts';
import { createEmptyDatabase, useDatabase } from '../../support/database.ts';

describe('rights', () => {
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
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'v', 'm') and ${OURS}`);
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
      'applications.route_application',
      'bank_accounts.link',
      'books.add_up',
      'bullmq.next_job_id',
      'data_keys.count_sealed',
      'inbound_accounts.assign',
      'ledger.apply_deferred',
      'ledger.authorize',
      'ledger.authorize_all',
      'ledger.capture',
      'ledger.close_holds',
      'ledger.lock_transaction',
      'ledger.place_hold',
      'ledger.place_holds',
      'ledger.post',
      'ledger.settle_pending',
      'ledger.void',
      'outbox.emit',
      'outbox.emit_all',
      'outbox.emit_to',
      'outbox.route_receiver',
      'partners.route_partner',
      'tag_transactions.bring_forward',
      'terminals.bring_forward',
      'webhooks.forget_deliveries',
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
    const no = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolreplication: false,
    };
    expect(rows).toEqual([{ ...no, rolinherit: true, groups: ['paytag_server_role'] }]);
  });
});

describe('roles', () => {
  const database = useDatabase();
  const owner = new Client({ connectionString: database.ownerUrl });

  beforeAll(() => owner.connect());

  afterAll(() => owner.end());

  const log = createLog('silent');
  const another = () => `role_${randomUUID().replaceAll('-', '')}`;

  /** What live says of a server's login after the owner did this. */
  async function live(...statements: ((login: string, other: string) => string)[]): Promise<void> {
    const [login, other] = [another(), another()];
    await owner.query(`create role ${login} login password 'x' in role paytag_server_role`);
    await owner.query(`create role ${other}`);
    for (const statement of statements) await owner.query(statement(login, other));
    const handle = openDatabase(
      Object.assign(new URL(database.url), { username: login, password: 'x' }).href,
      1,
      () => {},
    );
    try {
      await assertServerRole(handle.db, 'live', log);
    } finally {
      await handle.close();
    }
  }

  describe('V13.2.2: live takes no login of the server that', () => {
    it.each([
      ['replication', 'may replicate'],
      ['createrole', 'may create roles'],
      ['createdb', 'may create databases'],
      ['bypassrls', 'may bypass row security'],
    ])('has the attribute %s', async (attribute, can) => {
      await expect(live((login) => `alter role ${login} ${attribute}`)).rejects.toThrow(`which ${can}: live needs`);
    });

    it.each(listed`
      pg_execute_server_program | pg_write_server_files | pg_read_server_files | pg_write_all_data | pg_maintain
      pg_create_subscription | pg_signal_backend
    `)('is a member of %s, inherited or not', async (role) => {
      const can = `which may become ${role}: `;
      await expect(live((login) => `grant ${role} to ${login}`)).rejects.toThrow(can);
      await expect(live((login) => `grant ${role} to ${login} with inherit false`)).rejects.toThrow(can);
      const through = live(
        (_, other) => `grant ${role} to ${other}`,
        (login, other) => `grant ${other} to ${login} with inherit false`,
      );
      await expect(through).rejects.toThrow(role);
    });

    it.each([
      ['may change an entry', (other: string) => `grant update on ledger.entry to ${other}`],
      ['may delete from the audit log', (other: string) => `grant delete on audit.entry to ${other}`],
      ['may create in the ledger', (other: string) => `grant create on schema ledger to ${other}`],
      ['is a superuser', (other: string) => `alter role ${other} superuser`],
      ['may create roles', (other: string) => `alter role ${other} createrole`],
    ])('may become one that %s, though it does not inherit', async (_what, given) => {
      const become = live(
        (_login, other) => given(other),
        (login, other) => `grant ${other} to ${login} with inherit false`,
      );
      await expect(become).rejects.toThrow(/which may become role_\w+: live needs/);
    });

    it('may become the owner, though it does not inherit', async () => {
      const become = live(
        (_login, other) => `alter function seals.refuse_out_of_turn() owner to ${other}`,
        (login, other) => `grant ${other} to ${login} with inherit false`,
      );
      await expect(become).rejects.toThrow('which owns tables or functions');
      await owner.query('alter function seals.refuse_out_of_turn() owner to current_user');
    });

    it('owns a function of ours', async () => {
      const owning = live((login) => `alter function ledger.refuse_change() owner to ${login}`);
      await expect(owning).rejects.toThrow('which owns tables or functions');
      await owner.query('alter function ledger.refuse_change() owner to current_user');
    });

    it('may create schemas in the database', async () => {
      const name = new URL(database.url).pathname.slice(1);
      await expect(live((login) => `grant create on database ${name} to ${login}`)).rejects.toThrow(
        'which may create schemas: ',
      );
    });

    it('may turn triggers off', async () => {
      const off = live((login) => `grant set on parameter session_replication_role to ${login}`);
      await expect(off).rejects.toThrow('which may turn triggers off: ');
    });
  });

  it('takes one that has what the server needs, and a role that may do nothing', async () => {
    await expect(live((login, other) => `grant ${other} to ${login}`)).resolves.toBeUndefined();
  });
});

describe('the login of a server', () => {
  let ownerUrl = '';
  let heardUrl = '';
  let heard = '';
  let listener: Server;

  /** Passes the owner's connection on, and keeps what the owner says. */
  beforeAll(async () => {
    ownerUrl = await createEmptyDatabase();
    await migrateDatabase(ownerUrl);
    const goal = new URL(ownerUrl);
    listener = createServer((client) => {
      const server = connect({ host: goal.hostname, port: Number(goal.port) });
      client.on('data', (bytes) => void (heard += bytes.toString('latin1')));
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    heardUrl = Object.assign(new URL(ownerUrl), { host: `127.0.0.1:${(listener.address() as AddressInfo).port}` }).href;
  });

  afterAll(() => void listener.close());

  const urlWith = (login: string, password: string): string =>
    Object.assign(new URL(ownerUrl), { username: login, password: encodeURIComponent(password) }).href;

  async function logIn(url: string): Promise<string> {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return (await client.query('select current_user as name')).rows[0].name;
    } finally {
      await client.end();
    }
  }

  describe('V16.2.5: the password of the server’s login stands in no statement, which a database may log', () => {
    it.each(['a plain one', "it's $quoted\\ and %61", 'pässwört → ключ'])('%s', async (password) => {
      const login = `server_${randomUUID()}`;
      heard = '';
      await ensureServerLogin(heardUrl, urlWith(login, password));
      expect(heard).toContain(`create role "${login}"`);
      expect(heard).not.toContain(Buffer.from(password).toString('latin1'));
      expect(await logIn(urlWith(login, password))).toBe(login);
      await expect(logIn(urlWith(login, `${password}!`))).rejects.toThrow('password authentication failed');

      heard = '';
      await ensureServerLogin(heardUrl, urlWith(login, `${password} anew`));
      expect(heard).toContain(`alter role "${login}"`);
      expect(heard).not.toContain('anew');
      expect(await logIn(urlWith(login, `${password} anew`))).toBe(login);
      await expect(logIn(urlWith(login, password))).rejects.toThrow('password authentication failed');
    });

    it('what is sent in its place is no password', async () => {
      const login = `server_${randomUUID()}`;
      heard = '';
      await ensureServerLogin(heardUrl, urlWith(login, 'the real one'));
      const verifier = /SCRAM-SHA-256\$[^']+/.exec(heard)?.[0] ?? '';
      expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:[\w+/=]+\$[\w+/=]+:[\w+/=]+$/);
      await expect(logIn(urlWith(login, verifier))).rejects.toThrow('password authentication failed');
    });
  });
});
