import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CannotStart } from '#lib/domain-error.ts';

const run = promisify(execFile);
const USER_NAMESPACE = 'user namespace';
const POSTGRES_ACCOUNT = 'account postgres';

/** Inside a user namespace root becomes `nobody`: no account is created and no file changes its owner. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];

/** The user that PostgreSQL runs as, since it refuses to run as root. */
export interface OsUser {
  /** As it is recorded beside the data. */
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
export async function chooseOsUser(recorded: string | undefined): Promise<OsUser> {
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
