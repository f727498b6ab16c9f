import { setImmediate as nextTurn } from 'node:timers/promises';
import { connectionsOf, type Executor } from './executor.ts';

/** Statements under way at once. What is asked meanwhile is gathered for the next. */
const STATEMENTS_MAX = 2;
/** The most that one statement answers. */
const BATCH_MAX = 128;

/** An answer of a gathered statement. */
interface Answer {
  /** Which of those that were asked for it answers, from 1. */
  ordinal: number;
}

interface Waiting<Asked, Row> {
  asked: Asked;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * One statement for all who ask the same of the database at the same moment, each for a row of their own. Nothing is kept:
 * what is asked is asked of the database every time. In a transaction each is asked alone.
 *
 * @param ask a statement that takes many, and answers at most one row for each, with its ordinal
 */
export function gathered<Asked, Row extends Answer>(
  ask: (on: Executor, asked: readonly Asked[]) => Promise<Row[]>,
): (on: Executor, asked: Asked) => Promise<Row | undefined> {
  const gatherers = new WeakMap<Executor, (asked: Asked) => Promise<Row | undefined>>();
  return async (on, asked) => {
    if (connectionsOf(on) === undefined) return (await ask(on, [asked]))[0];
    let gatherer = gatherers.get(on);
    if (gatherer === undefined) gatherers.set(on, (gatherer = createGatherer((many) => ask(on, many))));
    return gatherer(asked);
  };
}

/** Of what a statement found, the row of each who asked. Several may have asked for the same one. */
export const placed = <Asked, Row extends object>(
  asked: readonly Asked[],
  find: (one: Asked) => Row | undefined,
): (Row & Answer)[] =>
  asked.flatMap((one, place) => {
    const row = find(one);
    return row === undefined ? [] : [{ ...row, ordinal: place + 1 }];
  });

function createGatherer<Asked, Row extends Answer>(
  ask: (asked: readonly Asked[]) => Promise<Row[]>,
): (asked: Asked) => Promise<Row | undefined> {
  let waiting: Waiting<Asked, Row>[] = [];
  let underWay = 0;
  let isGathering = false;

  async function answer(batch: readonly Waiting<Asked, Row>[]): Promise<void> {
    underWay += 1;
    try {
      const rows = await ask(batch.map(({ asked }) => asked));
      const answers = new Map(rows.map((row) => [row.ordinal, row]));
      for (const [place, { resolve }] of batch.entries()) resolve(answers.get(place + 1));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay -= 1;
    pump();
  }

  function pump(): void {
    while (underWay < STATEMENTS_MAX && waiting.length > 0) void answer(waiting.splice(0, BATCH_MAX));
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (isGathering) return;
      isGathering = true;
      // After what else came in this turn of the event loop.
      setImmediate(() => {
        isGathering = false;
        pump();
      });
    });
}

/** A reading that several wait for. */
interface Shared<Result> {
  readonly result: Promise<Result>;
  /** When the next of them goes on. */
  turn: Promise<unknown>;
}

/**
 * One reading of a thing at a time. Who asks while it runs gets what the next one brings, which is one for all of them: so every
 * answer is read after it was asked for, and nothing is kept. They go on one in each turn of the event loop, so that what each does
 * with it keeps nobody else waiting.
 */
export function createJoinedReads<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  interface Running {
    readonly settled: Promise<void>;
    next?: Shared<Result>;
  }
  const running = new Map<string, Running>();

  async function begin(key: string): Promise<Result> {
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    const current: Running = { settled };
    running.set(key, current);
    try {
      return await read(key);
    } finally {
      if (current.next === undefined) running.delete(key);
      settle();
    }
  }

  function share(result: Promise<Result>): Shared<Result> {
    return { result, turn: result.catch(() => undefined) };
  }

  return async (key) => {
    const current = running.get(key);
    if (current === undefined) return begin(key);
    current.next ??= share(current.settled.then(async () => begin(key)));
    const { next } = current;
    const mine = next.turn;
    next.turn = mine.then(async () => nextTurn());
    await mine;
    return next.result;
  };
}
