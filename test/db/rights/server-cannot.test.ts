import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { recordChange } from '#modules/audit';
import { stampInstallation } from '#modules/keys';
import { useDatabase } from '../../support/database.ts';
import { keepBusy } from '../seals/sealed-books.ts';

const database = useDatabase();
const server = openDatabase(database.url, 2, () => {});
beforeAll(async () => {
  const owner = openDatabase(database.ownerUrl, 2, () => {});
  await keepBusy(owner.db);
  await owner.close();
  await recordChange(server.db, { actor: 'operator', action: 'wallet.change', target: 'PW-1' });
  await stampInstallation(server.db, 'sandbox', [fingerprintOf(Buffer.alloc(32, 7))]);
});
afterAll(() => server.close());

const EVIDENCE = ['ledger.entry', 'ledger.transaction', 'outbox.event', 'audit.entry', 'seals.seal'];
/** PostgreSQL: insufficient_privilege. */
const DENIED = '42501';

const statements = [
  ...EVIDENCE.flatMap((table) => [
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table} cascade`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} owner to current_user`,
    `alter table ${table} add column x int`,
    `drop table ${table} cascade`,
    `create rule nothing as on insert to ${table} do instead nothing`,
    `create trigger t before insert on ${table} for each row execute function ledger.refuse_change()`,
    `do $$ begin lock table ${table} in access exclusive mode; end $$`,
  ]),
  'update ledger.entry set amount = amount + 1',
  'update ledger.entry set created_at = now()',
  'insert into ledger.entry select * from ledger.entry limit 1',
  `update ledger.transaction set comment = 'rent'`,
  'update ledger.transaction set status = status',
  'update ledger.transaction set refunded = 0',
  `insert into ledger.transaction (owner_id, namer, reference, type, status, request_hash, amount, currency, created_at)
     values (uuidv7(), 'PARTNER', 'x', 'TRANSFER', 'Successful', '', 1, 'NGN', now())`,
  `select ledger.post('[]', '2026-01-01')`,
  `select ledger.settle_pending(1, null, '2999-01-01')`,
  `select ledger.place_hold(uuidv7(), 'x', '', 1, 1, '2999-01-01', p_now => '2026-01-01')`,
  `select ledger.close_holds('{1}', 'RELEASED', '2999-01-01')`,
  'insert into ledger.deferred_delta (account_id, amount) values (1, 1)',
  'update ledger.account set posted = posted + 1',
  'update ledger.account set suspended = 0',
  'update ledger.account set floor = null',
  'update ledger.account set emits = false',
  `update ledger.account set reference = 'x'`,
  'delete from ledger.account',
  `update ledger.hold set state = 'OPEN'`,
  'delete from ledger.lien',
  'update ledger.spending set spent = 0',
  `insert into outbox.event (receiver_id, event, reference) select id, 'x', 'y' from outbox.receiver limit 1`,
  `update outbox.event set reference = 'x'`,
  'update outbox.event set created_at = now()',
  `update audit.entry set actor = 'nobody'`,
  'update seals.seal set number = 1',
  `update wallets.partner_wallet set nuban = '0000000000'`,
  'update wallets.partner_wallet set account_id = 1',
  'update wallets.partner_wallet set partner_id = uuidv7()',
  'update wallets.partner_wallet set customer_id = uuidv7()',
  `update wallets.partner_wallet set reference = 'x'`,
  'delete from wallets.partner_wallet',
  'update tag_transactions.tag_transaction set amount = 1',
  'update tag_transactions.tag_transaction set fee = 0',
  `update tag_transactions.tag_transaction set receiver_tag = 'x'`,
  'update tag_transactions.tag_transaction set sender_app_id = uuidv7()',
  'update tag_transactions.tag_transaction set expires_at = now()',
  'update terminals.split set amount = 1',
  'update terminals.split set terminal_id = 1',
  'update payments.payment set split_id = null',
  'update webhooks.delivery set event_id = uuidv7()',
  'update webhooks.delivery set receiver_id = uuidv7()',
  `update installation.stamp set environment = 'live'`,
  `update installation.stamp set master_key_fingerprint = ''`,
  'delete from installation.stamp',
  'update data_keys.data_key set wrapped = null',
  `update data_keys.data_key set status = 'DESTROYED'`,
  'delete from data_keys.data_key',
  'delete from webhooks.delivery',
  `update drizzle.__drizzle_migrations set hash = 'x'`,
  'create schema mine',
  'create table public.mine (x int)',
  'create table ledger.mine (x int)',
  'create table bullmq.mine (x int)',
  'create temporary table entry (x int)',
  `create function public.mine() returns int language sql as 'select 1'`,
  `create or replace function ledger.post(p_postings jsonb, p_now timestamptz default null) returns void language sql as 'select 1'`,
  'alter function ledger.post(jsonb, timestamptz) security invoker',
  'create role mine',
  'alter role current_user superuser',
  'set role postgres',
  'set session authorization postgres',
  'set session_replication_role = replica',
  `copy ledger.entry to '/tmp/entries'`,
  `copy ledger.entry from program 'true'`,
  `select pg_read_file('PG_VERSION')`,
];

describe('the role of the server', () => {
  it.each(statements)('cannot %s', async (statement) => {
    await expect(server.pool.query(statement)).rejects.toMatchObject({ code: DENIED });
  });

  it('cannot change what an event said: it may only forget it, and keeps its digest', async () => {
    for (const change of [`body = '{}'`, `body = null`, `body = null, body_digest = ''`, `body_digest = ''`]) {
      await expect(server.pool.query(`update outbox.event set ${change}`)).rejects.toMatchObject({ code: 'PT002' });
    }
    const forget = `body = null, body_digest = sha256(convert_to(body, 'UTF8'))`;
    expect((await server.pool.query(`update outbox.event set ${forget}`)).rowCount).toBeGreaterThan(0);
    await expect(server.pool.query(`update outbox.event set body = '{}'`)).rejects.toMatchObject({ code: 'PT002' });
  });

  it('cannot write an audit entry of another time than now', async () => {
    const entry = (at: string) =>
      server.pool.query(
        `insert into audit.entry (at, actor, action, target) values (${at}, 'operator:root', 'x', 'y') returning at > now() - interval '1 second' as now`,
      );
    const others = [`now() - interval '1 hour'`, `now() + interval '3 days'`, `'2020-01-01'`, `'infinity'`];
    for (const at of others) await expect(entry(at)).rejects.toMatchObject({ code: 'PT002' });
    for (const at of ['default', 'now()', `now() - interval '50 seconds'`, `now() + interval '50 seconds'`]) {
      expect((await entry(at)).rows).toEqual([{ now: true }]);
    }
  });

  it('cannot open an account with money on it', async () => {
    const opened = (more: string) => `insert into ledger.account (kind, reference, currency, floor, ${more})
      values ('WALLET', gen_random_uuid()::text, 'NGN', 0, 5)`;
    for (const amount of ['posted', 'suspended', 'liens', 'version']) {
      await expect(server.pool.query(opened(amount))).rejects.toMatchObject({ code: 'PT002' });
    }
  });

  it.each<[string, Record<string, string>]>([
    ['of ours', { kind: 'CLEARING', floor: 'null' }],
    ['of fees, even with a floor', { kind: 'FEE' }],
    ['that may go below zero', { floor: 'null' }],
    ['whose floor is below zero', { floor: '-1' }],
    ['that no posting locks', { kind: 'FLOAT', lock_mode: `'deferred'`, floor: 'null' }],
    ['that is dated ahead, as its postings would be', { moved_at: `'2999-01-01'` }],
  ])('cannot open an account %s', async (_what, { kind = 'WALLET', floor = '0', ...more }) => {
    const extra = Object.entries(more);
    const statement = `insert into ledger.account (kind, reference, currency, floor${extra.map(([name]) => `, ${name}`).join('')})
      values ('${kind}', gen_random_uuid()::text, 'NGN', ${floor}${extra.map(([, value]) => `, ${value}`).join('')})`;
    await expect(server.pool.query(statement)).rejects.toMatchObject({ code: 'PT002' });
  });

  it('cannot change the rules of an account other than a wallet’s, nor open a closed wallet again', async () => {
    for (const rule of [
      `status = 'Blocked'`,
      'daily_limit = 1',
      'liens = 1',
      `status = 'Blocked', closed_at = now()`,
    ]) {
      const change = server.pool.query(`update ledger.account set ${rule} where kind = 'FLOAT'`);
      await expect(change).rejects.toMatchObject({ code: 'PT002' });
    }
    const wallet = `id = (select max(id) from ledger.account where kind = 'WALLET')`;
    await server.pool.query(`update ledger.account set status = 'Blocked', closed_at = now() where ${wallet}`);
    const reopened = server.pool.query(
      `update ledger.account set status = 'Enabled', closed_at = null where ${wallet}`,
    );
    await expect(reopened).rejects.toMatchObject({ code: 'PT002' });
  });
});

it('the owner can, so that it is the role that keeps the server from it', async () => {
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const able = await (owner as unknown as Pool).query('set session_replication_role = replica').then(() => true);
  await owner.query('delete from audit.entry');
  await owner.end();
  expect(able).toBe(true);
});
