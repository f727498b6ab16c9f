import { and, desc, eq, gte, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { transaction } from '#modules/ledger';
import { dayAfter } from './days.ts';
import type { ItemStatus } from './item-status.ts';
import { startOfDay } from './open-store.ts';
import { clearingAccount, type Rail, rails } from './rails.ts';
import { bankImport, item } from './tables.ts';

export type ImportRow = typeof bankImport.$inferSelect;

export type ItemRow = typeof item.$inferSelect;

const lock = preparedText('reconciliation.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))', {
  writes: true,
});

/** Makes all others who change what is open on a rail wait until this transaction ends. */
export const lockRail = async (tx: Tx, rail: Rail): Promise<void> => void (await lock(tx, [`reconciliation:${rail}`]));

const byDigest = preparedOne('reconciliation.import-by-digest', (db, given: Given<{ rail: Rail; digest: Buffer }>) =>
  db
    .select()
    .from(bankImport)
    .where(and(eq(bankImport.rail, given.rail), eq(bankImport.digest, given.digest))),
);

/** The import of the same file. */
export const findSameFile = (db: Executor, rail: Rail, digest: Buffer): Promise<ImportRow | undefined> =>
  byDigest(db, { rail, digest });

const knownBalance = preparedText<{ id: string }>(
  'reconciliation.known-balance',
  `select id from reconciliation.import where rail = $1 and cardinality(proved_by) > 0 and from_day <= $2
      and ((closing = $3 and to_day <= $2) or (opening = $3 and from_day = $2)) limit 1`,
);

/** Whether earlier files of a rail say that this was on the account before the lines of a day. */
export async function isKnownBalance(
  tx: Tx,
  { rail, day, balance }: { rail: Rail; day: string; balance: bigint },
): Promise<boolean> {
  return (await knownBalance(tx, [rail, day, balance])).length > 0;
}

const importById = preparedOne('reconciliation.import-by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(bankImport).where(eq(bankImport.id, given.id)),
);

export const findImport = (db: Executor, id: string): Promise<ImportRow | undefined> => importById(db, { id });

const itemById = preparedOne('reconciliation.item-by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(item).where(eq(item.id, given.id)),
);

export const findItem = (db: Executor, id: string): Promise<ItemRow | undefined> => itemById(db, { id });

/** A file that is to be stored. */
type NewImport = Omit<ImportRow, 'id'>;

const partsById = preparedOne('reconciliation.item-parts', (db, given: Given<{ id: string }>) =>
  db
    .select({ row: item, ourReference: transaction.reference })
    .from(item)
    .leftJoin(transaction, eq(transaction.id, item.transactionId))
    .where(eq(item.id, given.id)),
);

/** An item with the reference of its posting. */
export const findItemParts = (db: Executor, id: string): Promise<ItemParts | undefined> => partsById(db, { id });

export interface ItemParts {
  row: ItemRow;
  ourReference: string | null;
}

const changeItem = preparedText(
  'reconciliation.change-item',
  `update reconciliation.item set status = $2, transaction_id = $3, our_day = $4, our_amount = $5, adjustment_id = $6, action = $7,
      reason = $8, resolved_by = $9, resolved_at = $10, updated_at = $11 where id = $1`,
  { writes: true },
);

/** Writes what an operator did with an item. */
export async function updateItem(tx: Tx, to: ItemRow): Promise<void> {
  const { id, status, transactionId, ourDay, ourAmount, adjustmentId } = to;
  const done = [to.action, to.reason, to.resolvedBy, to.resolvedAt, to.updatedAt];
  await changeItem(tx, [id, status, transactionId, ourDay, ourAmount, adjustmentId, ...done]);
}

const addImport = preparedOne('reconciliation.add-import', (db, given: Given<NewImport>) =>
  db
    .insert(bankImport)
    .values({
      rail: given.rail,
      format: given.format,
      digest: given.digest,
      account: given.account,
      fromDay: given.fromDay,
      toDay: given.toDay,
      opening: given.opening,
      closing: given.closing,
      lines: given.lines,
      credits: given.credits,
      debits: given.debits,
      provedBy: given.provedBy,
      toleranceDays: given.toleranceDays,
      importedBy: given.importedBy,
      createdAt: given.createdAt,
    })
    .returning(),
);

export async function insertImport(tx: Tx, row: NewImport): Promise<ImportRow> {
  const added = await addImport(tx, row);
  if (added === undefined) throw new Error('an insert returned nothing');
  return added;
}

/** A line or a posting that is to be stored. */
export interface NewItem {
  /** Of an item whose place it takes. */
  id?: string | undefined;
  status: ItemStatus;
  line?:
    | {
        number: number;
        place: number;
        day: string;
        amount: bigint;
        balance?: bigint | undefined;
        statement?: string | undefined;
        saidSealed: Buffer;
        digest: Buffer;
      }
    | undefined;
  ours?: { transactionId: number; day: string; amount: bigint } | undefined;
}

const AT_ONCE = 2_000;

const addItems = preparedText(
  'reconciliation.add-items',
  `insert into reconciliation.item (id, rail, status, import_id, line, place, bank_day, bank_amount, bank_balance, statement, said_sealed,
      line_digest, transaction_id, our_day, our_amount, created_at, updated_at)
    select coalesce(x.id, uuidv7()), $1, x.status, $2::uuid, x.line, x.place, x.bank_day, x.bank_amount, x.bank_balance, x.statement, decode(x.said, 'hex'),
      decode(x.digest, 'hex'), x.transaction_id, x.our_day, x.our_amount, $3::timestamptz, $3::timestamptz
    from jsonb_to_recordset($4::jsonb) x(id uuid, status text, line int, place int, bank_day date, bank_amount bigint,
      bank_balance bigint, statement text, said text, digest text, transaction_id bigint, our_day date, our_amount bigint)`,
  { writes: true },
);

/** Stores lines and postings of an import, in their order. */
export async function insertItems(
  tx: Tx,
  { rail, importId, now }: { rail: Rail; importId: string; now: Date },
  items: readonly NewItem[],
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const rows = items.slice(at, at + AT_ONCE).map(({ id, status, line, ours }) => ({
      id,
      status,
      line: line?.number,
      place: line?.place,
      bank_day: line?.day,
      bank_amount: line && String(line.amount),
      bank_balance: line?.balance === undefined ? undefined : String(line.balance),
      statement: line?.statement,
      said: line?.saidSealed.toString('hex'),
      digest: line?.digest.toString('hex'),
      transaction_id: ours?.transactionId,
      our_day: ours?.day,
      our_amount: ours && String(ours.amount),
    }));
    await addItems(tx, [rail, importId, now, JSON.stringify(rows)]);
  }
}

const pair = preparedText(
  'reconciliation.pair',
  `update reconciliation.item i set status = x.status, transaction_id = x.transaction_id, our_day = x.our_day,
      our_amount = x.our_amount, updated_at = $1
    from jsonb_to_recordset($2::jsonb) x(id uuid, status text, transaction_id bigint, our_day date, our_amount bigint)
    where i.id = x.id`,
  { writes: true },
);

/** A line that was alone, and the posting that it has now. */
export type Paired = Required<Pick<NewItem, 'id' | 'status' | 'ours'>>;

/** Gives lines that were alone their postings. */
export async function pairItems(tx: Tx, now: Date, pairs: readonly Paired[]): Promise<void> {
  if (pairs.length === 0) return;
  const rows = pairs.map(({ id, status, ours }) => ({
    id,
    status,
    transaction_id: ours?.transactionId,
    our_day: ours?.day,
    our_amount: String(ours?.amount),
  }));
  await pair(tx, [now, JSON.stringify(rows)]);
}

const remove = preparedText(
  'reconciliation.remove-items',
  'delete from reconciliation.item where id = any($1::uuid[]) and line is null',
  { writes: true },
);

/** Deletes what was kept of postings that were alone, and that a line has now. */
export async function deleteAlone(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await remove(tx, [[...ids]]);
}

export interface ItemFilter {
  rail?: Rail | undefined;
  status?: ItemStatus | undefined;
  importId?: string | undefined;
  /** Days of the line, or of a posting alone its day. */
  from?: string | undefined;
  to?: string | undefined;
}

const i = alias(item, 'i');

const dayOf = sql<string>`coalesce(${i.bankDay}, ${i.ourDay})`;

export async function selectItems(
  db: Executor,
  filter: ItemFilter,
  page: PageRequest<string>,
): Promise<Listed<ItemParts, string>> {
  const { rail, status, importId, from, to } = filter;
  // What stands on each rail in one status has an index.
  const ofStatus =
    importId !== undefined || status === undefined
      ? undefined
      : (rail === undefined ? rails : [rail]).map((one) => sql`${i.rail} = ${one} and ${i.status} = ${status}`);
  const matches = and(
    rail === undefined ? undefined : eq(i.rail, rail),
    importId === undefined || status === undefined ? undefined : eq(i.status, status),
    from === undefined ? undefined : gte(dayOf, from),
    to === undefined ? undefined : lte(dayOf, to),
  );
  const within = importId === undefined ? undefined : eq(i.importId, importId);
  const walk = {
    name: 'reconciliation-items',
    filter,
    table: item,
    row: i,
    key: i.id,
    within,
    matches,
    ...(ofStatus && { withinOneOf: ofStatus }),
  };
  return pageOfWalk(db, walk, page, {
    rows: (keys) =>
      db
        .select({ row: item, ourReference: transaction.reference })
        .from(item)
        .leftJoin(transaction, eq(transaction.id, item.transactionId))
        .where(sql`${item.id} in (${keys})`)
        .orderBy(desc(item.id)),
    keyOf: ({ row: { id } }) => id,
  });
}

const m = alias(bankImport, 'm');

export async function selectImports(
  db: Executor,
  filter: { rail?: Rail | undefined },
  page: PageRequest<string>,
): Promise<Listed<ImportRow, string>> {
  const matches = filter.rail === undefined ? undefined : eq(m.rail, filter.rail);
  const walk = { name: 'reconciliation-imports', filter, table: bankImport, row: m, key: m.id, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(bankImport).where(sql`${bankImport.id} in (${keys})`).orderBy(desc(bankImport.id)),
    keyOf: ({ id }) => id,
  });
}

const byStatus = preparedText<{ status: ItemStatus; count: number; theirs: string; difference: string }>(
  'reconciliation.lines-by-status',
  `select status, count(*)::int as count, sum(bank_amount)::bigint as theirs,
      sum(bank_amount - coalesce(our_amount, 0))::bigint as difference
    from reconciliation.item where import_id = $1 and line is not null group by status`,
);

/** What became of the lines of a file. */
export async function linesByStatus(db: Executor, importId: string) {
  const rows = await byStatus(db, [importId]);
  return rows.map(({ status, count, theirs, difference }) => ({
    status,
    count,
    theirs: BigInt(theirs),
    difference: BigInt(difference),
  }));
}

const kinds = ['OURS_ALONE', 'TIMING', 'RESOLVED', 'HERE', 'ELSEWHERE', 'NOT_COMPARED'] as const;

const ofDays = preparedText<Record<string, number | string | null>>(
  'reconciliation.postings-of-days',
  `select ${kinds.flatMap((of) => [`count(*) filter (where x.of = '${of}')::int as "${of}"`, `sum(x.amount) filter (where x.of = '${of}') as "${of} amount"`]).join(', ')}
    from (select -e.amount as amount, case when i.id is null then 'NOT_COMPARED' when i.line is null then i.status
            when i.import_id = $3 then 'HERE' else 'ELSEWHERE' end as of
          from ledger.entry e left join lateral (
              select * from reconciliation.item y where y.rail = $2 and y.transaction_id = e.transaction_id offset 0) i on true
          where e.account_id = $1 and e.created_at >= $4 and e.created_at < $5
            and (select t.type from ledger.transaction t where t.id = e.transaction_id) <> 'ADJUSTMENT') x`,
);

/** What became of our postings of a file's days: read from the ledger, and not from what is kept of them here. */
export async function postingsOfDays(db: Executor, { id, rail, fromDay, toDay }: ImportRow) {
  const [from, until] = [startOfDay(fromDay), startOfDay(dayAfter(toDay, 1))];
  const [row = {}] = await ofDays(db, [clearingAccount(rail), rail, id, from, until]);
  return kinds.map((of) => ({ of, count: Number(row[of] ?? 0), amount: BigInt(row[`${of} amount`] ?? 0) }));
}

const otherDays = preparedText<{ count: number; amount: string | null }>(
  'reconciliation.on-other-days',
  `select count(*)::int as count, sum(our_amount)::bigint as amount from reconciliation.item
    where import_id = $1 and line is not null and our_day is not null and our_day not between $2 and $3`,
);

/** The postings of a file's lines that are of other days than the file. */
export async function onOtherDays(db: Executor, { id, fromDay, toDay }: ImportRow) {
  const [row] = await otherDays(db, [id, fromDay, toDay]);
  return { count: row?.count ?? 0, amount: BigInt(row?.amount ?? 0) };
}
