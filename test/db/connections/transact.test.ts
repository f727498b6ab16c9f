import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStoreDown } from '#http/store-down.ts';
import { type DatabaseHandle, openDatabase, type Tx } from '#lib/database.ts';
import { preparedText } from '#lib/prepared.ts';
import { createTransact, wakeAfterCommit } from '#lib/transact.ts';
import { useDatabase } from '../../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

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
    await expect(transact((tx) => write(tx, 'lost'))).rejects.toThrow(/Failed query|Connection terminated|ECONNRESET/);
    await transact((tx) => write(tx, 'next'));
    expect(await written()).toContain('next');
  });
});
