import { Client } from 'pg';
import { beforeAll } from 'vitest';
import { createKeyring, fingerprintOf } from '#lib/crypto/keyring.ts';
import { type DatabaseOptions, openDatabase } from '#lib/database.ts';
import { createLog } from '#lib/log.ts';
import { createLongWork } from '#lib/long-work.ts';
import { createSecurityLog } from '#lib/security-events.ts';
import { createTransact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { stampInstallation } from '#modules/installation';
import { sealDue, verifySeals } from '#modules/seals';
import { rotateSigningKeys } from '#modules/signing-keys';
import { testClock } from '../../support/clock.ts';
import { asOwner, useDatabase } from '../../support/database.ts';
import { keepBusy } from '../ledger/busy-ledger.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
/** Which root key it comes from. */
export const ROOT = [fingerprintOf(Buffer.alloc(32, 7))] as const;
/** So many hours ago everything began. */
const HOURS = 30;

/** What a process that seals is given, on a database, with limits for its requests; and what it logged. */
export function openSealer(url: string, limits: DatabaseOptions = {}) {
  const lines: string[] = [];
  const handle = openDatabase(url, 4, () => {}, limits);
  const { db, pool } = handle;
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const deps = {
    db,
    pool,
    workLong: createLongWork(url),
    keyring,
    clock: testClock(),
    log,
    transact: createTransact(pool, () => undefined),
  };
  const securityLog = createSecurityLog({ log, counted: () => undefined });
  return { ...deps, securityLog, lines, close: () => handle.close() };
}

/** Runs `work` with a process of its own on a database. */
export async function withSealer<T>(
  url: string,
  work: (sealer: ReturnType<typeof openSealer>) => Promise<T>,
  limits?: DatabaseOptions,
): Promise<T> {
  const sealer = openSealer(url, limits);
  try {
    return await work(sealer);
  } finally {
    await sealer.close();
  }
}

export const verify = (url: string, copy: readonly string[]) => withSealer(url, (sealer) => verifySeals(sealer, copy));

/** Does to a database, as its owner and with every trigger off, what no operation of ours can do. */
export async function change(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: asOwner(url) });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** As if everything had happened in the last hours, some of it in each. */
const spread = [
  `update installation.stamp set created_at = now() - interval '${HOURS} hours'`,
  `update ledger.transaction set created_at = now() - interval '${HOURS} hours' + id % ${HOURS} * interval '1 hour'`,
  `update ledger.entry e set created_at = t.created_at from ledger.transaction t where t.id = e.transaction_id`,
  `update outbox.event set created_at = now() - interval '${HOURS} hours' + sequence % ${HOURS} * interval '1 hour'`,
  `update audit.entry set at = now() - interval '${HOURS} hours' + id % ${HOURS} * interval '1 hour'`,
];

/**
 * Books in which everything has happened that can, sealed hour by hour since the day before yesterday, with a rotation of
 * the keys and a restart in between.
 */
export function useSealedBooks(): { readonly url: string; readonly copy: string[] } {
  const { url } = useDatabase();
  const copy: string[] = [];
  beforeAll(async () => {
    const keep = async (limit?: number) => {
      copy.push(...(await withSealer(url, (sealer) => sealDue(sealer, limit))).map(({ seal }) => seal));
    };
    await withSealer(asOwner(url), ({ db }) => keepBusy(db));
    await withSealer(url, async ({ db }) => {
      await stampInstallation(db, 'sandbox', ROOT);
      for (const target of ['PW-1', 'PW-2', 'PW-3']) {
        await recordChange(db, {
          actor: 'operator',
          action: 'wallet.change',
          target,
          after: { status: 'PND' },
          reason: 'x',
        });
      }
    });
    await change(url, ...spread);
    await keep(10);
    await withSealer(url, (sealer) =>
      rotateSigningKeys(sealer, { actor: 'operator', reason: 'yearly', immediately: true }),
    );
    await keep();
  });
  return { url, copy };
}
