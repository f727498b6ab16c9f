import { describe, expect, it } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { gathered } from '#lib/gathered.ts';
import { preparedText } from '#lib/prepared.ts';
import { createTransact } from '#lib/transact.ts';
import { useDatabase } from '../../support/database.ts';

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
