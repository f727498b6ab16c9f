import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '#lib/domain-error.ts';

const run = promisify(execFile);

/** The prefix of a folder that an interrupted first start has left. */
const DRAFT = 'cluster.new.';

export interface Cluster {
  /** PostgreSQL's data directory. */
  readonly data: string;
  /** Password of the superuser `postgres`. */
  readonly password: string;
  /** The user that PostgreSQL always runs as with this data. */
  readonly user: OsUser;
}

/**
 * Opens the data directory under `home`, with its password and its user, and creates them at the first start. They are
 * created in another folder and moved into place together, so that an interrupted first start leaves nothing half done.
 *
 * @param initdb path of PostgreSQL's program that creates a data directory
 * @throws Error with what to do next, when it cannot be created, or belongs to another user
 */
export async function openCluster(home: string, initdb: string): Promise<Cluster> {
  const cluster = join(home, 'cluster');
  const runsAs = join(home, 'runs-as');
  if (!existsSync(cluster)) {
    const user = await chooseOsUser(undefined);
    // A new name each time: an initdb whose parent was killed still runs for a while, and would write to the same folder.
    const draft = join(home, `${DRAFT}${randomUUID()}`);
    await initialise(draft, initdb, user);
    await writeFile(runsAs, `${user.name}\n`);
    await rename(draft, cluster);
  }
  await removeDrafts(home);
  try {
    const user = await chooseOsUser((await readFile(runsAs, 'utf8')).trim());
    const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
    return { data: join(cluster, 'data'), password, user };
  } catch (cause) {
    throw new CannotStart(
      `${cause instanceof Error ? cause.message : String(cause)}: start it as the user who created it, or remove ${home} to begin with an empty one`,
      { cause },
    );
  }
}

/** Removes the folders of interrupted first starts. One that is still being written is removed at a later start. */
async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(DRAFT)) await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function initialise(draft: string, initdb: string, user: OsUser): Promise<void> {
  const password = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (user.account !== undefined) {
    const { uid, gid } = user.account;
    await chown(draft, uid, gid);
    await chown(password, uid, gid);
  }
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${password}`];
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const words = [initdb, '-D', join(draft, 'data'), ...access, ...encoding, '--no-sync', '--no-instructions'];
  const { command, args, options } = commandAs(user, words);
  try {
    await run(command, args, options);
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    const hint =
      user.account === undefined
        ? ''
        : ' (PostgreSQL runs here as the account "postgres", which must be able to reach the project and its data: move them out of a private directory, or run as a user other than root)';
    throw new CannotStart(
      `the embedded PostgreSQL could not make its data directory: ${output.trim().split('\n').at(-1)}${hint}`,
      { cause },
    );
  }
}

const USER_NAMESPACE = 'user namespace';
const POSTGRES_ACCOUNT = 'account postgres';

/** Inside a user namespace root becomes `nobody`: no account is created and no file changes its owner. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];

/** The user that PostgreSQL runs as, since it refuses to run as root. */
export interface OsUser {
  /** The name that is recorded next to the data. */
  readonly name: string;
  /** Words to put before a command, so that it runs as this user. */
  readonly prefix: readonly string[];
  /** The account that must own the files, if it is not the one that runs this process. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

/**
 * Chooses the user that PostgreSQL runs as: the best one possible here, or the `recorded` one, which owns data that
 * exists already. Files of one user are closed to the others, so a data directory keeps its user for good.
 *
 * @throws Error when PostgreSQL cannot run as the recorded user here
 */
async function chooseOsUser(recorded: string | undefined): Promise<OsUser> {
  const possible = await possibleUsers();
  const name = recorded === undefined ? possible[0] : possible.find((one) => one === recorded);
  if (name === undefined) {
    throw new CannotStart(
      `the embedded database was made to run as "${recorded}", and here it could only run as "${possible.join('" or "')}"`,
    );
  }
  if (name === USER_NAMESPACE) return { name, prefix: NAMESPACE };
  if (name === POSTGRES_ACCOUNT) return { name, prefix: [], account: await postgresAccount() };
  return { name, prefix: [] };
}

/** A command line as this user runs it, for execFile and spawn. */
export function commandAs(user: OsUser, words: readonly string[]) {
  const [command = '', ...args] = [...user.prefix, ...words];
  return { command, args, options: { ...user.account, cwd: '/' } };
}

/** Names of the users that PostgreSQL can run as here, the best first. */
async function possibleUsers(): Promise<string[]> {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return [`user ${uid}`];
  const [command = '', ...args] = NAMESPACE;
  const namespaces = await run(command, [...args, 'true']).then(
    () => true,
    () => false,
  );
  return namespaces ? [USER_NAMESPACE, POSTGRES_ACCOUNT] : [POSTGRES_ACCOUNT];
}

/** The system account `postgres`, created if it is missing. */
async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  try {
    await idOf('-u').catch(() => run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']));
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch (cause) {
    throw new CannotStart(
      'PostgreSQL refuses to run as root, and no account "postgres" could be made for it: run as another user, or give DATABASE_URL',
      { cause },
    );
  }
}

const idOf = async (flag: '-u' | '-g'): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
