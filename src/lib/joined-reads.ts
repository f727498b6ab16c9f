import { setImmediate } from 'node:timers/promises';

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
    next.turn = mine.then(async () => setImmediate());
    await mine;
    return next.result;
  };
}
