import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#drizzle';
import { isStoreDown } from '#http/failures.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { onOneConnection, type Tx } from '#lib/postgres/executor.ts';
import { gathered } from '#lib/postgres/gathered-reads.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { createTransact, queryAs, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { SPENT_STATES, useDatabase } from '../../support/database.ts';
import { ownPort } from '../../support/process.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

describe('a connection that is dropped', () => {
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
});

describe('a transaction whose connection is lost', () => {
  const database = useDatabase();
  let proxy: TcpProxy;
  let handle: DatabaseHandle;

  beforeAll(async () => {
    proxy = await startTcpProxy(database.ownerUrl);
    handle = openDatabase(proxy.url, 1, () => {});
    await handle.pool.query('create table note (text text primary key)');
  });

  afterAll(async () => {
    await handle.close();
    await proxy.close();
  });

  let woken = 0;
  const transact: ReturnType<typeof createTransact> = (work) => createTransact(handle.pool, () => void woken++)(work);
  const write = (tx: Tx, text: string) => tx.execute(sql`insert into note values (${text})`);
  const written = async () =>
    (await handle.pool.query('select text from note order by text')).rows.map(({ text }) => text);

  describe('a transaction', () => {
    it('keeps everything, its first statement included, or nothing', async () => {
      await transact((tx) => write(tx, 'kept'));
      const refused = transact(async (tx) => {
        await write(tx, 'first');
        await write(tx, 'second');
        throw new Error('no');
      });
      await expect(refused).rejects.toThrow('no');
      expect(await written()).toEqual(['kept']);
    });

    it('is not reported as kept when a statement failed that its work went on after', async () => {
      const swallowed = transact(async (tx) => {
        await write(tx, 'gone');
        await write(tx, 'kept').catch(() => undefined);
      });
      await expect(swallowed).rejects.toThrow('the transaction was not committed: ROLLBACK');
      expect(await written()).toEqual(['kept']);
    });

    it('wakes the worker after the commit alone', async () => {
      const due = (fails: boolean) =>
        transact(async (tx) => {
          wakeAfterCommit(tx);
          await write(tx, 'due');
          if (fails) throw new Error('no');
        });
      await expect(due(true)).rejects.toThrow('no');
      expect(woken).toBe(0);
      await due(false);
      expect(woken).toBe(1);
    });

    it.each<[string, typeof transact]>([
      ['transact()', transact],
      ['db.transaction()', (work) => handle.db.transaction(work)],
    ])(
      'of %s is refused as the store being away by a connection from before a migration, and not run again there',
      async (way, begin) => {
        const all = preparedText(`test.all-of-note ${way}`, 'select * from note');
        let runs = 0;
        const read = () =>
          begin((tx) => {
            runs += 1;
            return all(tx, []);
          });
        await read();
        await handle.pool.query(`alter table note add column "${way}" timestamptz`);
        await expect(read()).rejects.toSatisfy(isStoreDown);
        expect(runs).toBe(2);
        expect(await read()).not.toEqual([]);
      },
    );

    it('leaves no broken connection to the next one', async () => {
      proxy.loseAnswers(1);
      await expect(transact((tx) => write(tx, 'lost'))).rejects.toThrow(
        /Failed query|Connection terminated|ECONNRESET/,
      );
      await transact((tx) => write(tx, 'next'));
      expect(await written()).toContain('next');
    });
  });
});

describe('gathered calls', () => {
  const database = useDatabase();

  /** Doubles numbers; those below nought have no answer, and 13 is more than PostgreSQL can bear. */
  const doubleAll = preparedText<{ ordinal: number; double: number; pid: number }>(
    'test.double',
    `select asked.ordinal::int, case when n = 13 then n / (n - 13) else 2 * n end as double, pg_backend_pid() as pid
     from unnest($1::int[]) with ordinality asked (n, ordinal) where n >= 0`,
  );

  function counted() {
    const statements: number[] = [];
    const double = gathered<number, { ordinal: number; double: number; pid: number }>((db, asked) => {
      statements.push(asked.length);
      return doubleAll(db, [asked]);
    });
    return { double, statements };
  }

  describe('what is asked at the same moment', () => {
    const numbers = Array.from({ length: 300 }, (_, n) => n + 100);

    it('shares statements, and each has its own answer or none', async () => {
      const handle = openDatabase(database.url, 1, () => undefined);
      const { double, statements } = counted();
      const answers = await Promise.all([...numbers, -1].map((n) => double(handle.db, n)));
      expect(answers.map((one) => one?.double)).toEqual([...numbers.map((n) => 2 * n), undefined]);
      expect(statements).toEqual([128, 128, 45]);
      await handle.close();
    });

    it('fails together, and what is asked after it does not', async () => {
      const handle = openDatabase(database.url, 1, () => undefined);
      const { double } = counted();
      const outcomes = await Promise.allSettled([double(handle.db, 1), double(handle.db, 13)]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect((await double(handle.db, 1))?.double).toBe(2);
      await handle.close();
    });

    it('is asked alone, and inside, in a transaction', async () => {
      const handle = openDatabase(database.url, 1, () => undefined);
      const { double, statements } = counted();
      const transact = createTransact(handle.pool, () => undefined);
      const answers = await transact((tx) => Promise.all([double(tx, 1), double(tx, 2)]));
      expect(answers.map((one) => one?.double)).toEqual([2, 4]);
      expect(new Set(answers.map((one) => one?.pid)).size).toBe(1);
      expect(statements).toEqual([1, 1]);
      await handle.close();
    });
  });
});

describe('a store that is down', () => {
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
});
