import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCluster } from '../../src/embedded/cluster.ts';
import { installedPrograms } from '../../src/embedded/start-embedded.ts';

const run = promisify(execFile);
let made: Promise<string> | undefined;

/** A folder with a new cluster in it that was never started, and goes with this worker. */
async function makeCluster(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'paytag-test-made-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await openCluster(folder, (await installedPrograms()).initdb);
  return folder;
}

/**
 * Leaves in an empty folder what `startEmbedded` makes there before its first start. A cluster is made once for each worker
 * and copied from then on, for initdb takes a second of CPU: for tests of what comes after it.
 */
export async function copyCluster(root: string): Promise<void> {
  await run('cp', ['-a', `${await (made ??= makeCluster())}/.`, root]); // with the owner, who may be another account
}
