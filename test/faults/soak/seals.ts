import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../../support/process.ts';
import type { Verdict } from './promises.ts';

/** The books are as they were sealed while all that went on, by the copy that the command line gives and verifies. */
export async function sealsHeld(env: Record<string, string>): Promise<Verdict> {
  const promise = 'the books are as they were sealed';
  const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.js', 'ledger', ...args], env);
  await paytag('seal');
  const { stdout: seals } = await paytag('seals');
  const count = seals.split('\n').filter((line) => line !== '').length;
  if (count === 0) return { promise, broken: [], looked: 'no hour was over, so there is no seal' };
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-seals-'));
  try {
    const copy = join(folder, 'seals.jsonl');
    await writeFile(copy, seals);
    const { code, stdout, stderr } = await paytag('seal', 'verify', copy);
    return { promise, broken: code === 0 ? [] : [stdout + stderr], looked: `${count} seals` };
  } finally {
    await rm(folder, { recursive: true });
  }
}
