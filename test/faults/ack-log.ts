import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a client was told, on disk before it believes it. */
export interface AckLog<Answer> {
  write(reference: string, answer: Answer): void;
  /** Everything written, read back from the disk. */
  read(): { reference: string; answer: Answer }[];
  remove(): void;
}

export function openAckLog<Answer>(): AckLog<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'paytag-test-acks-'));
  const path = join(folder, 'acknowledged.jsonl');
  const file = openSync(path, 'a');
  return {
    write(reference, answer) {
      writeSync(file, `${JSON.stringify({ reference, answer })}\n`);
      fsyncSync(file);
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
