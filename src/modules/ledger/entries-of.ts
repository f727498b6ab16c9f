import { type SQL, sql } from '#drizzle';
import type { TransactionRow } from './history.ts';
import { entry, transaction } from './tables.ts';

/**
 * That an entry is of a time at which its transaction can have written it: so only the parts of that time are read. Before
 * transactions had a MAC, the time of one was read a little before that of its entries.
 */
export const isOfItsTime: SQL = sql`${entry.createdAt} >= ${transaction.createdAt}
  and ${entry.createdAt} <= coalesce(${transaction.completedAt}, 'infinity') + interval '1 minute'`;

const LATER_MAX_MS = 60_000;
/** Later than anything is dated. */
const EVER = new Date('9999-12-31T00:00:00Z');

/** The same of a transaction that was read: from when until when its entries are. */
export const timeOfEntries = ({ createdAt, completedAt }: TransactionRow): { from: Date; until: Date } => ({
  from: createdAt,
  until: completedAt === null ? EVER : new Date(completedAt.getTime() + LATER_MAX_MS),
});
