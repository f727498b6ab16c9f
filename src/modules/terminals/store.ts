import { and, count, desc, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfRows, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { type SplitStatus, split, splitTransitions, terminal } from './tables.ts';

export type TerminalRow = typeof terminal.$inferSelect;

export type SplitRow = typeof split.$inferSelect;

/** Whose terminal a serial number is, and by which name it is paid. */
const terminalRoute = {
  table: 'terminals.terminal',
  columns: ['serialNumber', 'partnerId', 'terminalId', 'merchant', 'paytag'],
} as const satisfies RoutingFacts;

/** At which terminal a split is paid, and how much of what it is. */
const splitRoute = {
  table: 'terminals.split',
  columns: ['reference', 'terminalId', 'amount', 'currency', 'title', 'description'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [terminalRoute, splitRoute];

/** Stores a new terminal. @returns undefined when the serial number is taken */
export async function insertTerminal(
  tx: Tx,
  keyring: Keyring,
  values: Omit<typeof terminal.$inferInsert, 'routingMac'>,
): Promise<TerminalRow | undefined> {
  const { terminalId, merchant, paytag } = values;
  const routingMac = routingMacOf(keyring, terminalRoute, { ...values, terminalId, merchant, paytag });
  const [created] = await addTerminal(tx, { ...values, routingMac }, {});
  return created;
}

const addTerminal = preparedColumns('terminals.add', terminal, (db, written: Written<typeof terminal.$inferInsert>) =>
  db.insert(terminal).values(written).onConflictDoNothing().returning(),
);

/** A terminal of any partner. @throws AlteredRecord */
export const selectTerminal = async (
  db: Executor,
  keyring: Keyring,
  serialNumber: string,
): Promise<TerminalRow | undefined> => authenticTerminal(keyring, await bySerialNumber(db, { serialNumber }));

function authenticTerminal(keyring: Keyring, found: TerminalRow | undefined): TerminalRow | undefined {
  if (found !== undefined) assertAuthentic(keyring, terminalRoute, found);
  return found;
}

const bySerialNumber = preparedOne('terminals.by-serial-number', (db, given: Given<{ serialNumber: string }>) =>
  db.select().from(terminal).where(eq(terminal.serialNumber, given.serialNumber)),
);

/** A terminal by our id of it. @throws AlteredRecord */
export const selectTerminalById = async (
  db: Executor,
  keyring: Keyring,
  id: number,
): Promise<TerminalRow | undefined> => authenticTerminal(keyring, await byId(db, { id }));

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
export async function insertSplit(
  tx: Tx,
  keyring: Keyring,
  { description = null, ...values }: Omit<typeof split.$inferInsert, 'currency' | 'routingMac'>,
): Promise<SplitRow | undefined> {
  const named = { ...values, description, currency: 'NGN' as const };
  const [created] = await addSplit(tx, { ...named, routingMac: routingMacOf(keyring, splitRoute, named) }, {});
  return created;
}

const addSplit = preparedColumns('terminals.add-split', split, (db, written: Written<typeof split.$inferInsert>) =>
  db.insert(split).values(written).onConflictDoNothing().returning(),
);

/** Which split. */
type SplitName = Pick<SplitRow, 'terminalId' | 'reference'>;

const isNamed = ({ terminalId, reference }: Given<SplitName>) =>
  and(eq(split.terminalId, terminalId), eq(split.reference, reference));

/** A split of this terminal, and of no other. @throws AlteredRecord */
export const selectSplit = async (db: Executor, keyring: Keyring, named: SplitName): Promise<SplitRow | undefined> =>
  authenticSplit(keyring, await splitNamed(db, named));

function authenticSplit(keyring: Keyring, found: SplitRow | undefined): SplitRow | undefined {
  if (found !== undefined) assertAuthentic(keyring, splitRoute, found);
  return found;
}

const splitNamed = preparedOne('terminals.split', (db, given: Given<SplitName>) =>
  db.select().from(split).where(isNamed(given)),
);

/** The same, locked until this transaction ends. */
export const selectSplitLocked = async (tx: Tx, keyring: Keyring, named: SplitName): Promise<SplitRow | undefined> =>
  authenticSplit(keyring, await lockSplit(tx, named));

const lockSplit = preparedOne('terminals.lock-split', (db, given: Given<SplitName>) =>
  db.select().from(split).where(isNamed(given)).for('no key update'),
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
          isNamed(given),
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

/** A split past its expiry has expired, marked so or not. */
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
