/** Runs `work` `count` times in all by `callers` at once; answers how many a second. */
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

/** Median latencies, in milliseconds, of two ways of doing one thing, taken by turns so that both see the same machine. */
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

/** The middle one, the upper of two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
