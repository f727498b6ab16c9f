import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const USER_NAMESPACE = 'user namespace';
const POSTGRES_ACCOUNT = 'account postgres';

/** Inside a user namespace root becomes `nobody`: no account is made, and no file changes hands. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];

/** As whom PostgreSQL runs, since it refuses root. */
export interface Identity {
  /** As it is remembered beside the data. */
  readonly name: string;
  /** What stands before the command. */
  readonly prefix: readonly string[];
  /** The account that must own the files, where it is not the one we run as. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

/**
 * Who is to run PostgreSQL: the best we can take here, or `kept`, which made the data that is there already. What one of
 * them made is closed to the others, so they are never mixed on one data directory.
 *
 * @throws Error when `kept` cannot be taken here
 */
export async function chooseIdentity(kept: string | undefined): Promise<Identity> {
  const possible = await possibleIdentities();
  const name = kept === undefined ? possible[0] : possible.find((one) => one === kept);
  if (name === undefined) {
    throw new Error(
      `the embedded database was made to run as "${kept}", and here it could only run as "${possible.join('" or "')}"`,
    );
  }
  if (name === USER_NAMESPACE) return { name, prefix: NAMESPACE };
  if (name === POSTGRES_ACCOUNT) return { name, prefix: [], account: await postgresAccount() };
  return { name, prefix: [] };
}

/** The identities we can take, the best first. */
async function possibleIdentities(): Promise<string[]> {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return [`user ${uid}`];
  const [command = '', ...args] = NAMESPACE;
  const namespaces = await run(command, [...args, 'true']).then(
    () => true,
    () => false,
  );
  return namespaces ? [USER_NAMESPACE, POSTGRES_ACCOUNT] : [POSTGRES_ACCOUNT];
}

/** The system account `postgres`, made where it is missing. */
async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  try {
    await idOf('-u').catch(() => run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']));
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch (cause) {
    throw new Error(
      'PostgreSQL refuses to run as root, and no account "postgres" could be made for it: run as another user, or give DATABASE_URL',
      { cause },
    );
  }
}

const idOf = async (flag: '-u' | '-g'): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
