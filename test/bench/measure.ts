/** Runs `work` `count` times in all, by `callers` at once, and returns how many it did in a second. */
export async function throughput(count: number, callers: number, work: () => Promise<unknown>): Promise<number> {
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return count / ((performance.now() - started) / 1000);
}

/** Median latencies of two ways of doing one thing, in milliseconds. They take turns, so that both see the same machine. */
export async function latencies(
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of [one, other].entries()) {
      const started = performance.now();
      await work();
      taken[index]?.push(performance.now() - started);
    }
  }
  return [median(taken[0]), median(taken[1])];
}

/** The middle value; of an even number, the upper one of the two in the middle. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
