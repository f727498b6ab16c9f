import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { eventually } from '../../support/eventually.ts';
import { A_DAY_BEFORE } from '../../support/other-times.ts';
import { runToEnd } from '../../support/process.ts';
import { queryAs } from '../../support/query-as.ts';
import { atLeastOne, type Verdict } from './verdict.ts';

const paytag = async (env: Record<string, string>, ...args: string[]) =>
  runToEnd(['src/cli/paytag.js', 'ledger', ...args], env);

/**
 * Has what was posted until now, before anything goes wrong, be of the day before, and seals its hours, which are over.
 *
 * @returns the copy that an operator keeps elsewhere, one seal a line
 */
export async function sealBeforehand(ownerUrl: string, env: Record<string, string>): Promise<string> {
  await queryAs(ownerUrl, A_DAY_BEFORE);
  // A worker may be sealing at the same moment: then the command leaves it to that.
  return eventually(async () => {
    await paytag(env, 'seal');
    const { stdout } = await paytag(env, 'seals');
    if (entriesIn(stdout) === 0) throw new Error('no entry is sealed yet');
    return stdout;
  });
}

/**
 * The books are as they were sealed: all that is sealed now, and the seals of before anything went wrong.
 *
 * @param kept what `sealBeforehand` gave
 */
export async function sealsHeld(env: Record<string, string>, kept: string): Promise<Verdict> {
  await paytag(env, 'seal');
  const { stdout: now } = await paytag(env, 'seals');
  const broken = atLeastOne(entriesIn(kept), 'entry was sealed before anything went wrong');
  if (!now.startsWith(kept)) broken.push('the seals are not those of before, with later ones after them');
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-seals-'));
  try {
    for (const copy of [kept, now]) {
      const file = join(folder, 'seals.jsonl');
      await writeFile(file, copy);
      const { code, stdout, stderr } = await paytag(env, 'seal', 'verify', file);
      if (code !== 0) broken.push(stdout + stderr);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const looked = `${sealsIn(now).length} seals of ${entriesIn(now)} entries; ${sealsIn(kept).length} of ${entriesIn(kept)} from before anything went wrong`;
  return { promise: 'the books are as they were sealed', broken, looked };
}

const sealsIn = (copy: string): string[] => copy.split('\n').filter((line) => line !== '');

/** How many entries the hours hold that are sealed. */
function entriesIn(copy: string): number {
  type Says = { contents?: { entries: { rows: number } } };
  const sealed = sealsIn(copy).map((line) => decodeJwt<Says>((JSON.parse(line) as { seal: string }).seal));
  return sealed.reduce((sum, { contents }) => sum + (contents?.entries.rows ?? 0), 0);
}
