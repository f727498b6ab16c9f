import { connectionsOf, type Executor } from './executor.ts';

/** Most reads under way. Later ones are batched for the next. */
const READS_MAX = 2;
/** The most that one read answers. */
const BATCH_MAX = 128;

/**
 * One statement for all who ask the same of the database at the same moment, each for a row of their own. In a transaction each is
 * asked alone.
 *
 * @param ask a statement that takes many, and answers at most one row for each, with its ordinal
 */
export function gathered<Asked, Row extends Placed>(
  ask: (on: Executor, asked: readonly Asked[]) => Promise<Row[]>,
): (on: Executor, asked: Asked) => Promise<Row | undefined> {
  const gatherers = new WeakMap<Executor, (asked: Asked) => Promise<Row | undefined>>();
  return async (on, asked) => {
    if (connectionsOf(on) === undefined) return (await ask(on, [asked]))[0];
    let one = gatherers.get(on);
    if (one === undefined) gatherers.set(on, (one = gather(async (many) => inPlace(many.length, await ask(on, many)))));
    return one(asked);
  };
}

interface Placed {
  /** Which of those that were asked for it answers, from 1. */
  ordinal: number;
}

function inPlace<Row extends Placed>(count: number, rows: readonly Row[]): (Row | undefined)[] {
  const answers = Array.from<Row | undefined>({ length: count });
  for (const row of rows) answers[row.ordinal - 1] = row;
  return answers;
}

/** Of what a statement found, the row of each who asked. Several may have asked for the same one. */
export const placed = <Asked, Row extends object>(
  asked: readonly Asked[],
  find: (one: Asked) => Row | undefined,
): (Row & Placed)[] =>
  asked.flatMap((one, place) => {
    const row = find(one);
    return row === undefined ? [] : [{ ...row, ordinal: place + 1 }];
  });

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * One read for all who ask in one turn of the event loop; while as many as may be are under way, for all who ask meanwhile. Nothing
 * is kept: every answer is read after it was asked for. A read that fails, fails for those whom it was made for.
 *
 * @param readAll answers everything that was asked, in the same order
 */
export function gather<Asked, Answer>(
  readAll: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
  readsMax: number = READS_MAX,
): (asked: Asked) => Promise<Answer> {
  const waiting: Waiting<Asked, Answer>[] = [];
  let underWay = 0;

  async function answer(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    underWay += 1;
    try {
      const answers = await readAll(batch.map(({ asked }) => asked));
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay -= 1;
    pump();
  }

  function pump(): void {
    while (underWay < readsMax && waiting.length > 0) void answer(waiting.splice(0, BATCH_MAX));
  }

  const pumpSoon = onceATurn(pump);
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      pumpSoon();
    });
}

/** Does something as the turn of the event loop ends, once however often it is called: with all that the turn brings. */
export function onceATurn(work: () => void): () => void {
  let isComing = false;
  return () => {
    if (isComing) return;
    isComing = true;
    setImmediate(() => {
      isComing = false;
      work();
    });
  };
}
