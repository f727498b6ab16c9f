import type { Logger } from 'pino';
import { type ChangeableKeyring, type DataKey, type Keyring, keyringOf, randomKeys } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { foreignRootKey, stampedRootKey } from '#modules/installation';
import { insertDataKeys, lockDataKeys, selectDataKeys, selectStates } from './store.ts';
import { type RootKeys, unwrap, wrap } from './wrapping.ts';

/** So often a process looks whether its keys are the present ones. */
const REFRESH_MS = 2000;

type Deps = { db: Database; roots: RootKeys; log: Logger };

/** The keyring of a process, and what keeps it up to date. */
export interface OpenKeyring {
  readonly keyring: Keyring;
  /** Takes over what was made, promoted, retired or destroyed since. */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * The keys of this installation, unwrapped. In a new one they are made; in one from before keys were stored they are those
 * derived from its root key, which are stored now. Follows what a rekey does in another process.
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
    states = JSON.stringify(rows.map(({ id, status }) => ({ id, status })));
    return present;
  };
  const first = await load();
  const keyring: ChangeableKeyring = keyringOf(first.length > 0 ? first : (await makeFirst(deps), await load()));
  const refresh = async (): Promise<void> => {
    if (JSON.stringify(await selectStates(deps.db)) !== states) keyring.use(await load());
  };
  let failed = false;
  const timer = setInterval(() => {
    refresh().then(
      () => (failed = false),
      (error: unknown) => {
        if (!failed) deps.log.warn({ err: error }, 'the data keys could not be read again: asking again');
        failed = true;
      },
    );
  }, REFRESH_MS).unref();
  return { keyring, refresh, close: () => clearInterval(timer) };
}

/** Of several processes at once, one makes the first keys. */
async function makeFirst({ db, roots }: Deps): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDataKeys(tx);
    if ((await selectDataKeys(tx)).length > 0) return;
    const stamped = await stampedRootKey(tx);
    const root = stamped === undefined ? roots[0] : roots.find(({ id }) => id === stamped);
    if (root === undefined) throw foreignRootKey();
    const keys = stamped === undefined ? randomKeys() : root.derived;
    if (keys === undefined) throw foreignRootKey();
    const rows = await Promise.all(keys.map((key) => wrap(root, key)));
    await insertDataKeys(
      tx,
      rows.map((row) => ({ ...row, status: 'CURRENT' as const })),
    );
  });
}
