import { Client } from 'pg';
import { beforeAll } from 'vitest';
import { createKeyring, fingerprintOf } from '#lib/crypto/keyring.ts';
import { createLog } from '#lib/log.ts';
import { type DatabaseOptions, openDatabase } from '#lib/postgres/database.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { createLongWork } from '#lib/postgres/long-work.ts';
import { createTransact } from '#lib/postgres/transact.ts';
import { createSecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { rotateSigningKeys, stampInstallation } from '#modules/keys';
import {
  applyDeferred,
  asMinor,
  changeRules,
  expireHolds,
  liftLien,
  type Posting,
  placeHold,
  placeLien,
  releaseHold,
  settlePendingTo,
} from '#modules/ledger';
import { sealDue, verifySeals } from '#modules/proof';
import { testClock } from '../../support/app.ts';
import { asOwner, useDatabase } from '../../support/database.ts';
import { COMMISSION, FEE, FLOAT, idOf, openCopy, SUSPENSE } from '../../support/ledger-copy.ts';
import { postingBetween, tryPost, untold } from '../../support/post.ts';

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

const NOW = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-03T12:00:00Z');

/** Makes books in which everything has happened that can: some of it is over, some still open. */
export async function keepBusy(db: Database): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const copy = await openCopy(db, 'apart', 100_000n);
    const account = (index: number) => idOf(copy.accounts, index);
    const [float, ada, bola, fee] = [account(FLOAT), account(1), account(2), account(FEE)];
    let posted = 0;
    const move = async (from: number, to: number, amount: bigint, more: Partial<Posting> = {}) => {
      posted += 1;
      const names = { owner: copy.owner, partner: copy.owner, reference: `r${posted}` };
      return (await tryPost(db, postingBetween(from, to, amount, { ...names, ...more }), NOW)).id;
    };
    const hold = (reference: string, amount: bigint, expiresAt: Date) =>
      placeHold(
        db,
        {
          owner: copy.owner,
          reference,
          account: ada,
          amount: asMinor(amount),
          expiresAt,
          defaultDailyLimit: asMinor(90_000n),
        },
        NOW,
      );
    const setStatus = (id: number, status: 'Enabled' | 'PNC') =>
      db.transaction((tx) => changeRules(tx, id, { status }, NOW));

    for (const wallet of [ada, bola]) await move(float, wallet, 20_000n);
    const legs = [
      { account: ada, amount: asMinor(-1_040n), fee: asMinor(25n) },
      { account: bola, amount: asMinor(1_000n) },
      { account: fee, amount: asMinor(25n) },
      { account: account(COMMISSION), amount: asMinor(15n) },
    ];
    const transfer = await move(ada, bola, 1_000n, { type: 'TRANSFER', fee: asMinor(25n), legs, limitAccount: ada });
    await move(bola, ada, 1_000n, { type: 'PARTNER_REFUND', original: transfer });
    await move(bola, ada, 1n, { type: 'PARTNER_REFUND', original: transfer });
    const debits = [await move(ada, float, 900n), await move(ada, float, 800n), await move(bola, float, 700n)];
    for (const original of debits.slice(0, 2)) await move(float, ada, 300n, { type: 'PARTNER_REFUND', original });
    await move(ada, float, 999_999n);
    await applyDeferred(db, 2);

    const refund = (original: number | undefined) =>
      move(float, bola, 350n, { type: 'PARTNER_REFUND', original, suspenseAccount: account(SUSPENSE) });
    await setStatus(bola, 'PNC');
    await refund(debits[2]);
    await move(float, bola, 5n);
    await setStatus(bola, 'Enabled');
    await db.transaction((tx) => settlePendingTo(tx, bola, { afterSettling: untold, now: NOW }));
    if (round === 0) {
      await setStatus(bola, 'PNC');
      await refund(debits[2]);
    }

    await move(ada, float, 250n, { hold: await hold('captured', 400n, LATER) });
    await releaseHold(db, await hold('released', 500n, LATER), NOW);
    await hold('expired', 600n, NOW);
    await expireHolds(db, 10, NOW);
    await hold('open', 700n, LATER);
    await db.transaction(async (tx) => {
      const lien = { account: ada, amount: asMinor(50n), reason: 'court order' };
      await liftLien(tx, { account: ada, lien: await placeLien(tx, lien, NOW) }, NOW);
      await placeLien(tx, lien, NOW);
    });
    await move(float, ada, 10n);
  }
}
