import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { ENDED_STATES, SPENT_STATES } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitersFor } from '../support/row-locks.ts';

const server = useApp();
let headers: Record<string, string> = {};
let credit: (reference: string) => ReturnType<typeof server.call>;
const ready = async () => (await server.call('GET', '/health/ready')).statusCode;
const database = () => new URL(server.resources.databaseUrl).pathname.slice(1);

const TABLES = ['ledger.transaction', 'ledger.account'];
/** Has every statement that posts or opens a wallet fail as PostgreSQL does in this state; undefined: none. */
const failWith = (state: string | undefined) =>
  server.owner.query(
    state === undefined
      ? TABLES.map((table) => `drop trigger if exists in_this_state on ${table};`).join('')
      : `create or replace function public.in_this_state() returns trigger language plpgsql as $$
           begin raise exception 'so it is for backend %', pg_backend_pid() using errcode = '${state}'; end $$;
         ${TABLES.map(
           (table) => `create or replace trigger in_this_state before insert on ${table}
             for each statement execute function public.in_this_state();`,
         ).join('')}`,
  );
const openWallet = () =>
  server.call('POST', '/v2/partner/wallet', { headers, payload: { kyc: { firstName: 'Chidi', lastName: 'Okafor' } } });

beforeAll(async () => {
  ({ headers } = await server.newPartner({ float: 1_000 }));
  const { Reference } = (await openWallet()).json<{ Reference: string }>();
  credit = (reference) =>
    server.call('POST', `/v2/partner/wallet/${Reference}/credit`, { headers, payload: { amount: 1, reference } });
});
beforeEach(async () => {
  await failWith(undefined);
  await failReadsWith(undefined);
});

async function refused(state: string): Promise<void> {
  await failWith(state);
  const answer = await credit(`credit-${state}`);
  expect([state, answer.statusCode]).toEqual([state, 503]);
  expect(answer.json()).toMatchObject({ errorCode: 'STORE_UNAVAILABLE' });
  expect(answer.headers['retry-after']).toBe('1');
}

const ofOneStatement = ['25006', '25P02', '40001', '40P01', '57014', ...ENDED_STATES];
/** And what the log says. */
const ofTheDatabase = {
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '58030': 'its files cannot be read or written',
};

describe('money while PostgreSQL fails statements', () => {
  const backendsThatFailed: string[] = [];

  it('by themselves (deadlock, serialisation, a session that is ended) is 503 with Retry-After, and the server is ready', async () => {
    for (const state of ofOneStatement) await refused(state);
    expect(await ready()).toBe(200);
  });

  it('because of its own state (full, without memory) is 503, which readiness is too for some seconds', async () => {
    for (const [state, said] of Object.entries(ofTheDatabase)) {
      await refused(state);
      expect(server.logged).toContain(`the database serves no requests: ${said}`);
      expect(await ready()).toBe(503);
    }
    await failWith(undefined);
    await eventually(async () => expect(await ready()).toBe(200));
  });

  it('ends the connection on which one failed so, of a posting and of a transaction, and another is taken', async () => {
    const states = ['25006', ...SPENT_STATES];
    for (const state of states) {
      await failWith(state);
      for (const ask of [() => credit('dropped'), openWallet]) {
        expect((await ask()).statusCode).toBe(503);
        const [, pid] = [...server.logged.matchAll(/so it is for backend (\d+)/g)].at(-1) ?? [];
        expect(backendsThatFailed).not.toContain(pid);
        backendsThatFailed.push(pid ?? '');
      }
    }
    expect(backendsThatFailed).toHaveLength(2 * states.length);
    const still = `select pid from pg_stat_activity where pid = any ($1)`;
    await eventually(async () => expect((await server.owner.query(still, [backendsThatFailed])).rows).toEqual([]));
  });

  it('is moved once for all of these requests, sent again', async () => {
    for (const state of [...ofOneStatement, ...Object.keys(ofTheDatabase)]) {
      for (const again of [await credit(`credit-${state}`), await credit(`credit-${state}`)]) {
        expect(again.statusCode).toBe(200);
      }
    }
    const { rows } = await server.owner.query(
      `select sum(posted)::int as kobo from ledger.account where kind = 'WALLET' and currency = 'NGN'`,
    );
    expect(rows).toEqual([{ kobo: 100 * (ofOneStatement.length + Object.keys(ofTheDatabase).length) }]);
  });
});

/** Has every read of an account by a request fail as PostgreSQL does in this state; undefined: none. */
const failReadsWith = (state: string | undefined) =>
  server.owner.query(
    state === undefined
      ? 'drop policy if exists in_this_state on ledger.account; alter table ledger.account disable row level security'
      : `create or replace function public.account_in_this_state() returns boolean language plpgsql as $$
           begin raise exception 'so it is for backend %', pg_backend_pid() using errcode = '${state}'; end $$;
         drop policy if exists in_this_state on ledger.account;
         create policy in_this_state on ledger.account using (public.account_in_this_state());
         alter table ledger.account enable row level security`,
  );

describe('a read while PostgreSQL fails statements', () => {
  const float = () => server.call('GET', '/v2/partner/float', { headers });

  it('by themselves, or because of its own state, is 503, and is answered over another connection', async () => {
    const backendsThatFailed: string[] = [];
    for (const state of SPENT_STATES) {
      await failReadsWith(state);
      const answer = await float();
      expect([state, answer.statusCode, answer.json().errorCode]).toEqual([state, 503, 'STORE_UNAVAILABLE']);
      const [, pid = ''] = [...server.logged.matchAll(/so it is for backend (\d+)/g)].at(-1) ?? [];
      expect(backendsThatFailed).not.toContain(pid);
      backendsThatFailed.push(pid);
    }
    await failReadsWith(undefined);
    expect((await float()).statusCode).toBe(200);
    const still = `select pid from pg_stat_activity where pid = any ($1)`;
    await eventually(async () => expect((await server.owner.query(still, [backendsThatFailed])).rows).toEqual([]));
    await eventually(async () => expect(await ready()).toBe(200));
  });
});

const endConnections = () =>
  server.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'paytag'`,
  );

describe('what another session provokes', () => {
  /** The float and the wallet, in the order in which a posting locks them. */
  const accounts = async (): Promise<number[]> => {
    const text = `select id from ledger.account where kind in ('FLOAT', 'WALLET') and currency = 'NGN' order by id`;
    return (await server.owner.query<{ id: string }>(text)).rows.map(({ id }) => Number(id));
  };
  /** A transaction of its own, which waits for ever rather than give up. */
  async function other() {
    const client = await server.owner.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await client.query(`begin; set local deadlock_timeout = '10min'; set local session_replication_role = replica`);
    return {
      lock: (id: number | undefined) =>
        client.query('select from ledger.account where id = $1 for no key update', [id]),
      change: (id: number | undefined) => client.query('update ledger.account set posted = posted where id = $1', [id]),
      waitedFor: () => eventually(async () => expect(await waitersFor(server.owner, rows[0].pid)).toBe(1)),
      async end() {
        await client.query('commit');
        client.release();
      },
    };
  }
  const failedBy = (words: string) => expect(server.logged).toContain(words);

  it('a deadlock of two transactions (40P01) is 503, and what is sent again is done', async () => {
    const [float, wallet] = await accounts();
    const session = await other();
    await session.lock(wallet);
    const answering = credit('in-a-circle');
    await session.waitedFor();
    const closing = session.lock(float);
    expect((await answering).statusCode).toBe(503);
    await closing;
    await session.end();
    failedBy('deadlock detected');
    expect((await credit('in-a-circle')).statusCode).toBe(200);
  });

  it('a serialisation failure (40001), where the database isolates so far, is 503, and what is sent again is done', async () => {
    await server.owner.query(`alter database ${database()} set default_transaction_isolation = 'repeatable read'`);
    await endConnections();
    const [float] = await accounts();
    const session = await other();
    await session.change(float);
    const answering = eventually(async () => {
      const answer = await credit('overtaken');
      failedBy('could not serialize access');
      return answer;
    });
    await session.waitedFor();
    await session.end();
    expect((await answering).statusCode).toBe(503);
    expect((await credit('overtaken')).statusCode).toBe(200);
    await server.owner.query(`alter database ${database()} reset default_transaction_isolation`);
    await endConnections();
  });
});

describe('a database that has become read-only', () => {
  it('is taken by no connection that writes, until it can be written to: 503, readiness too, while reads go on', async () => {
    await server.owner.query(`alter database ${database()} set default_transaction_read_only = on`);
    await endConnections();
    await eventually(async () => expect(await ready()).toBe(503));
    for (const reference of ['first', 'second', 'third']) expect((await credit(reference)).statusCode).toBe(503);
    expect((await server.call('GET', '/v2/partner/float', { headers })).statusCode).toBe(200);
    expect(await ready()).toBe(503);
    expect(server.logged).toContain('the database serves no requests: it is read-only');
    const undo = `begin read write; alter database ${database()} reset default_transaction_read_only; commit`;
    await server.owner.query(undo);
    await eventually(async () => expect(await ready()).toBe(200));
    expect((await credit('first')).statusCode).toBe(200);
  });
});
