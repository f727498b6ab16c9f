import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { queryAs } from '#lib/marked-commit.ts';
import { onOneConnection } from '#lib/one-connection.ts';
import { createTransact } from '#lib/transact.ts';
import { useDatabase } from '../../support/database.ts';
import { SPENT_STATES } from '../../support/spent-states.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const database = useDatabase();
let proxy: TcpProxy;
let handle: DatabaseHandle;
beforeAll(async () => {
  proxy = await startTcpProxy(database.url);
});
afterAll(() => proxy.close());
beforeEach(() => {
  handle = openDatabase(proxy.url, 1, () => undefined);
});
afterEach(() => handle.close());

/** One statement, which fails by this SQLSTATE. */
const failing = (state: string) => `do $$ begin raise exception 'so it is' using errcode = '${state}'; end $$`;
const pidOf = async (): Promise<number> => (await handle.pool.query('select pg_backend_pid() as pid')).rows[0].pid;

/** Whether the statement is said to have failed, or whoever went on after it that the connection is ended. */
const failed = /so it is|Failed query|not committed|not queryable|Connection terminated/;

/** The ways in which a statement that may write reaches PostgreSQL. */
const ways: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'a statement by itself': (text) => handle.db.execute(sql.raw(text)),
  'a statement that says what has committed': (text) => queryAs(handle.pool, [], { text }),
  'transact()': (text) => createTransact(handle.pool, () => undefined)((tx) => tx.execute(sql.raw(text))),
  'transact(), whose work goes on': (text) =>
    createTransact(handle.pool, () => undefined)((tx) => tx.execute(sql.raw(text)).catch(() => undefined)),
  'db.transaction()': (text) => handle.db.transaction((tx) => tx.execute(sql.raw(text))),
};

describe.each(Object.keys(ways))('the connection of %s', (way) => {
  it.each(['25006', ...SPENT_STATES])('is not used again after %s', async (state) => {
    const before = await pidOf();
    await expect(ways[way]?.(failing(state))).rejects.toThrow(failed);
    expect(await pidOf()).not.toBe(before);
  });
});

describe('a transaction', () => {
  const refused = 'P0001';
  const cancelled = '57014';

  describe.each(['transact()', 'db.transaction()'])('keeps the connection of %s', (way) => {
    it.each([refused, cancelled])('when a statement fails by %s', async (state) => {
      const before = await pidOf();
      await expect(ways[way]?.(failing(state))).rejects.toThrow(failed);
      expect(await pidOf()).toBe(before);
    });
  });

  it('keeps its connection when a rule refuses it, and so what was sent right behind (25P02)', async () => {
    const before = await pidOf();
    const transact = createTransact(handle.pool, () => undefined);
    const codes: unknown[] = [];
    const answer = transact(async (tx) => {
      const answers = await Promise.allSettled(
        [failing(refused), 'select 1'].map(async (text) => tx.execute(sql.raw(text))),
      );
      codes.push(...answers.map((one) => one.status === 'rejected' && one.reason.cause.code));
    });
    await expect(answer).rejects.toThrow(failed);
    expect(codes).toEqual([refused, '25P02']);
    expect(await pidOf()).toBe(before);
  });

  it('takes no connection from the pool for good when it could not begin', async () => {
    await pidOf();
    proxy.loseAnswers(1);
    await expect(handle.db.transaction(() => Promise.resolve())).rejects.toThrow(failed);
    expect(await pidOf()).toBeGreaterThan(0);
  });
});

it('the connection of long reads is not used again after one of them failed so', async () => {
  const read = (text: string) =>
    onOneConnection(handle.longReads, async (db) => (await db.execute<{ pid: number }>(sql.raw(text))).rows[0]?.pid);
  const before = await read('select pg_backend_pid() as pid');
  await expect(read(failing('53200'))).rejects.toThrow(failed);
  expect(await read('select pg_backend_pid() as pid')).not.toBe(before);
});
