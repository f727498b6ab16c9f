import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createKeyring, derivedKeys, fingerprintOf } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { createTransact, type Transact } from '#lib/postgres/transact.ts';
import { createSecurityLog } from '#lib/security-events.ts';
import { stampInstallation } from '#modules/keys';
import {
  addressPolicy,
  breakerRules,
  createDispatcher,
  createResolve,
  createSender,
  type Dispatcher,
} from '#modules/webhooks';
import { insertDataKeys } from '../../src/modules/keys/data-key-store.ts';
import { wrap } from '../../src/modules/keys/open-keyring.ts';
import { emit, registerReceiver } from '../../src/modules/outbox/index.ts';
import { masterRootKey } from '../../src/providers/kms/open-root-keys.ts';
import { useDatabase } from './database.ts';
import { type TestLog, testLog } from './log.ts';

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

/** In flight at once, and of one receiver. */
const SLOTS = 16;
export const PER_RECEIVER = 4;

export interface TestDispatchers {
  /**
   * A dispatcher that pumps by itself when something is due, as a worker does, with a backoff of a few milliseconds. It
   * is closed after the test.
   */
  start(given: { pool: Pool; baseMs?: number; timeoutMs?: number }): Dispatcher;
  /** What those of this test logged. */
  readonly kept: TestLog;
}

export function useDispatchers(): TestDispatchers {
  const running: { close(): Promise<void> }[] = [];
  let kept = testLog();
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
    kept = testLog();
  });
  return {
    get kept() {
      return kept;
    },
    start({ pool, baseMs = 1, timeoutMs = 60_000 }) {
      const timers = new Set<NodeJS.Timeout>();
      const allows = addressPolicy(['127.0.0.0/8']);
      const sender = createSender({ timeoutMs, allows, resolve: createResolve(), connectionsPerOrigin: SLOTS });
      const dispatcher: Dispatcher = createDispatcher({
        pool,
        sender,
        keyring,
        clock: systemClock,
        log: kept.log,
        securityLog: createSecurityLog({ log: kept.log, counted: () => undefined }),
        backoff: { baseMs, jitter: 0.2 },
        breaker: breakerRules(baseMs),
        leaseMs: 300_000,
        slots: SLOTS,
        perReceiver: PER_RECEIVER,
        onDue: (inMs) => void timers.add(setTimeout(() => void dispatcher.pump(), inMs)),
      });
      running.push({
        async close() {
          for (const timer of timers) clearTimeout(timer);
          await dispatcher.close();
          await sender.close();
        },
      });
      return dispatcher;
    },
  };
}
