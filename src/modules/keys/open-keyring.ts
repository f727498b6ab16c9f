import type { Logger } from 'pino';
import { z } from 'zod';
import {
  type ChangeableKeyring,
  type DataKey,
  type Keyring,
  keyringOf,
  keyUses,
  randomKeys,
} from '#lib/crypto/keyring.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import { type RootKey, RootKeyUnavailable } from '../../providers/kms/port.ts';
import {
  countSealed,
  type DataKeyRow,
  insertDataKeys,
  lockDataKeys,
  selectDataKeys,
  selectStates,
  setWrapped,
} from './data-key-store.ts';
import { foreignRootKey, InstallationMismatch, stampedRootKey, stampRootKey } from './stamp-installation.ts';

/** How often a process checks that its keys are current. */
const REFRESH_MS = 2000;

/** After this many checks, half a minute, it adds its sealed values to the count. */
const COUNT_EVERY = 15;

type Deps = { db: Database; roots: RootKeys; log: Logger; metrics?: Meter | undefined };

/** The keyring of a process, kept up to date. */
export interface OpenKeyring {
  readonly keyring: Keyring;
  /** Loads keys that were created, promoted, retired or destroyed since. */
  refresh(): Promise<void>;
  /** Adds this process's sealed values to the count in the database. */
  count(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The keys of this installation, unwrapped; in a new one they are created. Follows a rekey in another process.
 *
 * @throws InstallationMismatch when none of our root keys wrapped them; RootKeyUnavailable
 */
export async function openKeyring(deps: Deps): Promise<OpenKeyring> {
  const keys = new Map<number, DataKey>();
  let states = '';
  const load = async (): Promise<readonly DataKey[]> => {
    const rows = await selectDataKeys(deps.db);
    const present: DataKey[] = [];
    for (const row of rows) {
      if (row.wrapped === null) continue;
      const known = keys.get(row.id) ?? (await unwrap(deps.roots, row, row.wrapped));
      present.push({ ...known, isCurrent: row.status === 'CURRENT' });
    }
    keys.clear();
    for (const key of present) keys.set(key.id, key);
    states = statesOf(rows);
    return present;
  };
  const first = await load();
  const keyring: ChangeableKeyring = keyringOf(first.length > 0 ? first : (await makeFirst(deps), await load()));
  const { metrics = noMeter } = deps;
  const uncounted = new Map<number, number>();
  const refresh = async (): Promise<void> => {
    const now = await selectStates(deps.db);
    const sealing = now.find(({ use, status }) => use === 'SEAL' && status === 'CURRENT');
    if (sealing !== undefined) metrics.set('paytag_data_key_sealed', {}, sealing.sealed);
    if (statesOf(now) !== states) keyring.use(await load());
  };
  const count = async (): Promise<void> => {
    for (const [id, more] of keyring.takeSealed()) uncounted.set(id, (uncounted.get(id) ?? 0) + more);
    for (const [id, more] of uncounted) {
      await countSealed(deps.db, [id, more]);
      uncounted.delete(id);
    }
  };
  let failed = false;
  let checks = 0;
  const timer = setInterval(() => {
    checks += 1;
    const isToCount = checks % COUNT_EVERY === 0;
    (isToCount ? count().then(refresh) : refresh()).then(
      () => (failed = false),
      (error: unknown) => {
        if (!failed)
          deps.log.warn(
            { event: 'data_keys.refresh_failed', err: error },
            'reading the data keys failed: it will be retried',
          );
        failed = true;
      },
    );
  }, REFRESH_MS).unref();
  return {
    keyring,
    refresh,
    count,
    async close() {
      clearInterval(timer);
      await count().catch((err: unknown) =>
        deps.log.warn({ event: 'data_keys.count_failed', err }, 'the last sealed values are missing from the count'),
      );
    },
  };
}

const statesOf = (rows: readonly { id: number; status: string }[]): string =>
  JSON.stringify(rows.map(({ id, status }) => [id, status]));

/** One process at a time creates the first keys. */
async function makeFirst({ db, roots }: Deps): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDataKeys(tx);
    if ((await selectDataKeys(tx)).length > 0) return;
    if ((await stampedRootKey(tx)) !== undefined) {
      throw new InstallationMismatch(
        'the keys with which this database was sealed are not in data_keys.data_key: restore that table from a backup',
      );
    }
    const rows = await Promise.all(randomKeys().map((key) => wrap(roots[0], key)));
    await insertDataKeys(
      tx,
      rows.map((row) => ({ ...row, status: 'CURRENT' as const })),
    );
  });
}

/** The root keys of a process: the first wraps, the others still unwrap. */
export type RootKeys = readonly [RootKey, ...RootKey[]];

/** The wrapped content: the key with its id and use, so that no key can take the place of another. */
const content = z.object({ id: z.int(), use: z.enum(keyUses), key: z.base64() });

/** The stored form of a key. */
export async function wrap(root: RootKey, { id, use, key }: Omit<DataKey, 'isCurrent'>) {
  const wrapped = await root.wrap(JSON.stringify({ id, use, key: key.toString('base64') }));
  return { id, use, wrapped, rootKey: root.id };
}

/**
 * Unwraps a stored key.
 *
 * @throws InstallationMismatch when none of our root keys wrapped it, or when it was altered; RootKeyUnavailable
 */
async function unwrap(roots: RootKeys, row: DataKeyRow, wrapped: Buffer): Promise<DataKey> {
  const root = roots.find(({ id }) => id === row.rootKey);
  if (root === undefined) throw foreignRootKey();
  const { id, use, key } = await contentOf(root, wrapped, row.id);
  if (id !== row.id || use !== row.use) throw tampered(row.id);
  return { id, use, key: Buffer.from(key, 'base64'), isCurrent: row.status === 'CURRENT' };
}

async function contentOf(root: RootKey, wrapped: Buffer, id: number): Promise<z.output<typeof content>> {
  try {
    return content.parse(JSON.parse(await root.unwrap(wrapped)));
  } catch (cause) {
    throw cause instanceof RootKeyUnavailable ? cause : tampered(id);
  }
}

const tampered = (id: number): InstallationMismatch =>
  new InstallationMismatch(
    `the key ${id} in data_keys.data_key does not open with its root key: it was changed; restore the row from a backup`,
  );

/**
 * Wraps every stored key with the root key that comes first, in one transaction: MASTER_KEY in place of MASTER_KEY_PREVIOUS,
 * or the keeper's key in place of MASTER_KEY. Sealed values stay as they are, and running processes keep their keys. Repeated,
 * it wraps them again, e.g. with a newer version of the keeper's key. Audited.
 *
 * @returns the number of keys, and the root key that wraps them now
 */
export async function rewrapDataKeys(
  { db, roots }: { db: Database; roots: RootKeys },
  { actor, reason }: { actor: string; reason: string },
): Promise<{ keys: number; rootKey: string }> {
  const [root] = roots;
  return db.transaction(async (tx) => {
    await lockDataKeys(tx);
    const rows = await selectDataKeys(tx);
    let keys = 0;
    for (const row of rows) {
      if (row.wrapped === null) continue;
      const { wrapped, rootKey } = await wrap(root, await unwrap(roots, row, row.wrapped));
      await setWrapped(tx, row.id, { wrapped, rootKey });
      keys += 1;
    }
    await stampRootKey(tx, root.id);
    const before = { rootKeys: [...new Set(rows.map(({ rootKey }) => rootKey))] };
    await recordChange(tx, {
      actor,
      action: 'keys.rewrap',
      target: 'data-keys',
      before,
      after: { rootKey: root.id },
      reason,
    });
    return { keys, rootKey: root.id };
  });
}
