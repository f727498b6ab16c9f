import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const run = promisify(execFile);

/**
 * Leaves in an empty folder what `startEmbedded` makes there before its first start, or what it leaves there once its database
 * `postgres` is migrated. Both are made once for a schema and copied from then on, for they take a second of CPU each.
 */
export async function copyCluster(root: string, which: 'fresh' | 'migrated' = 'fresh'): Promise<void> {
  await run('cp', ['-a', `${inject('clusters')[which]}/.`, root]); // with the owner, who may be another account
}
