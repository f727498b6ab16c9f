import pg from 'pg';
import { scramVerifier } from '#lib/crypto/scram.ts';

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
