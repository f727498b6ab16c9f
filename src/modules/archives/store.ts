import { sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';

/** Until when days are added up: what is older is told without entries. */
export async function totalledUntil(db: Executor): Promise<Date | undefined> {
  const { rows } = await db.execute<{ until: string | null }>(
    sql`select to_json(nullif(until, '-infinity')) #>> '{}' as until from books.totalled`,
  );
  return rows[0]?.until == null ? undefined : new Date(rows[0].until);
}

/** A month of millions of entries takes longer to add up than any request may. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`);
  await tx.execute(sql`set local transaction_timeout = 0`);
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
}

const MOMENT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const literal = (moment: Date | null): string => (moment === null ? `'-infinity'` : `'${moment.toISOString()}'`);
const orEmpty = (column: string): string => `coalesce(e.${column}::text, '')`;

/** The entries of a period in a part, as lines of `entries.csv` in the order in which a seal has them. */
export const entryLines = (part: string, from: Date | null, to: Date): string => `
  select concat_ws(',', e.transaction_id, e.leg, e.account_id, e.amount, e.fee, ${orEmpty('version')}, ${orEmpty('opening')},
      ${orEmpty('closing')}, e.business_date::text, to_char(e.created_at at time zone 'UTC', ${MOMENT})) as line
    from ledger.${part} e where e.created_at >= ${literal(from)} and e.created_at < ${literal(to)} order by e.transaction_id, e.leg`;

/** The transactions that began in a period of a part, as lines of JSON: what names them, and no text that somebody wrote. */
export const transactionLines = (part: string, from: Date | null, to: Date): string => `
  select row_to_json(x)::text as line from (
    select t.id, t.owner_id, t.namer, t.reference, t.partner_id, t.type, t.amount, t.fee, t.commission, t.stamp_duty, t.currency,
        t.source_id, t.destination_id, t.original_id, to_char(t.created_at at time zone 'UTC', ${MOMENT}) as created_at
      from ledger.${part} e join ledger.transaction t on t.id = e.transaction_id
      where e.leg = 1 and e.created_at >= ${literal(from)} and e.created_at < ${literal(to)} order by t.id) x`;

/** Accounts by name, in the order of their ids: what stands behind the figures of each. */
export const accountNames = (part: string): string => `
  select concat_ws(',', a.kind, a.currency, '"' || replace(a.reference, '"', '""') || '"', coalesce(a.partner_id::text, '')) as line
    from ledger.account a where a.id in (select e.account_id from ledger.${part} e) order by a.id`;

/** An empty table with the columns of the entries, into which an archive is read back. */
export async function createTable(db: Executor, name: string): Promise<void> {
  await db.execute(
    sql`create table ledger.${sql.identifier(name)} (like ledger.entry, primary key (transaction_id, leg))`,
  );
}

/** Writes lines of `entries.csv` into such a table. */
export async function insertLines(db: Executor, name: string, lines: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into ledger.${sql.identifier(name)}
    select f[1]::bigint, f[2]::smallint, f[3]::bigint, f[4]::bigint, f[5]::bigint, nullif(f[6], '')::bigint, nullif(f[7], '')::bigint,
        nullif(f[8], '')::bigint, f[9]::date, f[10]::timestamptz
      from (select string_to_array(line, ',') as f from unnest(${sql.param(lines)}::text[]) line) x`);
}
