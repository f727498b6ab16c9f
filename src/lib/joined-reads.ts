/**
 * One reading of a thing at a time. Who asks while it runs gets what the next one brings, which is one for all of them: so every
 * answer is read after it was asked for, and nothing is kept.
 */
export function createJoinedReads<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  interface Running {
    readonly settled: Promise<void>;
    next?: Promise<Result>;
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

  return async (key) => {
    const current = running.get(key);
    if (current === undefined) return begin(key);
    current.next ??= current.settled.then(async () => begin(key));
    return current.next;
  };
}
