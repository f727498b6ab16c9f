import { and, count, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Listed, type PageRequest, pageOfRows } from '#lib/list-page.ts';
import { type Given, prepared, preparedOne } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { splitTransitions } from './split-status.ts';
import { split, terminal } from './tables.ts';

export type TerminalRow = typeof terminal.$inferSelect;
export type SplitRow = typeof split.$inferSelect;

/** Stores a new terminal. @returns undefined when the serial number is taken */
export async function insertTerminal(tx: Tx, values: typeof terminal.$inferInsert): Promise<TerminalRow | undefined> {
  const [created] = await addTerminal(tx, values, {});
  return created;
}

const addTerminal = preparedColumns('terminals.add', terminal, (db, written: Written<typeof terminal.$inferInsert>) =>
  db.insert(terminal).values(written).onConflictDoNothing().returning(),
);

/** A terminal of any partner. */
export const selectTerminal = (db: Executor, serialNumber: string): Promise<TerminalRow | undefined> =>
  bySerialNumber(db, { serialNumber });

const bySerialNumber = preparedOne('terminals.by-serial-number', (db, given: Given<{ serialNumber: string }>) =>
  db.select().from(terminal).where(eq(terminal.serialNumber, given.serialNumber)),
);

/** A terminal by our id of it. */
export const selectTerminalById = (db: Executor, id: number): Promise<TerminalRow | undefined> => byId(db, { id });

const byId = preparedOne('terminals.by-id', (db, given: Given<{ id: number }>) =>
  db.select().from(terminal).where(eq(terminal.id, given.id)),
);

/** Adds to the balance of a terminal. @returns the new balance, minor units */
export async function addToBalance(tx: Tx, id: number, amount: bigint): Promise<bigint> {
  const updated = await add(tx, { id, amount });
  if (updated === undefined) throw new Error(`there is no terminal ${id}`);
  return updated.balance;
}

const add = preparedOne('terminals.add-to-balance', (db, given: Given<{ id: number; amount: bigint }>) =>
  db
    .update(terminal)
    .set({ balance: sql`${terminal.balance} + ${given.amount}` })
    .where(eq(terminal.id, given.id))
    .returning({ balance: terminal.balance }),
);

/** Stores a new split. @returns undefined when this terminal has a split of that reference */
export async function insertSplit(tx: Tx, values: typeof split.$inferInsert): Promise<SplitRow | undefined> {
  const [created] = await addSplit(tx, values, {});
  return created;
}

const addSplit = preparedColumns('terminals.add-split', split, (db, written: Written<typeof split.$inferInsert>) =>
  db.insert(split).values(written).onConflictDoNothing().returning(),
);

const named = ({ terminalId, reference }: Given<{ terminalId: number; reference: string }>) =>
  and(eq(split.terminalId, terminalId), eq(split.reference, reference));

/** A split of this terminal, and of no other. */
export const selectSplit = (db: Executor, terminalId: number, reference: string): Promise<SplitRow | undefined> =>
  splitNamed(db, { terminalId, reference });

const splitNamed = preparedOne('terminals.split', (db, given: Given<{ terminalId: number; reference: string }>) =>
  db.select().from(split).where(named(given)),
);

/** The same, locked until this transaction ends. */
export const selectSplitLocked = (tx: Tx, terminalId: number, reference: string): Promise<SplitRow | undefined> =>
  lockSplit(tx, { terminalId, reference });

const lockSplit = preparedOne('terminals.lock-split', (db, given: Given<{ terminalId: number; reference: string }>) =>
  db.select().from(split).where(named(given)).for('no key update'),
);

/** A terminal's splits, newest first. `count` is of all. */
export async function selectSplits(
  db: Executor,
  terminalId: number,
  { limit, offset, cursor }: PageRequest<number>,
): Promise<Listed<SplitRow, number>> {
  const [rows, total] = await Promise.all([
    splitsOf(db, { terminalId, before: cursor ?? LAST_ID, limit: limit + 1, offset }),
    countSplits(db, { terminalId }),
  ]);
  return { ...pageOfRows(rows, limit, ({ id }) => id), count: total?.count ?? 0, countIsExact: true };
}

/** None is after it. */
const LAST_ID = Number.MAX_SAFE_INTEGER;

const splitsOf = prepared(
  'terminals.splits',
  (db, given: Given<{ terminalId: number; before: number; limit: number; offset: number }>) => {
    // Passed over in the index alone, however large the offset.
    const keys = db
      .select({ id: split.id })
      .from(split)
      .where(and(eq(split.terminalId, given.terminalId), lt(split.id, given.before)))
      .orderBy(desc(split.id))
      .limit(given.limit)
      .offset(given.offset);
    return db.select().from(split).where(inArray(split.id, keys)).orderBy(desc(split.id));
  },
);
const countSplits = preparedOne('terminals.count-splits', (db, given: Given<{ terminalId: number }>) =>
  db.select({ count: count() }).from(split).where(eq(split.terminalId, given.terminalId)),
);

/** Adds an instalment; the last one makes the split Paid. */
export async function addInstalment(tx: Tx, id: number, amount: bigint, now: Date): Promise<void> {
  const updated = await addPaid(tx, { id, amount, now });
  if (updated.length !== 1) throw new Error(`split ${id} takes no instalment`);
}

const addPaid = prepared('terminals.add-instalment', (db, given: Given<{ id: number; amount: bigint; now: Date }>) => {
  const total = sql`${split.totalPaid} + ${given.amount}`;
  return db
    .update(split)
    .set({
      totalPaid: total,
      status: sql`case when ${total} = ${split.amount} then 'Paid' else ${split.status} end`,
      updatedAt: sql`${given.now}`,
    })
    .where(and(eq(split.id, given.id), inArray(split.status, statesLeadingTo(splitTransitions, 'Paid'))))
    .returning({ id: split.id });
});

/** Cancels a split. @returns undefined when it does not exist, is not pending, has expired, or is paid in part */
export async function cancelUnpaid(
  tx: Tx,
  terminalId: number,
  reference: string,
  now: Date,
): Promise<SplitRow | undefined> {
  return cancel(tx, { terminalId, reference, now });
}

const cancel = preparedOne(
  'terminals.cancel-split',
  (db, given: Given<{ terminalId: number; reference: string; now: Date }>) =>
    db
      .update(split)
      .set({ status: 'Cancelled', updatedAt: sql`${given.now}` })
      .where(
        and(
          named(given),
          inArray(split.status, statesLeadingTo(splitTransitions, 'Cancelled')),
          eq(split.totalPaid, 0n),
          or(isNull(split.expiresAt), gt(split.expiresAt, given.now)),
        ),
      )
      .returning(),
);

/** Marks at most `limit` splits as expired. A split that is being paid is left for the next time. @returns how many */
export async function expireOverdue(db: Executor, now: Date, limit: number): Promise<number> {
  return (await expire(db, { now, limit })).length;
}

const expire = prepared('terminals.expire-splits', (db, given: Given<{ now: Date; limit: number }>) => {
  const overdue = db
    .select({ id: split.id })
    .from(split)
    .where(
      and(
        inArray(split.status, statesLeadingTo(splitTransitions, 'Expired')),
        eq(split.totalPaid, 0n),
        lte(split.expiresAt, given.now),
      ),
    )
    .limit(given.limit)
    .for('no key update', { skipLocked: true });
  return db
    .update(split)
    .set({ status: 'Expired', updatedAt: sql`${given.now}` })
    .where(inArray(split.id, overdue))
    .returning({ id: split.id });
});
