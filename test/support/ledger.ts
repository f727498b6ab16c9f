import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { randomId } from '#lib/random.ts';
import { createTransact, type Transact } from '#lib/transact.ts';
import { openFloatAccount, openWalletAccount, systemAccount } from '#modules/ledger';
import { useDatabase } from './database.ts';
import { post } from './post.ts';
import { postingBetween } from './posting-between.ts';

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
    return (await live().db.transaction((tx) => openWalletAccount(tx, wallet))).id;
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
      const float = await live().db.transaction((tx) => openFloatAccount(tx, partner, 'NGN'));
      const wallet = await newWallet(partner, { reference: walletReference });
      if (balance > 0n) {
        const opening = { owner: partner, reference: `opening-${partner}`, type: 'FLOAT_FUNDING' } as const;
        await post(live().db, postingBetween(systemAccount('CLEARING', 'NGN'), float.id, balance, opening));
      }
      return { partner, float: float.id, wallet, walletReference };
    },
    async balance(account) {
      const { rows } = await live().pool.query('select posted from ledger.account where id = $1', [account]);
      return BigInt(rows[0].posted);
    },
  };
}
