import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { asIdentity } from './supervisor.ts';

const run = promisify(execFile);

/** What the folder of an unfinished first start begins with. */
const DRAFT = 'cluster.new.';

export interface Cluster {
  /** PostgreSQL's data directory. */
  readonly data: string;
  /** Of the superuser `postgres`. */
  readonly password: string;
  /** Who runs it, for as long as the data lives. */
  readonly identity: Identity;
}

/**
 * The data directory under `home` and what belongs to it, made where they are missing. They are made beside their place
 * and moved there together, so that an interrupted first start leaves nothing half done.
 *
 * @throws Error with what to do next, when it cannot be made, or not be used by the user we run as
 */
export async function openCluster(home: string, bin: Binaries): Promise<Cluster> {
  const cluster = join(home, 'cluster');
  const runsAs = join(home, 'runs-as');
  if (!existsSync(cluster)) {
    const identity = await chooseIdentity(undefined);
    // A name of its own: an initdb whose parent was killed goes on for a while, and must not be met.
    const draft = join(home, `${DRAFT}${randomUUID()}`);
    await initialise(draft, bin, identity);
    await writeFile(runsAs, `${identity.name}\n`);
    await rename(draft, cluster);
  }
  await removeDrafts(home);
  try {
    const identity = await chooseIdentity((await readFile(runsAs, 'utf8')).trim());
    const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
    return { data: join(cluster, 'data'), password, identity };
  } catch (cause) {
    throw new Error(
      `${cause instanceof Error ? cause.message : String(cause)}: start it as the user who made it, or remove ${home} to begin with an empty one`,
      { cause },
    );
  }
}

/** What interrupted first starts left; one that is still being written goes at a later start. */
async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(DRAFT)) await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function initialise(draft: string, bin: Binaries, identity: Identity): Promise<void> {
  const password = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (identity.account !== undefined) {
    const { uid, gid } = identity.account;
    await chown(draft, uid, gid);
    await chown(password, uid, gid);
  }
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${password}`];
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const words = [bin.initdb, '-D', join(draft, 'data'), ...access, ...text, '--no-sync', '--no-instructions'];
  const { command, args, options } = asIdentity(identity, words);
  try {
    await run(command, args, options);
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    const hint =
      identity.account === undefined
        ? ''
        : ' (PostgreSQL runs here as the account "postgres", which must be able to reach the project and its data: move them out of a private directory, or run as a user other than root)';
    throw new Error(
      `the embedded PostgreSQL could not make its data directory: ${said.trim().split('\n').at(-1)}${hint}`,
      { cause },
    );
  }
}
