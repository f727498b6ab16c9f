import pino, { type Logger } from 'pino';

/** A log that is kept, line by line. */
export interface TestLog {
  readonly log: Logger;
  /** Every line so far, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** Everything so far, as written. */
  readonly text: string;
}

export function testLog(): TestLog {
  const written: string[] = [];
  return {
    log: pino({ level: 'debug' }, { write: (line: string) => void written.push(line) }),
    get lines() {
      return written.map((line): Record<string, unknown> => JSON.parse(line));
    },
    get text() {
      return written.join('');
    },
  };
}

/** A text of a mebibyte that JSON has to walk through. */
const TEXT = JSON.stringify(Array.from({ length: 32_768 }, (_, at) => ({ number: at, text: 'abcdefgh' })));
/** The clock of a thread may tick in steps of 4 ms. */
const LEAST_MS = 60;

/** The processor time of this thread, in milliseconds, that some work takes: other threads and processes do not count. */
export async function threadMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** What it takes this machine, as busy as it is now, to read and write a mebibyte of JSON: bounds are multiples of it, so that a slow machine passes. */
export async function jsonMs(): Promise<number> {
  let [spentMs, times] = [0, 0];
  for (; spentMs < LEAST_MS; times += 1) spentMs += await threadMs(() => JSON.stringify(JSON.parse(TEXT)));
  return spentMs / times;
}
