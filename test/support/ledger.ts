import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { createTransact, type Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import { type Invariant } from '#lib/room.ts';
import {
  assertPosted,
  openFloatAccount,
  openWalletAccount,
  POSTING_PURPOSE,
  type Posted,
  type Posting,
  room,
  systemAccount,
} from '#modules/ledger';
import { createChecker, type IntegrityReport } from '#modules/proof';
import { tryPost } from '../../src/modules/ledger/poster.ts';
import type { TestApp } from './app.ts';
import { asOwner, useDatabase } from './database.ts';
import { keyring, post, postingBetween } from './post.ts';

/** A partner's float and one of its wallets. */
export interface Book {
  partner: string;
  float: number;
  wallet: number;
  walletReference: string;
}

/** The ledger room alone, on a database of its own, which it owns. */
export interface TestLedger {
  readonly db: DatabaseHandle['db'];
  readonly transact: Transact;
  readonly pool: Pool;
  /** Opens a partner's float with `balance` minor units and one wallet for it; no partner need exist for that. */
  newBook(balance?: bigint): Promise<Book>;
  /** Opens one more wallet, of a holder who may have others. */
  newWallet(partner: string, holderId?: string): Promise<number>;
  balance(account: number): Promise<bigint>;
}

type Names = { reference?: string; holderId?: string | undefined };

export function useLedger(poolMax = 20): TestLedger {
  const database = useDatabase();
  let handle: DatabaseHandle | undefined;
  const live = () => {
    if (handle === undefined) throw new Error('the ledger runs from beforeAll to afterAll');
    return handle;
  };
  beforeAll(() => {
    handle = openDatabase(database.ownerUrl, poolMax, () => {});
  });
  afterAll(() => handle?.close());

  const newWallet = async (partner: string, { reference = `PW-${randomId()}`, holderId }: Names = {}) => {
    const wallet = { partnerId: partner, reference, currency: 'NGN', holderId } as const;
    return live().db.transaction((tx) => openWalletAccount(tx, keyring, wallet));
  };

  return {
    transact: (work) => createTransact(live().pool, () => undefined)(work),
    get db() {
      return live().db;
    },
    get pool() {
      return live().pool;
    },
    newWallet: (partner, holderId) => newWallet(partner, { holderId }),
    async newBook(balance = 0n) {
      const partner = crypto.randomUUID();
      const walletReference = `PW-${randomId()}`;
      const float = await live().db.transaction((tx) => openFloatAccount(tx, keyring, partner, 'NGN'));
      const wallet = await newWallet(partner, { reference: walletReference });
      if (balance > 0n) {
        const opening = { owner: partner, reference: `opening-${partner}`, type: 'FLOAT_FUNDING' } as const;
        await post(live().db, postingBetween(systemAccount('CLEARING', 'NGN'), float, balance, opening));
      }
      return { partner, float, wallet, walletReference };
    },
    async balance(account) {
      const { rows } = await live().pool.query('select posted from ledger.account where id = $1', [account]);
      return BigInt(rows[0].posted);
    },
  };
}

const log = createLog('silent');

/** What the rooms hold, and the ledger does not ask of them: tests of the ledger alone post any legs that balance, at any time, and restrict any account. */
const OF_THE_ROOMS = new Set([
  'transactions_are_their_entries',
  'reversals_undo_their_original',
  'histories_run_forwards',
  'only_wallets_are_restricted',
]);
const held = (room.invariants?.({ keyring, nubanInstitutionCode: '', isSample: () => 'false' }) ?? []).filter(
  ({ name }) => !OF_THE_ROOMS.has(name),
);

/** The check that the server runs, of these invariants alone: by default what the ledger holds by itself. */
export async function checkLedger(
  db: Database,
  { invariants = held, since, limitMs }: { invariants?: readonly Invariant[]; since?: Date; limitMs?: number } = {},
): Promise<IntegrityReport> {
  const { connectionString } = (db as Database & { $client: { options: { connectionString: string } } }).$client
    .options;
  return createChecker({
    databaseUrl: connectionString,
    db,
    clock: systemClock,
    log,
    invariants: async () => invariants,
    ...(limitMs === undefined ? {} : { limitMs }),
  }).check(since);
}

/** Posts at a moment that has passed, which only the owner of the database can. Accounts that moved later are not to be used. */
export function usePast(server: TestApp): (posting: Posting, at: Date) => Promise<Posted> {
  let handle: DatabaseHandle | undefined;
  beforeAll(() => {
    handle = openDatabase(asOwner(server.resources.databaseUrl), 1, () => {});
  });
  afterAll(() => handle?.close());
  return async (posting, at) => {
    if (handle === undefined) throw new Error('the past is open from beforeAll to afterAll');
    const vouch = (facts: string) => server.resources.keyring.vouchFor(POSTING_PURPOSE, facts);
    return assertPosted(await tryPost(handle.db, vouch, posting, at));
  };
}
