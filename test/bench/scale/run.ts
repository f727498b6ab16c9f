import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemAccount } from '#modules/ledger';
import { checkLedger } from '../../support/ledger.ts';
import { median } from '../measure.ts';
import { makeShards, type Shard, type Spent } from './shard.ts';
import { startTransfers } from './transfers.ts';

const CALLERS = 64;
/** What is due between shards is on accounts that our program does not know. */
const KNOWN = 'our_accounts_are_the_known_ones';
const SHARES = [0, 0.1, 0.5, 1];
const ROUNDS = 3;

const SLICE_MS = 2_000;

const count = Number(process.argv[2] ?? 2);

/** What transfers of one share across shards took. */
interface Slice {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly walBytes: number;
  readonly answeredMs: number;
  readonly arrivedMs: number;
}

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const shards = await makeShards(root, count);
const transfers = startTransfers(shards);
let begun = 0;

const spentByAll = async (): Promise<Spent> => {
  const all = await Promise.all(shards.map(async (shard) => shard.spent()));
  const sum = (of: (spent: Spent) => number) => all.reduce((total, one) => total + of(one), 0);
  return { cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds), walBytes: sum(({ walBytes }) => walBytes) };
};

/** Callers at once for a while, and until everything has arrived. */
async function underLoad(share: number, forMs: number): Promise<{ done: number; answered: number[] }> {
  const until = performance.now() + forMs;
  const answered: number[] = [];
  const before = begun;
  const caller = async () => {
    while (performance.now() < until) {
      const since = performance.now();
      begun += 1;
      await transfers.transfer(`t-${begun}`, Math.random() < share);
      answered.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await transfers.drained();
  return { done: begun - before, answered };
}

async function measure(share: number): Promise<Slice> {
  const [before, since] = [await spentByAll(), performance.now()];
  const { done, answered } = await underLoad(share, SLICE_MS);
  const [after, tookMs] = [await spentByAll(), performance.now() - since];
  return {
    perSecond: (1_000 * done) / tookMs,
    cpuMicroseconds: (1_000_000 * (after.cpuSeconds - before.cpuSeconds)) / done,
    walBytes: (after.walBytes - before.walBytes) / done,
    answeredMs: median(answered),
    arrivedMs: median(transfers.takeArrivals()),
  };
}

async function table(): Promise<void> {
  await underLoad(0.5, SLICE_MS); // warm-up
  for (const { database } of shards) await database.pool.query('vacuum analyze');
  const slices = SHARES.map((): Slice[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, share] of SHARES.entries()) slices[at]?.push(await measure(share));
  }
  console.log('across    transfers/s   of local   CPU of PostgreSQL   WAL         answered   arrived');
  for (const [at, share] of SHARES.entries()) {
    const of = (what: (slice: Slice) => number) => median((slices[at] ?? []).map(what));
    const ratio = median((slices[at] ?? []).map((slice, i) => slice.perSecond / (slices[0]?.[i]?.perSecond ?? 0)));
    const arrived = share === 0 ? '-' : `${of((slice) => slice.arrivedMs).toFixed(0)} ms`;
    console.log(
      `${(100 * share).toFixed(0)} %`.padEnd(10) +
        of((slice) => slice.perSecond)
          .toFixed(0)
          .padEnd(14) +
        `${(100 * ratio).toFixed(0)} %`.padEnd(11) +
        `${of((slice) => slice.cpuMicroseconds).toFixed(0)} µs`.padEnd(20) +
        `${of((slice) => slice.walBytes).toFixed(0)} B`.padEnd(12) +
        `${of((slice) => slice.answeredMs).toFixed(0)} ms`.padEnd(11) +
        arrived,
    );
  }
}

/** Half of all transfers go across, while carriers end between two shards and one shard is killed; and it is settled all the time. */
async function withFaults(): Promise<void> {
  transfers.forget(0.1);
  const over = new AbortController();
  const settling = (async () => {
    for (; !over.signal.aborted; await sleep(300)) await transfers.settle();
  })();
  const load = underLoad(0.5, 2 * SLICE_MS);
  await sleep(SLICE_MS / 2);
  const since = performance.now();
  await shards[1]?.kill();
  const killedMs = performance.now() - since;
  const { done } = await load;
  over.abort();
  await settling;
  transfers.forget(0);
  await transfers.settle();
  await transfers.drained();
  console.log(
    `${done} transfers, one shard killed (-9) and back after ${killedMs.toFixed(0)} ms, ${transfers.replayed} arrived again and moved nothing`,
  );
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** @throws Error when the books of all shards do not agree */
async function assertBooksAgree(moneyBefore: bigint): Promise<void> {
  const clearing = systemAccount('CLEARING', 'NGN');
  for (const one of shards) {
    for (const other of shards) {
      const [to, from] = [await one.balance(one.dueTo(other.number)), await other.balance(other.dueFrom(one.number))];
      if (to !== 0n || from !== 0n) throw new Error(`${one.number} owes ${other.number} ${to}, which says ${from}`);
    }
    const { checks } = await checkLedger(one.database.db);
    const wrong = checks.filter(({ name, violations }) => violations > 0 && name !== KNOWN);
    if (wrong.length > 0) throw new Error(`the books of shard ${one.number} are wrong: ${JSON.stringify(wrong)}`);
  }
  const cleared = await Promise.all(shards.map(async (shard) => shard.balance(clearing)));
  const money = sum(await Promise.all(shards.map(moneyOf)));
  if (money !== moneyBefore) throw new Error(`wallets have ${money}, and had ${moneyBefore}`);
  console.log(
    `nothing is due between shards, wallets have what they had, the books of each are right; cleared: ${cleared.join(', ')}`,
  );
}

async function moneyOf({ database }: Shard): Promise<bigint> {
  const { rows } = await database.pool.query<{ sum: string }>(
    `select sum(posted) from ledger.account where kind = 'WALLET'`,
  );
  return BigInt(rows[0]?.sum ?? 0);
}

try {
  const before = sum(await Promise.all(shards.map(moneyOf)));
  await table();
  await withFaults();
  await assertBooksAgree(before);
} finally {
  await transfers.stop();
  await Promise.all(shards.map(async (shard) => shard.stop()));
  await rm(root, { recursive: true });
}
