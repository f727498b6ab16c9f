import { pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { hmacSha256, sha256 } from '#lib/crypto/digest.ts';
import { assertInstallation } from '#modules/keys';
import type { Config } from './config/config.ts';
import { assertMigrated, migrateDatabase, migrateIfBehind } from './migrate.ts';
import { rootKeyIdsOf } from './providers/kms/open-root-keys.ts';
import type { Say } from './schema/apply.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** PostgreSQL refuses a login: the role does not exist, or has another password. */
const REFUSED = new Set(['28P01', '28000']);

/**
 * Sees to it that the server can log in with `url`, as a member of the role that has the server's rights: makes the login
 * role, gives it the password of `url`, or makes it a member, whatever is missing. Does nothing for one that can.
 *
 * @param ownerUrl connects to the same database as a role that may make roles
 */
export async function ensureServerLogin(ownerUrl: string, url: string): Promise<void> {
  const { username, password } = new URL(url);
  const [login, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (login === decodeURIComponent(new URL(ownerUrl).username) || (await canLogIn(url))) return;
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const role = client.escapeIdentifier(login);
    const found = await client.query('select from pg_roles where rolname = $1', [login]);
    const verb = found.rows.length > 0 ? 'alter' : 'create';
    // Never the password itself: a database may log its statements.
    const given = secret === '' ? 'null' : client.escapeLiteral(scramVerifier(secret));
    await client.query(`${verb} role ${role} login password ${given}`);
    await client.query(`grant paytag_server_role to ${role}`);
  } finally {
    await client.end();
  }
}

/** @throws the error of a connection that failed for another reason than a refused login */
async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ is: boolean }>(
      `select pg_has_role(current_user, 'paytag_server_role', 'usage') as is`,
    );
    return rows[0]?.is === true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && REFUSED.has(error.code ?? '')) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL's own default, and the least that RFC 7677 allows. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;

/**
 * What PostgreSQL stores of a password (SCRAM-SHA-256, RFC 5802 and 7677), made here: given in place of the password, it
 * lets nobody log in who reads it, so that a statement that the database logs betrays nothing.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = sha256(hmacSha256(salted, 'Client Key'));
  const serverKey = hmacSha256(salted, 'Server Key');
  const [saltText, stored, server] = [salt, storedKey, serverKey].map((bytes) => bytes.toString('base64'));
  return `SCRAM-SHA-256$${ITERATIONS}:${saltText}$${stored}:${server}`;
}

/** How a database is reached: by the server's own role, and by the role that owns the tables, where that was given. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/**
 * Makes a database ready for this process: it belongs to this installation, is migrated as MIGRATE says, and the server can
 * log in. Without an owner the one role does both.
 *
 * @param options `migrate`: applies what is pending, whatever MIGRATE says; `mayBeNew`: false refuses an empty database;
 *   `say` is told what a migration is at, and when another process's is waited for
 * @throws InstallationMismatch, also for a PostgreSQL that is too old, and a schema that is newer than this version
 */
export async function prepareDatabase(
  urls: DatabaseUrls,
  config: Pick<Config, 'environment' | 'rootKey' | 'migrate'> & { readonly databaseDirectUrl?: string | undefined },
  { migrate = false, mayBeNew = true, say }: { migrate?: boolean; mayBeNew?: boolean; say?: Say } = {},
): Promise<void> {
  const { ownerUrl } = urls;
  const url = config.databaseDirectUrl ?? urls.url; // what is asked here needs a session
  const owner = ownerUrl ?? url;
  await assertInstallation(owner, { ...config, rootKeyIds: rootKeyIdsOf(config.rootKey), mayBeNew });
  if (!migrate && config.migrate === 'never') return assertMigrated(url, say);
  await (migrate ? migrateDatabase(owner, { say }) : migrateIfBehind(owner, { say }));
  if (ownerUrl !== undefined) await ensureServerLogin(ownerUrl, url);
}
