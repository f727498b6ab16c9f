import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const server = useApp();
let headers: Record<string, string> = {};
let credit: (reference: string) => ReturnType<typeof server.call>;
const ready = async () => (await server.call('GET', '/health/ready')).statusCode;
const database = () => new URL(server.resources.databaseUrl).pathname.slice(1);

/** Has every statement that posts fail as PostgreSQL does in this state; undefined: none. */
const failWith = (state: string | undefined) =>
  server.owner.query(
    state === undefined
      ? 'drop trigger if exists in_this_state on ledger.transaction'
      : `create or replace function public.in_this_state() returns trigger language plpgsql as $$
           begin raise exception 'so it is' using errcode = '${state}'; end $$;
         create or replace trigger in_this_state before insert on ledger.transaction
           for each statement execute function public.in_this_state()`,
  );

beforeAll(async () => {
  ({ headers } = await server.newPartner({ float: 1_000 }));
  const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
  const opened = await server.call('POST', '/v2/partner/wallet', { headers, payload: { kyc } });
  const { Reference } = opened.json<{ Reference: string }>();
  credit = (reference) =>
    server.call('POST', `/v2/partner/wallet/${Reference}/credit`, { headers, payload: { amount: 1, reference } });
});
beforeEach(() => failWith(undefined));

async function refused(state: string): Promise<void> {
  await failWith(state);
  const answer = await credit(`credit-${state}`);
  expect([state, answer.statusCode]).toEqual([state, 503]);
  expect(answer.json()).toMatchObject({ errorCode: 'STORE_UNAVAILABLE' });
  expect(answer.headers['retry-after']).toBe('1');
}

const ofOneStatement = ['25006', '25P02', '25P03', '40001', '40P01', '57P01', '57P02', '57P03'];
/** And what the log says. */
const ofTheDatabase = {
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '58030': 'its files cannot be read or written',
};

describe('money while PostgreSQL fails statements', () => {
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

describe('a database that has become read-only', () => {
  const endConnections = () =>
    server.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'paytag'`,
    );

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
