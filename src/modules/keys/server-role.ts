import type { Logger } from 'pino';
import { type SQL, sql } from '#drizzle';
import type { Database } from '#lib/postgres/executor.ts';
import { InstallationMismatch } from './stamp-installation.ts';

/**
 * The rights of the server on tables of money, their records, and tables with amounts or accounts, as in migrations/rights.sql. A role
 * with more rights could bypass the functions that guard them.
 */
export const PERMITTED: Readonly<Record<string, { readonly insert: boolean; readonly update: readonly string[] }>> = {
  'audit.entry': { insert: true, update: [] },
  'integrity.run': { insert: true, update: [] },
  'ledger.account': { insert: true, update: ['status', 'closed_at', 'daily_limit', 'liens', 'updated_at'] },
  'ledger.deferred_delta': { insert: false, update: [] },
  'ledger.entry': { insert: false, update: [] },
  'ledger.hold': { insert: false, update: [] },
  'ledger.lien': { insert: true, update: ['lifted_at'] },
  'ledger.spending': { insert: false, update: [] },
  'ledger.transaction': { insert: false, update: [] },
  'outbox.event': { insert: false, update: ['body', 'body_digest'] },
  'payments.payment': { insert: true, update: [] },
  'seals.seal': { insert: true, update: [] },
  'tag_transactions.tag_transaction': {
    insert: true,
    update: ['posting_id', 'status', 'accepted_at', 'rejected_at', 'rejection_reason', 'updated_at'],
  },
  'terminals.split': { insert: true, update: ['total_paid', 'status', 'updated_at'] },
  'wallets.kyc_numbering': { insert: true, update: ['last'] },
  'wallets.partner_wallet': {
    insert: true,
    update: [
      'is_primary',
      'routing_mac',
      'tier',
      'metadata',
      'known_since',
      'proven_at',
      'status_before_freeze',
      'revoked_at',
      'updated_at',
    ],
  },
  'webhooks.delivery': {
    insert: true,
    update: [
      'status',
      'attempts',
      'due_at',
      'leased_until',
      'last_error',
      'last_attempt_at',
      'last_url',
      'last_status_code',
      'last_duration_ms',
      'last_attempt_error',
      'last_response',
      'delivered_at',
      'purged_at',
      'updated_at',
    ],
  },
};

/** The schemas of those tables and their functions. */
const schemas = new Set(['public', ...Object.keys(PERMITTED).map((name) => name.split('.')[0])]);
const OURS = sql`${`{${[...schemas].join(',')}}`}::text[]`;
/** The same without `public`, where others may have functions. */
const ROOMS = sql`${`{${[...schemas].filter((schema) => schema !== 'public').join(',')}}`}::text[]`;

/** Predefined roles with which a login reads or writes any file or table, or runs programs, and the like. */
const MIGHTY = [
  'pg_create_subscription',
  'pg_execute_server_program',
  'pg_maintain',
  'pg_read_server_files',
  'pg_signal_backend',
  'pg_write_all_data',
  'pg_write_server_files',
];

interface Powers {
  name: string;
  superuser: boolean;
  owner: boolean;
  /** Rights of the role on the whole cluster or database, in addition to tables. */
  attributes: string[];
  /** Roles that it may become, or has the rights of. */
  roles: string[];
  changes: string[];
}

/**
 * Refuses to start a live server whose role has more rights than it needs, or can grant itself more. In other environments one role
 * may be both owner and server, with a warning in the log.
 *
 * @throws InstallationMismatch in live, with the excess right and what to configure instead
 */
export async function assertServerRole(db: Database, environment: string, log: Logger): Promise<void> {
  const { name, ...powers } = await powersOf(db);
  const can = tooMuchOf(powers);
  if (can === undefined) return;
  if (environment === 'live') {
    throw new InstallationMismatch(
      `DATABASE_URL logs in as ${name}, which ${can}: live needs a role that cannot. Give the server its own login, and the owner's login only to "paytag migrate" (DATABASE_OWNER_URL)`,
    );
  }
  log.warn(
    { event: 'database_role.excessive', role: name, can },
    'the database role has more rights than the server needs: give the server its own role, as live requires (DATABASE_OWNER_URL)',
  );
}

function tooMuchOf({ superuser, owner, attributes, roles, changes }: Omit<Powers, 'name'>): string | undefined {
  if (superuser) return 'is a superuser';
  if (owner) return 'owns tables or functions';
  if (attributes.length > 0) return `may ${attributes.join(' and ')}`;
  if (roles.length > 0) return `may become ${roles.join(' and ')}`;
  return changes.length > 0 ? `may change ${changes.join(' and ')}` : undefined;
}

async function powersOf(db: Database): Promise<Powers> {
  const { rows } = await db.execute<Powers & Record<string, unknown>>(sql`
    select current_user::text as name, r.rolsuper as superuser,
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = any (${OURS}) and pg_has_role(c.relowner, 'member'))
        or exists (select from pg_proc f join pg_namespace n on n.oid = f.pronamespace
                     where n.nspname = any (${ROOMS}) and pg_has_role(f.proowner, 'member')) as owner,
      array(select what from (values (r.rolreplication, 'replicate'), (r.rolcreaterole, 'create roles'),
                (r.rolcreatedb, 'create databases'), (r.rolbypassrls, 'bypass row security'),
                (has_database_privilege(current_database(), 'CREATE'), 'create schemas'),
                (has_parameter_privilege('session_replication_role', 'SET'), 'turn triggers off')) a (has, what) where has) as attributes,
      array(select g.rolname::text from pg_roles g where g.oid <> r.oid and pg_has_role(g.oid, 'member')
              and (g.rolsuper or g.rolreplication or g.rolcreaterole or g.rolcreatedb or g.rolbypassrls
                or g.rolname = any (${sql.param(MIGHTY)}::text[])
                or has_database_privilege(g.oid, current_database(), 'CREATE')
                or has_parameter_privilege(g.oid, 'session_replication_role', 'SET')
                or ${changesOf(sql`g.oid`)} <> '{}')
              order by 1) as roles,
      ${changesOf(sql`r.oid`)} as changes
    from pg_roles r where r.rolname = current_user`);
  const [row] = rows;
  if (row === undefined) throw new Error('the role of this connection is unknown');
  return row;
}

/** Rights of a role, by its id, on these tables that the server must not have. */
const changesOf = (role: SQL) => sql`
  (array(select p.key from jsonb_each(${sql.param(JSON.stringify(PERMITTED))}::jsonb) p
           where has_table_privilege(${role}, p.key, 'DELETE, TRUNCATE, TRIGGER')
             or (has_any_column_privilege(${role}, p.key, 'INSERT') and not (p.value -> 'insert')::boolean)
             or exists (select from pg_attribute c
                          where c.attrelid = p.key::regclass and c.attnum > 0 and not c.attisdropped
                            and not (p.value -> 'update') ? c.attname and has_column_privilege(${role}, c.attrelid, c.attnum, 'UPDATE'))
           order by p.key)
    || array(select 'schema ' || n.nspname from pg_namespace n
               where n.nspname = any (${OURS}) and has_schema_privilege(${role}, n.oid, 'CREATE') order by 1))`;
