import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { destroyRetiredKeys, listDataKeys, rekey, rewrapDataKeys, stampInstallation } from '#modules/keys';
import { sealedColumns } from '../../../src/rooms.ts';
import { startApp, type TestApp, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { asOwnerOf, createDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { customerToken, logIn, newCustomer } from '../../support/onboarding.ts';
import { MASTER_KEY } from '../../support/process.ts';
import { sealedColumn } from '../../support/sealed.ts';
import { scrape } from '../../support/served.ts';
import { moveMoney } from '../../support/wallets.ts';

describe('a rekey', () => {
  const server = useApp();
  const other = useApp({}, server);
  const by = { actor: 'operator', reason: 'the yearly rekey' };
  const never = new AbortController().signal;
  /** A little more than a process takes to see that keys have changed. */
  const settleMs = 2500;
  const run = (signal = never) => rekey(asOwnerOf(server), by, { columns: sealedColumns, signal, settleMs });
  const keys = () => listDataKeys(server.resources, sealedColumns);

  /** How many wait for a lock of the connection that a backend works for. Another one asks: within a transaction the answer stays. */
  async function waitingFor(backend: number): Promise<number> {
    const { rows } = await server.owner.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity where $1 = any (pg_blocking_pids(pid))`,
      [backend],
    );
    return rows[0]?.waiting ?? 0;
  }

  it('every column that holds bytes is sealed anew, or known to hold nothing that is sealed', async () => {
    const { rows } = await server.owner.query<{ name: string }>(
      `select format('%s.%s.%s', table_schema, table_name, column_name) as name from information_schema.columns
     where data_type = 'bytea' and table_schema not in ('pg_catalog', 'information_schema', 'bullmq')
       and not (select c.relispartition from pg_class c where c.oid = format('%I.%I', table_schema, table_name)::regclass)`,
    );
    const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    const names = rows.map(({ name }) => name);
    expect(listed.filter((name) => !names.includes(name))).toEqual([]);
    const others = names.filter((name) => !listed.includes(name));
    expect(others.filter((name) => name.endsWith('_sealed'))).toEqual([]);
    const unsealed =
      /(_digest|_index|_hash|\.digest|request\.scope|[._]mac|counter\.key|attempt\.response|closed_portal_link\.id|delivery\.last_response|data_key\.wrapped)$/;
    expect(others.filter((name) => !unsealed.test(name))).toEqual([]);
  });

  it('while two processes work, a rekey seals everything anew, and nothing is lost, locked out or unbalanced', async () => {
    const partner = await server.newPartner({ float: 1000, webhookUrl: 'http://127.0.0.1:9/hooks' });
    const { paytag, bvn } = await newCustomer(server, partner);
    const { client_id, client_secret } = await newApplication(server);
    const token = await customerToken(server, partner, paytag);
    const headers = { ...partner.headers, authorization: `Bearer ${token}` };
    const walletOf = async (at: typeof server) => (await at.call('GET', '/v2/sso/wallet', { headers })).json();
    const { Reference: wallet } = (
      await server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: partner.headers })
    ).json<{ Reference: string }>();
    const once = { ...partner.headers, 'idempotency-key': 'before the rekey' };
    const profile = { headers: once, payload: { kyc: { firstName: 'Ada', lastName: 'Obi' } } };
    const answered = await server.call('POST', '/v2/partner/wallet', profile);
    const statement = await server.call('POST', '/v2/sso/transaction/statement', { headers });
    const link = new URL(statement.json<{ url: string }>().url).pathname;
    const [first] = (await keys()).filter(({ use }) => use === 'SEAL');

    const running = run();
    let moved = 0;
    const state = { isRunning: true };
    void running.finally(() => (state.isRunning = false));
    while (state.isRunning) {
      const at = moved % 2 === 0 ? server : other;
      moved += 1;
      const answer = await moveMoney(at, partner, wallet, 'credit', { amount: 1, reference: `during-${moved}` });
      expect(answer.statusCode).toBe(200);
      expect((await newCustomer(at, partner)).paytag).toBeDefined();
    }
    const rekeyed = await running;
    expect(rekeyed).toMatchObject({ left: 0, unreadable: 0 });
    expect(rekeyed.sealed).toBeGreaterThan(5);
    const seals = (await keys()).filter(({ use }) => use === 'SEAL');
    expect(seals).toMatchObject([
      { id: first?.id, status: 'RETIRED', values: 0 },
      { id: rekeyed.key, status: 'CURRENT' },
    ]);

    for (const at of [server, other]) {
      expect((await walletOf(at)).Balance).toBe(moved);
      expect((await logIn(at, partner, paytag)).statusCode).toBe(200);
      const again = await at.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: partner.headers });
      expect(again.json()).toMatchObject({ Reference: wallet });
      const replayed = await at.call('POST', '/v2/partner/wallet', profile);
      expect([replayed.body, replayed.headers['idempotency-replayed']]).toEqual([answered.body, 'true']);
      expect((await at.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } })).statusCode).toBe(
        200,
      );
      expect((await at.call('GET', link)).statusCode).toBe(200);
    }
    expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
  });

  it('stopped, it goes on with the same key when it is run again', async () => {
    await server.newPartner();
    const stop = new AbortController();
    const stopped = await rekey(asOwnerOf(server), by, {
      columns: sealedColumns,
      signal: stop.signal,
      settleMs,
      progress: () => stop.abort(),
    });
    expect(stopped.left).toBeGreaterThan(0);
    const resumed = await run();
    expect(resumed).toMatchObject({ key: stopped.key, left: 0 });
  });

  it('a value that somebody changes while it is sealed anew keeps their change', async () => {
    const { rows } = await server.owner.query(`select id, email_sealed as sealed from terminals.terminal limit 1`);
    expect(rows).toEqual([]);
    const { id } = await server.newPartner();
    const body = { partnerId: id, serialNumber: 'T-1', email: 'before@terminal.example' };
    expect((await server.operate('POST', '/terminals', body)).statusCode).toBe(201);
    const email = sealedColumn('terminals.terminal.email_sealed');
    const theirs = server.resources.keyring.seal(email, ['T-1', id], 'after@terminal.example');
    const client = await server.owner.connect();
    let running: ReturnType<typeof rekey>;
    try {
      const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await client.query('begin');
      await client.query('update terminals.terminal set email_sealed = $1', [theirs]);
      running = rekey(asOwnerOf(server), by, { columns: sealedColumns, signal: never, settleMs: 0 });
      await eventually(async () => expect(await waitingFor(own[0]?.pid ?? 0)).toBe(1));
      await client.query('commit');
    } finally {
      client.release(true); // a transaction left open would keep the rekey, and every vacuum of the server, waiting
    }
    expect(await running).toMatchObject({ left: 0 });
    const after = await server.owner.query(`select email_sealed as sealed from terminals.terminal`);
    expect(server.resources.keyring.open(email, ['T-1', id], after.rows[0].sealed)).toBe('after@terminal.example');
  });

  it('a retired key is destroyed when no link in a mail is good that it signed, a day later, and nothing is sealed with it', async () => {
    const destroy = () => destroyRetiredKeys(asOwnerOf(server), by, sealedColumns);
    const retired = (await keys()).filter(({ status }) => status === 'RETIRED').map(({ id }) => id);
    expect(retired.length).toBeGreaterThan(1);
    expect((await destroy()).destroyed).toEqual([]);
    server.clock.advance(24 * 60 * 60 * 1000);
    expect((await destroy()).destroyed).toEqual([]);
    server.clock.advance(60 * 60 * 1000);
    expect(await destroy()).toEqual({ destroyed: retired, kept: [] });
    const { rows } = await server.owner.query(`select id from data_keys.data_key where wrapped is null order by id`);
    expect(rows.map(({ id }) => id)).toEqual(retired);
    const partner = await server.newPartner();
    expect((await newCustomer(server, partner)).paytag).toBeDefined();
  });

  it('a value that opens with none of our keys keeps no new key from being made', async () => {
    const foreign = Buffer.concat([Buffer.from([3, 0, 0, 0, 1]), Buffer.alloc(40, 7)]);
    await server.owner.query('update terminals.terminal set email_sealed = $1', [foreign]);
    const rekeys = [await run(), await run()];
    expect(rekeys).toMatchObject([
      { left: 1, unreadable: 1 },
      { left: 1, unreadable: 1 },
    ]);
    expect(new Set(rekeys.map(({ key }) => key)).size).toBe(2);
    const { rows } = await server.owner.query('select email_sealed as sealed from terminals.terminal');
    expect(rows).toEqual([{ sealed: foreign }]);
  }, 60_000);

  it('who asked for it, and why, is in the audit log, and no key', async () => {
    const { rows } = await server.owner.query(
      `select action, actor, reason, after from audit.entry where target = 'data-keys'`,
    );
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['keys.rekey', 'keys.destroy']));
    for (const { actor, reason } of rows) expect({ actor, reason }).toEqual(by);
    expect(JSON.stringify(rows)).not.toContain('wrapped');
  });

  it('what each key has sealed is counted, by all processes together, and the count shows the key that seals now', async () => {
    const sealedBy = async () =>
      (await keys()).find(({ use, status }) => use === 'SEAL' && status === 'CURRENT')?.sealed ?? -1;
    const countAll = async () => {
      await server.resources.dataKeys.count();
      await other.resources.dataKeys.count();
    };
    await countAll();
    const before = await sealedBy();
    const partner = await server.newPartner();
    await newCustomer(server, partner);
    await newCustomer(other, partner);
    await countAll();
    const counted = await sealedBy();
    expect(counted).toBeGreaterThan(before + 10);
    await countAll();
    expect(await sealedBy()).toBe(counted);
    await server.resources.dataKeys.refresh();
    expect(await scrape(server)).toContain(`paytag_data_key_sealed ${counted}\n`);
  });
});

describe('the root key', () => {
  const OTHER = 'a3'.repeat(31).concat('0f');
  const by = { actor: 'operator', reason: 'who had it has left' };
  const FOREIGN = /^MASTER_KEY is not the key this database was sealed with/;
  type Running = Awaited<ReturnType<typeof startApp>>;

  /** Works with a server on this database, given these root keys. */
  async function withServer<T>(
    url: string,
    env: Record<string, string>,
    work: (server: TestApp) => Promise<T>,
  ): Promise<T> {
    const server: Running = await startApp(url, env);
    try {
      const { db, roots } = server.resources;
      await stampInstallation(db, 'sandbox', [roots[0].id, ...roots.map(({ id }) => id)]);
      return await work(server);
    } finally {
      await server.close();
    }
  }
  const started = (url: string, env: Record<string, string>) => withServer(url, env, async () => 'started');

  describe('MASTER_KEY', () => {
    it('changes step by step: with both, rewrap, with the new one alone; what was sealed opens all the time', async () => {
      const url = await createDatabase();
      const both = { MASTER_KEY: OTHER, MASTER_KEY_PREVIOUS: MASTER_KEY };
      const { partner, customer } = await withServer(url, {}, async (server) => {
        const made = await server.newPartner();
        return { partner: made, customer: await newCustomer(server, made) };
      });
      const find = async (server: TestApp) =>
        (await server.call('POST', `/v2/partner/paytag/bvn/${customer.bvn}`, { headers: partner.headers })).statusCode;
      await expect(started(url, { MASTER_KEY: OTHER })).rejects.toThrow(
        /^MASTER_KEY is not the key this database was sealed with/,
      );
      expect(await withServer(url, both, find)).toBe(200);
      expect(await withServer(url, {}, find)).toBe(200);
      const rewrapped = await withServer(url, both, (server) => rewrapDataKeys(asOwnerOf(server), by));
      expect(rewrapped).toEqual({ keys: 4, rootKey: fingerprintOf(Buffer.from(OTHER, 'hex')) });
      expect(await withServer(url, { MASTER_KEY: OTHER }, find)).toBe(200);
      await expect(started(url, {})).rejects.toThrow(FOREIGN);
    });

    it('that is right does not help when a stored key was changed, or given the place of another', async () => {
      const url = await createDatabase();
      await withServer(url, {}, (server) =>
        server.owner.query(
          `update data_keys.data_key set wrapped = (select wrapped from data_keys.data_key where id = 2) where id = 1`,
        ),
      );
      await expect(started(url, {})).rejects.toThrow(
        /^the key 1 in data_keys.data_key does not open with its root key/,
      );
    });
  });
});
