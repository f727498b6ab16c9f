import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { createKeyring, derivedKeys, fingerprintOf } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { createTransact, type Transact } from '#lib/transact.ts';
import { stampInstallation } from '#modules/installation';
import { insertDataKeys } from '../../src/modules/data-keys/store.ts';
import { wrap } from '../../src/modules/data-keys/wrapping.ts';
import { emit, registerReceiver } from '../../src/modules/outbox/index.ts';
import { masterRootKey } from '../../src/providers/kms/master-key.ts';
import { useDatabase } from './database.ts';

/** The root key of what it seals, for processes that open it again. */
export const KEYRING_ROOT = Buffer.alloc(32, 7);
export const keyring = createKeyring(KEYRING_ROOT);

/** A partner's receiver, with the keys it verifies by. */
export interface TestReceiver {
  id: string;
  ownerId: string;
  clientId: string;
  secret: string;
}

/** The outbox in a database of its own, which it owns, and the two things that happen to it: receivers, and events. */
export interface TestOutbox extends Pick<DatabaseHandle, 'db' | 'pool'> {
  readonly transact: Transact;
  readonly url: string;
  newReceiver(url: string | null, ownerKind?: 'PARTNER' | 'APPLICATION'): Promise<TestReceiver>;
  /** Commits `count` events, each with a reference of its own, in one transaction. Resolves to their references. */
  emitTo(receiver: TestReceiver, count?: number, event?: string): Promise<string[]>;
}

export function useOutbox(): TestOutbox {
  const { url, ownerUrl } = useDatabase();
  let handle: DatabaseHandle | undefined;
  const opened = () => {
    if (handle === undefined) throw new Error('the outbox is open from beforeAll to afterAll');
    return handle;
  };
  beforeAll(async () => {
    handle = openDatabase(ownerUrl, 8, () => undefined);
    // The keys that `keyring` has, as a server of this root key finds them.
    const wrapped = derivedKeys(KEYRING_ROOT).map((key) => wrap(masterRootKey(KEYRING_ROOT), key));
    const rows = await Promise.all(wrapped);
    await handle.db.transaction((tx) =>
      insertDataKeys(
        tx,
        rows.map((row) => ({ ...row, status: 'CURRENT' as const })),
      ),
    );
    await stampInstallation(handle.db, 'sandbox', [fingerprintOf(KEYRING_ROOT)]);
  });
  afterAll(() => handle?.close());
  return {
    transact: (work) => createTransact(opened().pool, () => undefined)(work),
    url,
    get db() {
      return opened().db;
    },
    get pool() {
      return opened().pool;
    },
    async newReceiver(target, ownerKind = 'PARTNER') {
      const keys = {
        clientId: `pc_${randomUUID()}`,
        secret: `whsec_${Buffer.alloc(32, randomUUID()).toString('base64')}`,
      };
      const ownerId = randomUUID();
      const { id } = await opened().db.transaction((tx) =>
        registerReceiver(tx, keyring, { ownerId, ownerKind, now: new Date(), url: target, ...keys }),
      );
      return { id, ownerId, ...keys };
    },
    async emitTo({ ownerId }, count = 1, event = 'wallet.credited') {
      const references = Array.from({ length: count }, () => randomUUID());
      await opened().db.transaction(async (tx) => {
        for (const reference of references) {
          const body = JSON.stringify({ event, reference, data: { Amount: 10.5, Note: 'ünïcødé ₦' } });
          await emit(tx, { ownerId, event, reference, body });
        }
      });
      return references;
    },
  };
}
