import { and, desc, eq, gte, lt, lte, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import type { SplitStatus } from './split-status.ts';
import type { SplitRow, TerminalRow } from './store.ts';
import { split, terminal } from './tables.ts';

const listed = alias(terminal, 't');

/** Terminals of all partners or one, newest first. */
export async function selectTerminals(
  db: Executor,
  { partnerId, ...page }: { partnerId?: string | undefined } & PageRequest<number>,
): Promise<Listed<TerminalRow, number>> {
  const within = partnerId === undefined ? undefined : eq(listed.partnerId, partnerId);
  const walk = { name: 'terminals', filter: partnerId, table: terminal, row: listed, key: listed.id, within };
  return pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db.select().from(terminal).where(sql`${terminal.id} = any(array(${keys}))`).orderBy(desc(terminal.id)),
    keyOf: ({ id }) => id,
  });
}

/** Which splits are asked for. What is absent is not asked. */
export interface SplitFilter {
  /** Our id of the terminal. */
  terminalId?: number | undefined;
  partnerId?: string | undefined;
  reference?: string | undefined;
  status?: SplitStatus | undefined;
  /** What was asked for: at least, and at most. */
  amountFrom?: bigint | undefined;
  amountTo?: bigint | undefined;
  /** Made at this moment or later, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A split with the terminal that it is paid at. */
export interface SplitParts {
  split: SplitRow;
  terminal: { serialNumber: string; partnerId: string };
}

const row = alias(split, 's');

/** Looked up for each row, never joined: what is joined may be read whole. */
const ofTerminal = (column: 'serial_number' | 'partner_id') =>
  sql<string>`(select t.${sql.identifier(column)} from ${terminal} t where t.id = ${sql.raw('terminals.split.terminal_id')})`;

/** One past its time has expired, though nobody marked it yet. */
function isInStatus(status: SplitStatus, now: Date): SQL | undefined {
  const overdue = sql`(${row.status} = 'Pending' and ${row.totalPaid} = 0 and ${row.expiresAt} <= ${now.toISOString()}::timestamptz)`;
  if (status === 'Expired') return sql`(${row.status} = 'Expired' or ${overdue} is true)`;
  return status === 'Pending' ? and(eq(row.status, status), sql`${overdue} is not true`) : eq(row.status, status);
}

/** Splits of all terminals that match, newest first. */
export async function selectSplitsMatching(
  db: Executor,
  filter: SplitFilter,
  page: PageRequest<number>,
  now: Date,
): Promise<Listed<SplitParts, number>> {
  const { terminalId, partnerId, reference, status, amountFrom, amountTo, from, to } = filter;
  const within = and(
    terminalId === undefined ? undefined : eq(row.terminalId, terminalId),
    reference === undefined ? undefined : eq(row.reference, reference),
  );
  const matches = and(
    partnerId === undefined
      ? undefined
      : sql`(select t.partner_id from ${terminal} t where t.id = ${row.terminalId}) = ${partnerId}::uuid`,
    status && isInStatus(status, now),
    amountFrom === undefined ? undefined : gte(row.amount, amountFrom),
    amountTo === undefined ? undefined : lte(row.amount, amountTo),
    from && gte(row.createdAt, from),
    to && lt(row.createdAt, to),
  );
  const walk = { name: 'splits', filter, table: split, row, key: row.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db
        .select({ split, terminal: { serialNumber: ofTerminal('serial_number'), partnerId: ofTerminal('partner_id') } })
        .from(split)
        .where(sql`${split.id} = any(array(${keys}))`)
        .orderBy(desc(split.id)),
    keyOf: (one) => one.split.id,
  });
}
