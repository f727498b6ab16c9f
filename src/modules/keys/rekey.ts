import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Keyring, KeyUse } from '#lib/crypto/keyring.ts';
import { authenticated, type RowKey, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { StreamedInvariant } from '#lib/room.ts';
import { recordChange } from '#modules/audit';
import {
  type DataKeyRow,
  insertDataKeys,
  lockDataKeys,
  promoteDataKeys,
  selectDataKeys,
  setDestroyed,
} from './data-key-store.ts';
import { type OpenKeyring, type RootKeys, wrap } from './open-keyring.ts';

/** The uses whose keys are exchanged. The others stay: their output is stored for ever, or rows are looked up by it. */
const EXCHANGED: KeyUse[] = ['SEAL', 'SIGN'];

/** More than twice the time in which a process sees that keys have changed. */
const SETTLE_MS = 5000;

/** A pass misses rows that moved during it; the next pass finds them. */
const PASSES_MAX = 20;

export type RekeyDeps = {
  db: Database;
  pool: Pool;
  keyring: Keyring;
  dataKeys: OpenKeyring;
  roots: RootKeys;
  clock: Clock;
};

interface Options {
  columns: readonly SealedColumn[];
  signal: AbortSignal;
  progress?: (progress: Progress) => void;
  settleMs?: number;
}

/** Progress for the terminal, one line per column and pass. */
export interface Progress {
  table: string;
  column: string;
  sealed: number;
  left: number;
}

/** The result of a run. */
export interface Rekeyed {
  /** The key that seals now. */
  key: number;
  sealed: number;
  /** Values that are still sealed with another key: run it again. */
  left: number;
  /** Values that open with none of our keys. */
  unreadable: number;
}

/**
 * Exchanges the sealing key and reseals everything with it, while processes run. After a stopped run it continues with that run's
 * key; values that open with none of our keys do not count as its remainder. The new key seals only once every process has it, and
 * the old ones open values until they are destroyed (`destroyRetiredKeys`). Audited if it creates a key.
 *
 * @param options.columns every sealed column of every room; `signal` stops it after the current batch
 */
export async function rekey(
  deps: RekeyDeps,
  { actor, reason }: { actor: string; reason: string },
  options: Options,
): Promise<Rekeyed> {
  const { columns, signal, settleMs = SETTLE_MS } = options;
  await deps.dataKeys.refresh();
  const before = await leftIn(deps, columns);
  if (before.left > 0) {
    // The remainder of an earlier run, unless none of it opens with our keys, and so nothing is left to finish.
    const finished = await sealAll(deps, options);
    if (signal.aborted || finished.sealed > 0 || finished.left > finished.unreadable) return finished;
  }
  await makeNext(deps, { actor, reason });
  await settle(settleMs, signal);
  if (!signal.aborted) await promote(deps);
  await settle(settleMs, signal);
  return sealAll(deps, options);
}

/** Reseals everything with the current key, pass by pass. */
async function sealAll(deps: RekeyDeps, { columns, signal, progress }: Options): Promise<Rekeyed> {
  let sealed = 0;
  let unreadable = 0;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    unreadable = 0;
    for (const column of columns) {
      const done = await resealColumn(deps, column, signal);
      sealed += done.sealed;
      unreadable += done.unreadable;
      const { left } = await leftIn(deps, [column]);
      if (done.sealed > 0 || left > 0) {
        progress?.({ table: column.table, column: column.column, sealed: done.sealed, left });
      }
      if (signal.aborted) break;
    }
    if (signal.aborted || (await leftIn(deps, columns)).left <= unreadable) break;
  }
  const { left, key } = await leftIn(deps, columns);
  return { key, sealed, left, unreadable };
}

/** The number of values that are not sealed with the current key. */
async function leftIn({ pool, keyring }: Pick<RekeyDeps, 'pool' | 'keyring'>, columns: readonly SealedColumn[]) {
  const key = keyring.sealedPrefix.readUInt32BE(1);
  let left = 0;
  for (const column of columns) {
    for (const [by, values] of await countByKey(pool, column)) left += by === key ? 0 : values;
  }
  return { left, key };
}

/** Creates the next key of each exchanged use, unless a stopped run already has. */
async function makeNext({ db, roots }: RekeyDeps, { actor, reason }: { actor: string; reason: string }): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDataKeys(tx);
    const rows = await selectDataKeys(tx);
    if (rows.some(({ status }) => status === 'NEXT')) return;
    const last = Math.max(...rows.map(({ id }) => id));
    const created = await Promise.all(
      EXCHANGED.map((use, index) => wrap(roots[0], { id: last + 1 + index, use, key: randomBytes(32) })),
    );
    await insertDataKeys(
      tx,
      created.map((row) => ({ ...row, status: 'NEXT' as const })),
    );
    const current = rows.filter(({ status, use }) => status === 'CURRENT' && EXCHANGED.includes(use));
    await recordChange(tx, {
      actor,
      action: 'keys.rekey',
      target: 'data-keys',
      before: { keys: current.map(({ id }) => id) },
      after: { keys: created.map(({ id }) => id) },
      reason,
    });
  });
}

async function promote({ db, dataKeys, clock }: RekeyDeps): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDataKeys(tx);
    const isMade = (await selectDataKeys(tx)).some(({ status }) => status === 'NEXT');
    if (isMade) await promoteDataKeys(tx, EXCHANGED, clock.now());
  });
  await dataKeys.refresh();
}

/** Waits until every process has seen the change, or until it is stopped. */
const settle = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);

/** By then no process writes values that it sealed before the retirement, and no link or form that the key signed is valid: one in a mail lasts a day. */
const KEPT_MS = 25 * 60 * 60 * 1000;

/** The state of a key that seals, indexes or signs, without the key itself. */
export interface DataKeyState {
  id: number;
  use: KeyUse;
  status: DataKeyRow['status'];
  /** Which root key wraps it. */
  rootKey: string;
  createdAt: Date;
  retiredAt: Date | undefined;
  destroyedAt: Date | undefined;
  /** Values in the database that it sealed. */
  values: number | undefined;
  /** All values that it ever sealed. */
  sealed: number | undefined;
}

/** Every key ever created, oldest first, with the number of values it has sealed. */
export async function listDataKeys(
  { db, pool }: { db: Database; pool: Pool },
  columns: readonly SealedColumn[],
): Promise<DataKeyState[]> {
  const values = new Map<number, number>();
  for (const column of columns) {
    for (const [key, count] of await countByKey(pool, column)) values.set(key, (values.get(key) ?? 0) + count);
  }
  return (await selectDataKeys(db)).map(({ id, use, status, rootKey, createdAt, sealed, ...ended }) => ({
    id,
    use,
    status,
    rootKey,
    createdAt,
    retiredAt: ended.retiredAt ?? undefined,
    destroyedAt: ended.destroyedAt ?? undefined,
    values: use === 'SEAL' ? (values.get(id) ?? 0) : undefined,
    sealed: use === 'SEAL' ? sealed : undefined,
  }));
}

/**
 * Destroys the retired keys of which no sealed values remain, 25 hours after their retirement. Values in an old backup open with that
 * backup's keys. Audited.
 *
 * @returns the ids of the destroyed keys, and of the kept ones with the reason
 */
export async function destroyRetiredKeys(
  deps: { db: Database; pool: Pool; dataKeys: OpenKeyring; clock: Clock },
  { actor, reason }: { actor: string; reason: string },
  columns: readonly SealedColumn[],
): Promise<{ destroyed: number[]; kept: { id: number; why: string }[] }> {
  const now = deps.clock.now();
  const retired = (await listDataKeys(deps, columns)).filter(({ status }) => status === 'RETIRED');
  const kept: { id: number; why: string }[] = [];
  const destroyed: number[] = [];
  for (const { id, values = 0, retiredAt = now } of retired) {
    const isRecent = now.getTime() - retiredAt.getTime() < KEPT_MS;
    if (values > 0) kept.push({ id, why: `${values} values are still sealed with it: run "paytag keys rekey" again` });
    else if (isRecent) kept.push({ id, why: 'it was retired less than 25 hours ago' });
    else destroyed.push(id);
  }
  if (destroyed.length > 0) {
    await deps.db.transaction(async (tx) => {
      await lockDataKeys(tx);
      for (const id of destroyed) await setDestroyed(tx, id, now);
      const change = {
        before: { keys: destroyed, status: 'RETIRED' },
        after: { keys: destroyed, status: 'DESTROYED' },
      };
      await recordChange(tx, { actor, action: 'keys.destroy', target: 'data-keys', ...change, reason });
    });
    await deps.dataKeys.refresh();
  }
  return { destroyed, kept };
}

/** The pages of a table read in one step, and the values written in one statement. */
const PAGES = 256;

const BATCH = 500;

const NAME = /^[a-z_]+(\.[a-z_]+)?$/;

/** The names are ours, and go into the statement unescaped. */
function named({ table, column, row }: SealedColumn): { table: string; column: string; key: string } {
  if (![table, column, ...row].every((name) => NAME.test(name))) throw new Error(`not a column: ${table} ${column}`);
  return { table, column, key: row.map((name, at) => `${name} as k${at}`).join(', ') };
}

/** A sealed value with the identifying columns of its row. */
type Keyed = { sealed: Buffer } & Record<`k${number}`, RowKey[number]>;

const keyOf = ({ row }: SealedColumn, read: Keyed): RowKey => row.map((_name, at) => read[`k${at}`] ?? null);

/** The number of values of a column by sealing key. */
async function countByKey(pool: Pool, where: SealedColumn): Promise<ReadonlyMap<number, number>> {
  const { table, column } = named(where);
  const { rows } = await pool.query<{ key: number; values: number }>(
    `select ('x' || encode(substring(${column} from 2 for 4), 'hex'))::bit(32)::integer as key, count(*)::integer as values
     from ${table} where length(${column}) > 5 group by 1`,
  );
  return new Map(rows.map(({ key, values }) => [key, values]));
}

/** The result of one pass over a column. */
export interface Pass {
  sealed: number;
  /** Values that changed in the meantime: their writer sealed them, or the next pass does. */
  overtaken: number;
  /** Values that open with none of our keys: they stay as they are. */
  unreadable: number;
}

/**
 * Reseals a column with the current key in small transactions, from the first page of the table to the last. A value is written only
 * if it is still the one that was read, so that no concurrent change is lost.
 */
async function resealColumn(
  { pool, keyring }: { pool: Pool; keyring: Keyring },
  where: SealedColumn,
  signal: AbortSignal,
): Promise<Pass> {
  const { table, column, key } = named(where);
  const done: Pass = { sealed: 0, overtaken: 0, unreadable: 0 };
  const size = await pool.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::bigint)::integer as pages`,
    [table],
  );
  const pages = size.rows[0]?.pages ?? 0;
  for (let page = 0; page < pages && !signal.aborted; page += PAGES) {
    const { rows } = await pool.query<Keyed & { at: string }>(
      `select ctid::text as at, ${column} as sealed, ${key} from ${table}
       where ctid >= $1::tid and ctid < $2::tid and ${column} is not null and substring(${column} from 1 for 5) <> $3`,
      [`(${page},0)`, `(${page + PAGES},0)`, keyring.sealedPrefix],
    );
    for (let from = 0; from < rows.length && !signal.aborted; from += BATCH) {
      const batch = rows.slice(from, from + BATCH).flatMap((one) => {
        const resealed = reseal(keyring, where, one);
        return resealed === undefined ? [] : [{ at: one.at, sealed: one.sealed, resealed }];
      });
      const read = Math.min(BATCH, rows.length - from);
      const { rowCount } = await pool.query(
        `update ${table} t set ${column} = v.resealed
         from unnest($1::tid[], $2::bytea[], $3::bytea[]) v (at, sealed, resealed)
         where t.ctid = any ($1::tid[]) and t.ctid = v.at and t.${column} = v.sealed`,
        [batch.map(({ at }) => at), batch.map(({ sealed }) => sealed), batch.map(({ resealed }) => resealed)],
      );
      done.sealed += rowCount ?? 0;
      done.overtaken += batch.length - (rowCount ?? 0);
      done.unreadable += read - batch.length;
    }
  }
  return done;
}

function reseal(keyring: Keyring, where: SealedColumn, read: Keyed): Buffer | undefined {
  const row = keyOf(where, read);
  try {
    return keyring.seal(where, row, keyring.open(where, row, read.sealed));
  } catch {
    return undefined; // from another row, or not sealed by us
  }
}

/** Opens every sealed value in its row: one that was changed, or copied from another row, does not open. */
export const sealedValuesOpen = (keyring: Keyring, columns: readonly SealedColumn[]): StreamedInvariant => ({
  name: 'sealed_values_open',
  promise: 'every sealed value was sealed by us for its row',
  wholeOnly: 'no row says when a value was sealed',
  async *find(reader) {
    for (const where of columns) {
      const { table, column, key } = named(where);
      const rows = reader.stream<Keyed>(`select ${column} as sealed, ${key} from ${table} where ${column} is not null`);
      for await (const read of rows) {
        const row = keyOf(where, read);
        try {
          keyring.open(where, row, read.sealed);
        } catch {
          const whose = where.row.map((name, at) => [name, authenticated(row[at])]);
          yield { table, column, ...Object.fromEntries(whose) };
        }
      }
    }
  },
});
