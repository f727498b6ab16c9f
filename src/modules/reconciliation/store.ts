import { and, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { transaction } from '#modules/ledger';
import type { ItemStatus } from './item-status.ts';
import type { Rail } from './rails.ts';
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
