import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { SPENT_STATES, useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const one = preparedText<{ n: number; pid: number }>('test.one', 'select $1::int as n, pg_backend_pid() as pid');
const slow = preparedText<{ slept: string }>('test.slow', 'select pg_sleep($1)::text as slept');
const wrong = preparedText('test.wrong', 'select 1 / $1::int as n');
const fails = preparedText('test.fails', 'select pg_backend_pid() as pid, so_it_is($1)');
const ends = preparedText('test.ends', 'select pg_terminate_backend(pg_backend_pid()), pg_sleep($1)');
const json = preparedText<{ told: unknown }>('test.json', 'select $1::json as told');
const writes = preparedText(
  'test.writes',
  `select set_config('test.written', $1, false), nextval('wallets.nuban_serial')`,
);

const database = useDatabase();
let proxy: TcpProxy;
let handle: DatabaseHandle;
const broken: Error[] = [];
beforeAll(async () => {
  proxy = await startTcpProxy(database.ownerUrl);
  handle = openDatabase(proxy.url, 2, (error) => void broken.push(error));
  await handle.pool.query(
    `create function so_it_is(state text) returns int language plpgsql as $$
       begin raise exception 'so it is for backend %', pg_backend_pid() using errcode = state; end $$`,
  );
});
afterAll(async () => {
  await handle.close();
  await proxy.close();
});
const ask = (n: number) => one(handle.db, [n]);
const numbers = Array.from({ length: 200 }, (_, n) => n);

describe('reads outside a transaction', () => {
  it('share two connections, however many come at once, and each has its own answer', async () => {
    const answers = await Promise.all(numbers.map(ask));
    expect(answers.map(([row]) => row?.n)).toEqual(numbers);
    expect(new Set(answers.map(([row]) => row?.pid)).size).toBe(2);
  });

  it('go round one that is slow', async () => {
    let isAnswered = false;
    const sleeping = slow(handle.db, [3]).then(() => void (isAnswered = true));
    const since = performance.now();
    while (performance.now() - since < 100) await ask(0); // until it shows that it is slow
    expect((await Promise.all(numbers.map(ask))).map(([row]) => row?.n)).toEqual(numbers);
    expect(isAnswered).toBe(false);
    await sleeping;
  });

  it('go round two that are slow, over a connection more', async () => {
    let isSlowAnswered = false;
    let isGoneRound = false;
    const sleeping = [3, 3].map((seconds) => slow(handle.db, [seconds]).then(() => void (isSlowAnswered = true)));
    const asked: Promise<void>[] = [];
    await eventually(() => {
      asked.push(ask(1).then(() => void (isGoneRound ||= !isSlowAnswered)));
      expect(isGoneRound).toBe(true);
    });
    await Promise.all(asked);
    await Promise.all(sleeping);
  });

  it('fail alone when PostgreSQL refuses one', async () => {
    const outcomes = await Promise.allSettled([ask(1), wrong(handle.db, [0]), ask(2), wrong(handle.db, [1])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it.each(SPENT_STATES)(
    'leave the connection on which one fails by %s, and those that were asked there are answered',
    async (state) => {
      const outcomes = await Promise.allSettled([...numbers.map(ask), fails(handle.db, [state]), ...numbers.map(ask)]);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refused).toMatchObject([{ code: state }]);
      const [, pid] = /for backend (\d+)/.exec(String(refused[0])) ?? [];
      for (let turn = 0; turn < 2; turn += 1) {
        const answers = await Promise.all(numbers.map(ask));
        expect(answers.map(([row]) => row?.n)).toEqual(numbers);
        expect(answers.map(([row]) => String(row?.pid))).not.toContain(pid);
      }
      const still = `select pid from pg_stat_activity where pid = $1`;
      await eventually(async () => expect((await handle.pool.query(still, [pid])).rows).toEqual([]));
      expect(broken).toEqual([]);
    },
  );

  it.each(['25006', '25P02', '57014'])('keep the connection on which one fails by %s', async (state) => {
    const refused: unknown = await fails(handle.db, [state]).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: state });
    const [, pid] = /for backend (\d+)/.exec(String(refused)) ?? [];
    const answers = await Promise.all(numbers.map(ask));
    expect(answers.map(([row]) => String(row?.pid))).toContain(pid);
  });

  it('fail alone when a value cannot be sent', async () => {
    const unfit = { toJSON: () => JSON.parse('{') as string };
    const outcomes = await Promise.allSettled([ask(1), json(handle.db, [unfit]), ask(2), json(handle.db, [unfit])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(await Promise.all(numbers.map((n) => json(handle.db, [{ n }])))).toEqual(
      numbers.map((n) => [{ told: { n } }]),
    );
  });

  it('can change nothing', async () => {
    await expect(writes(handle.db, ['yes'])).rejects.toThrow(/read-only transaction/);
  });

  it('are refused as busy, and not kept waiting without a bound', async () => {
    const sent = await Promise.allSettled(Array.from({ length: 4_100 }, (_, n) => ask(n)));
    const refused = sent.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(100);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    expect(await ask(7)).toMatchObject([{ n: 7 }]);
  });
});

describe('when their connections break', () => {
  it('what was asked is asked again, and answered', async () => {
    await Promise.all([ask(1), ask(2)]);
    proxy.loseAnswers(1);
    expect((await Promise.all(numbers.map(ask))).map(([row]) => row?.n)).toEqual(numbers);
    proxy.loseRequests(1);
    expect((await Promise.all(numbers.map(ask))).map(([row]) => row?.n)).toEqual(numbers);
  });

  it('because PostgreSQL ends a session, what was asked behind the read that is told so is answered', async () => {
    const [ended, ...answers] = await Promise.allSettled([ends(handle.db, [5]), ...numbers.map(ask)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: '57P01' } });
    expect(answers).toMatchObject(numbers.map((n) => ({ status: 'fulfilled', value: [{ n }] })));
  });

  it('for good, each fails as the store being down, and is answered again once it is back', async () => {
    proxy.goAway();
    const outcomes = await Promise.allSettled(numbers.map(ask));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected' });
    expect(proxy.turnedAway).toBeLessThan(10);
    proxy.restore();
    expect(await eventually(() => ask(5))).toMatchObject([{ n: 5 }]);
  });

  it('the log is told', () => {
    expect(broken.length).toBeGreaterThan(0);
  });
});

describe('a prepared statement', () => {
  it('goes on being answered when a migration has changed what it answers', async () => {
    const noted = preparedText<{ n: unknown }>('test.noted', 'select * from noted');
    await handle.pool.query('create table noted (n int); insert into noted values (7)');
    for (let n = 0; n < 20; n++) expect(await noted(handle.db, [])).toEqual([{ n: 7 }]);
    await handle.pool.query('alter table noted alter n type text');
    expect(await Promise.all(numbers.map(() => noted(handle.db, [])))).toEqual(numbers.map(() => [{ n: '7' }]));
    expect(broken.filter(({ message }) => message.includes('cached plan'))).toEqual([]);
  });

  it('runs inside the transaction that it is given', async () => {
    const inside = await handle.db.transaction(async (tx) => [
      ...(await one(tx, [1])),
      ...(await one(tx, [2])),
      ...(await tx.execute<{ pid: number }>('select pg_backend_pid() as pid')).rows,
    ]);
    expect(new Set(inside.map(({ pid }) => pid)).size).toBe(1);
  });

  it('has a name of its own, all of which PostgreSQL keeps', () => {
    expect(() => preparedText('test.one', 'select 2')).toThrow('two prepared statements are called test.one');
    expect(() => preparedText('é'.repeat(32), 'select 2')).toThrow('too long');
  });
});
