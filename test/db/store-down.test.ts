import { afterAll, describe, expect, it } from 'vitest';
import { sql } from '#drizzle';
import { isStoreDown } from '#http/store-down.ts';
import { type DatabaseHandle, openDatabase, type Tx } from '#lib/database.ts';
import { useDatabase } from '../support/database.ts';
import { ownPort } from '../support/port.ts';

const database = useDatabase();
const opened: DatabaseHandle[] = [];
const open = (url: string, answerTimeoutMs?: number) => {
  const handle = openDatabase(url, 2, () => undefined, answerTimeoutMs === undefined ? {} : { answerTimeoutMs });
  opened.push(handle);
  return handle;
};
afterAll(() => Promise.all(opened.map((handle) => handle.close())));

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const inTransaction = (work: (tx: Tx) => Promise<unknown>) => thrownBy(open(database.url).db.transaction(work));
const exceeding = async (timeout: string) => {
  const client = await open(database.url).pool.connect();
  await client.query(`set ${timeout} = 20`);
  await client.query('begin');
  const error = await thrownBy(client.query('select pg_sleep(60)'));
  client.release(true);
  return error;
};

describe('the database did not do it, and the request may be sent again', () => {
  it.each(['statement_timeout', 'transaction_timeout'])('when a %s is exceeded', async (timeout) => {
    expect(isStoreDown(await exceeding(timeout))).toBe(true);
  });

  it('when the connection is ended, whatever the transaction tries next', async () => {
    const errors: unknown[] = [];
    const last = await inTransaction(async (tx) => {
      errors.push(await thrownBy(tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)));
      errors.push(await thrownBy(tx.execute(sql`select 1`)));
    });
    expect([...errors, last].map(isStoreDown)).toEqual([true, true, true]);
  });

  it('when it does not answer in time', async () => {
    expect(isStoreDown(await thrownBy(open(database.url, 100).pool.query('select pg_sleep(1)')))).toBe(true);
  });

  it('when nobody listens at its address', async () => {
    const url = new URL(database.url);
    url.port = String(await ownPort());
    expect(isStoreDown(await thrownBy(open(url.href).pool.query('select 1')))).toBe(true);
  });

  it('when the pool is closing', async () => {
    const closed = openDatabase(database.url, 2, () => undefined);
    await closed.close();
    expect(isStoreDown(await thrownBy(closed.pool.query('select 1')))).toBe(true);
  });
});

describe('it was there, and said no', () => {
  it.each(['select 1/0', 'select nothing', 'insert into audit.nothing values (1)'])('to %s', async (statement) => {
    const error = await inTransaction((tx) => tx.execute(sql.raw(statement)));
    expect(error).toBeInstanceOf(Error);
    expect(isStoreDown(error)).toBe(false);
  });
});
