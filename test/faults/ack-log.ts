import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a client was told, on disk before it believes it. */
export interface AckLog<Answer> {
  write(reference: string, answer: Answer): void;
  /** How many were written. */
  readonly count: number;
  /** Everything written, read back from the disk. */
  read(): { reference: string; answer: Answer }[];
  remove(): void;
}

export function openAckLog<Answer>(): AckLog<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'paytag-test-acks-'));
  const path = join(folder, 'acknowledged.jsonl');
  const file = openSync(path, 'a');
  let count = 0;
  return {
    get count() {
      return count;
    },
    write(reference, answer) {
      writeSync(file, `${JSON.stringify({ reference, answer })}\n`);
      fsyncSync(file);
      count += 1;
    },
    read: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): { reference: string; answer: Answer } => JSON.parse(line)),
    remove() {
      closeSync(file);
      rmSync(folder, { recursive: true });
    },
  };
}
