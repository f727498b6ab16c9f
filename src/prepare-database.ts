import { pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { hmacSha256, sha256 } from '#lib/crypto/digest.ts';
import { assertInstallation } from '#modules/keys';
import type { Config } from './config/config.ts';
import { assertMigrated, migrateDatabase, migrateIfBehind } from './migrate.ts';
import { rootKeyIdsOf } from './providers/kms/open-root-keys.ts';
import type { Say } from './schema/apply.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Codes of a refused login: the role does not exist, or has another password. */
const REFUSED = new Set(['28P01', '28000']);

/**
 * Makes sure that the server can log in with `url` as a member of the role with the server's rights: creates the login role, sets its
 * password, or grants the membership, as needed.
 *
 * @param ownerUrl connects to the same database as a role that may create roles
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
    // Never the password: PostgreSQL may log statements.
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

/** The verifier that PostgreSQL stores for a password (SCRAM-SHA-256, RFC 5802 and 7677). A logged verifier is no use for a login. */
function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = sha256(hmacSha256(salted, 'Client Key'));
  const serverKey = hmacSha256(salted, 'Server Key');
  const [saltText, stored, server] = [salt, storedKey, serverKey].map((bytes) => bytes.toString('base64'));
  return `SCRAM-SHA-256$${ITERATIONS}:${saltText}$${stored}:${server}`;
}

/** URLs of a database: with the server's role, and with the role that owns the tables if it was given. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/**
 * Makes a database ready for this process: it belongs to this installation, is migrated as MIGRATE says, and the server can
 * log in. Without an owner the one role does both.
 *
 * @param options `migrate`: applies pending migrations, whatever MIGRATE says; `mayBeNew`: false refuses an empty database; `say`:
 *   receives the progress of migrations
 * @throws InstallationMismatch, also for a PostgreSQL that is too old, and a schema that is newer than this version
 */
export async function prepareDatabase(
  urls: DatabaseUrls,
  config: Pick<Config, 'environment' | 'rootKey' | 'migrate'> & { readonly databaseDirectUrl?: string | undefined },
  { migrate = false, mayBeNew = true, say }: { migrate?: boolean; mayBeNew?: boolean; say?: Say } = {},
): Promise<void> {
  const { ownerUrl } = urls;
  const url = config.databaseDirectUrl ?? urls.url; // the checks need a session
  const owner = ownerUrl ?? url;
  await assertInstallation(owner, { ...config, rootKeyIds: rootKeyIdsOf(config.rootKey), mayBeNew });
  if (!migrate && config.migrate === 'never') return assertMigrated(url, say);
  await (migrate ? migrateDatabase(owner, { say }) : migrateIfBehind(owner, { say }));
  if (ownerUrl !== undefined) await ensureServerLogin(ownerUrl, url);
}
