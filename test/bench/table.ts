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
  /** What the ratio should be: at least so much of a rate, at most so many times a time. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

const WHAT_WIDTH = 46;
const WIDTH = 10;

const cells = (what: string, ...others: string[]): string =>
  what.padEnd(WHAT_WIDTH) + others.map((one) => one.padStart(WIDTH)).join('');
const number = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '';
const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

export const printHead = (): void =>
  console.log(cells('', 'ours/s', 'ceiling/s', 'ratio', 'p50 ms', 'p99 ms', 'RSS MB', 'target'));

export function print({ what, ours, ceiling, ratio, p50Ms, p99Ms, rssMb, target }: Row): void {
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
      isMissed(ratio, target) ? 'missed' : '',
    ),
  );
}

function isMissed(ratio: number | undefined, target: Row['target']): boolean {
  if (ratio === undefined || target === undefined) return false;
  return 'atMost' in target ? ratio > target.atMost : ratio < target.atLeast;
}
