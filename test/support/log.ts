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
