import type { Logger } from 'pino';
import { sql } from '#drizzle';
import type { Database } from '#lib/database.ts';
import { InstallationMismatch } from './stamp-installation.ts';

/** Whoever may do these can change the books behind the ledger's back, or what was recorded of a change. */
const FORBIDDEN = {
  'ledger.entry': 'INSERT, UPDATE, DELETE, TRUNCATE',
  'ledger.transaction': 'INSERT, UPDATE, DELETE, TRUNCATE',
  'audit.entry': 'UPDATE, DELETE, TRUNCATE',
} as const;

interface Powers {
  name: string;
  superuser: boolean;
  owner: boolean;
  changes: string[];
}

/**
 * The role of a live server can neither change what it must not, nor let itself do so. In the other environments one role
 * may be both owner and server; the log says so.
 *
 * @throws InstallationMismatch in live, with what the role can do and what to give instead
 */
export async function assertServerRole(db: Database, environment: string, log: Logger): Promise<void> {
  const { name, superuser, owner, changes } = await powersOf(db);
  const can = superuser ? 'is a superuser' : owner ? 'owns the tables' : `may change ${changes.join(' and ')}`;
  if (!superuser && !owner && changes.length === 0) return;
  if (environment === 'live') {
    throw new InstallationMismatch(
      `DATABASE_URL logs in as ${name}, which ${can}: live needs a role that cannot. Give a login of its own, and the owner's to "paytag migrate" alone (DATABASE_OWNER_URL)`,
    );
  }
  log.warn(
    { role: name },
    `the database role ${can}: give the server one of its own, as live asks for (DATABASE_OWNER_URL)`,
  );
}

async function powersOf(db: Database): Promise<Powers> {
  const tables = sql.param(Object.keys(FORBIDDEN));
  const privileges = sql.param(Object.values(FORBIDDEN));
  const { rows } = await db.execute<Powers & Record<string, unknown>>(sql`
    select current_user::text as name, r.rolsuper as superuser,
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname in ('ledger', 'audit', 'outbox', 'seals') and pg_has_role(c.relowner, 'member')) as owner,
      array(select t.name from unnest(${tables}::text[], ${privileges}::text[]) t (name, privileges)
              where has_table_privilege(t.name, t.privileges) or has_any_column_privilege(t.name, 'UPDATE')) as changes
    from pg_roles r where r.rolname = current_user`);
  const [row] = rows;
  if (row === undefined) throw new Error('the role of this connection is unknown');
  return row;
}
