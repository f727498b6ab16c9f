import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Keyring, KeyUse } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import { insertDataKeys, lockDataKeys, promoteDataKeys, selectDataKeys } from './data-key-store.ts';
import type { OpenKeyring } from './open-keyring.ts';
import { countByKey, sealAnew } from './sealed-values.ts';
import { type RootKeys, wrap } from './wrapping.ts';

/** The uses whose keys are exchanged. The others' stay: what they made is stored for ever, or is what rows are found by. */
const EXCHANGED: KeyUse[] = ['SEAL', 'SIGN'];
/** Twice and more what a process takes to see that keys have changed. */
const SETTLE_MS = 5000;
/** A pass misses what moved before it while it ran; it is found by the next one. */
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

/** How far it is: printed, one line a column and pass. */
export interface Progress {
  table: string;
  column: string;
  sealed: number;
  left: number;
}

/** What a run came to. */
export interface Rekeyed {
  /** The key that seals now. */
  key: number;
  sealed: number;
  /** Values that are sealed with another key still: run it again. */
  left: number;
  /** Values that open with none of our keys. */
  unreadable: number;
}

/**
 * Exchanges the key that seals, and seals everything anew with it, while processes run. When another run was stopped, it goes
 * on with that one's key; a value that opens with no key of ours is no such rest. The new key seals only once every process has it, and the old ones open until they are destroyed
 * (`destroyRetiredKeys`). Audited where it makes a key.
 *
 * @param options.columns every sealed column of every room; `signal` stops it after the batch that is under way
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
    // What a run before left; unless nothing of it opens with any of our keys, and so nothing is to be finished.
    const finished = await sealAll(deps, options);
    if (signal.aborted || finished.sealed > 0 || finished.left > finished.unreadable) return finished;
  }
  await makeNext(deps, { actor, reason });
  await settle(settleMs, signal);
  if (!signal.aborted) await promote(deps);
  await settle(settleMs, signal);
  return sealAll(deps, options);
}

/** Seals everything with the current key, pass by pass. */
async function sealAll(deps: RekeyDeps, { columns, signal, progress }: Options): Promise<Rekeyed> {
  let sealed = 0;
  let unreadable = 0;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    unreadable = 0;
    for (const column of columns) {
      const done = await sealAnew(deps, column, signal);
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

/** How many values are not sealed with the current key. */
async function leftIn({ pool, keyring }: Pick<RekeyDeps, 'pool' | 'keyring'>, columns: readonly SealedColumn[]) {
  const key = keyring.sealedPrefix.readUInt32BE(1);
  let left = 0;
  for (const column of columns) {
    for (const [by, values] of await countByKey(pool, column)) left += by === key ? 0 : values;
  }
  return { left, key };
}

/** Makes the next key of each use that is exchanged, unless a run before was stopped after it had done so. */
async function makeNext({ db, roots }: RekeyDeps, { actor, reason }: { actor: string; reason: string }): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDataKeys(tx);
    const rows = await selectDataKeys(tx);
    if (rows.some(({ status }) => status === 'NEXT')) return;
    const last = Math.max(...rows.map(({ id }) => id));
    const made = await Promise.all(
      EXCHANGED.map((use, index) => wrap(roots[0], { id: last + 1 + index, use, key: randomBytes(32) })),
    );
    await insertDataKeys(
      tx,
      made.map((row) => ({ ...row, status: 'NEXT' as const })),
    );
    const current = rows.filter(({ status, use }) => status === 'CURRENT' && EXCHANGED.includes(use));
    await recordChange(tx, {
      actor,
      action: 'keys.rekey',
      target: 'data-keys',
      before: { keys: current.map(({ id }) => id) },
      after: { keys: made.map(({ id }) => id) },
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

/** Waits until every process has seen what changed, or until it is stopped. */
const settle = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);
