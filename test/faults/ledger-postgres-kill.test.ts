import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { openFloatAccount, openWalletAccount, type Posted, type Posting, systemAccount } from '#modules/ledger';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { repetitions } from '../support/cases.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { checkLedger } from '../support/ledger.ts';
import { keyring, newPoster, post, postingBetween } from '../support/post.ts';
import { openAckLog } from './ack-log.ts';
import { killPostgres } from './kill-postgres.ts';

const CLIENTS = 24;
const WALLETS = 4;
const ROUNDS = repetitions({ short: 1, soak: 20 });
const FUNDING = 1_000n;
/** The class of what PostgreSQL says when it goes. */
const SHUTDOWN = '57';
const OWNER = crypto.randomUUID();

let root = '';
let postgres: Embedded;
let database: DatabaseHandle;
let float = 0;
const wallets: number[] = [];
const acks = openAckLog<string>();
const sent = new Map<string, Posting>();
/** What its clients saw of the end. */
const failures: unknown[] = [];

/** A PostgreSQL as a fresh clone gets it: nothing is told to be quick, and a commit waits for the disk. */
async function start(): Promise<void> {
  postgres = await startEmbedded(root);
  database = openDatabase(postgres.url('postgres'), 8, () => {});
}

beforeAll(async () => {
  root = await newDatabaseFolder('paytag-test-kill-');
  await copyCluster(root, 'migrated');
  await start();
  await database.db.transaction(async (tx) => {
    float = await openFloatAccount(tx, keyring, OWNER, 'NGN');
    while (wallets.length < WALLETS) {
      const wallet = { partnerId: OWNER, reference: `PW-${wallets.length}`, currency: 'NGN' } as const;
      wallets.push(await openWalletAccount(tx, keyring, wallet));
    }
    const names = { owner: OWNER, namer: 'OPERATOR', reference: 'opening', type: 'FLOAT_FUNDING' } as const;
    await post(tx, postingBetween(systemAccount('CLEARING', 'NGN'), float, FUNDING, names));
  });
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(root, { recursive: true });
  acks.remove();
});

/** What a posting came to, in words that must be the same for ever. */
async function outcome(posted: Promise<Posted>): Promise<string> {
  return posted.then(
    ({ id, entries }) => `${id}: ${entries.map(({ opening, amount }) => `${opening}${amount}`).join()}`,
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );
}

/** Postings, new ones and now and then an old one again, gathered and alone, until PostgreSQL is gone. */
async function load(send: (posting: Posting) => Promise<Posted>): Promise<void> {
  for (;;) {
    const old = [...sent.keys()];
    const again = old.length > 0 && randomInt(100) < 30;
    const reference = again ? (old[randomInt(old.length)] ?? '') : `r${sent.size}`;
    const to = wallets[randomInt(WALLETS)] ?? 0;
    const fresh = postingBetween(float, to, BigInt(randomInt(1, 30)), { owner: OWNER, partner: OWNER, reference });
    const posting = sent.get(reference) ?? fresh;
    sent.set(reference, posting);
    try {
      acks.write(reference, await outcome(send(posting)));
    } catch (error) {
      failures.push(error);
      return;
    }
  }
}

it('PostgreSQL killed with -9 under load loses nothing that was acknowledged, and doubles nothing', async () => {
  const { rows } = await database.pool.query(
    `select current_setting('fsync') as f, current_setting('synchronous_commit') as c`,
  );
  expect(rows).toEqual([{ f: 'on', c: 'on' }]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { db, pool } = database;
    const poster = newPoster(pool, () => undefined);
    const gathered = (posting: Posting) => poster.post(posting);
    const alone = (posting: Posting) => post(db, posting);
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, at) => load(at % 2 === 0 ? gathered : alone)));
    const enough = acks.count + randomInt(160, 300);
    await eventuallyTrue(() => acks.count > enough, { intervalMs: 1 });
    await killPostgres(root);
    await clients;
    await database.close();
    await eventually(start);
  }

  const refusals = failures.map((error) => (error instanceof Error ? (error.cause ?? error) : error));
  const codes = refusals.filter((error) => error instanceof DatabaseError).map(({ code }) => code);
  expect(codes.filter((code) => !code?.startsWith(SHUTDOWN))).toEqual([]);

  const first = new Map<string, string>();
  for (const { reference, answer } of acks.read()) {
    expect(answer).toBe(first.get(reference) ?? answer);
    first.set(reference, answer);
  }
  expect(sent.size).toBeGreaterThan(first.size);
  expect([...first.values()]).toContain('INSUFFICIENT_FUNDS');
  const { rows: kept } = await database.pool.query('select reference from ledger.transaction where owner_id = $1', [
    OWNER,
  ]);
  const references = new Set(kept.map(({ reference }) => reference));
  expect([...first.keys()].filter((reference) => !references.has(reference))).toEqual([]);
  for (const [reference, posting] of sent) {
    const answer = await outcome(post(database.db, posting));
    expect(answer).toBe(first.get(reference) ?? answer);
  }
  expect(await checkLedger(database.db)).toMatchObject({ ok: true });
});
