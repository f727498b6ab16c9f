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

/** One line of the table. What is not there is left empty. */
export interface Row {
  readonly what: string;
  /** A second. */
  readonly ours?: number;
  readonly ceiling?: number;
  /** Ours as a share of the ceiling; or, of two times, how many times the second one the first is. */
  readonly ratio?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly rssMb?: number;
  /** What the ratio should be: at least so much of a rate, at most so many times a time; and the most of what has a bound of its own. */
  readonly target?:
    | { readonly atLeast: number }
    | { readonly atMost: number; readonly p50MsMax?: number; readonly rssMbMax?: number };
}

const WHAT_WIDTH = 46;
const WIDTH = 10;

const cells = (what: string, ...others: string[]): string =>
  what.padEnd(WHAT_WIDTH) + others.map((one) => one.padStart(WIDTH)).join('');
const number = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '';
const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

export const printHead = (): void =>
  console.log(cells('', 'ours/s', 'ceiling/s', 'ratio', 'p50 ms', 'p99 ms', 'RSS MB', 'target'));

export function print(row: Row): void {
  const { what, ours, ceiling, ratio, p50Ms, p99Ms, rssMb, target } = row;
  const isOfTimes = target !== undefined && 'atMost' in target;
  const shown = ratio === undefined ? '' : isOfTimes ? `${ratio.toFixed(1)} x` : percent(ratio);
  const wanted = target === undefined ? '' : isOfTimes ? `<= ${target.atMost} x` : `>= ${percent(target.atLeast)}`;
  console.log(
    cells(
      what,
      number(ours),
      number(ceiling),
      shown,
      number(p50Ms, 1),
      number(p99Ms, 1),
      number(rssMb),
      wanted,
      isMissed(row) ? 'missed' : '',
    ),
  );
}

function isMissed({ ratio, p50Ms = 0, rssMb = 0, target }: Row): boolean {
  if (ratio === undefined || target === undefined) return false;
  if ('atLeast' in target) return ratio < target.atLeast;
  const { atMost, p50MsMax = Infinity, rssMbMax = Infinity } = target;
  return ratio > atMost || p50Ms > p50MsMax || rssMb > rssMbMax;
}
