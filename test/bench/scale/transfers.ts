import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_PARTNERS, asMinor, type Posting, systemAccount } from '#modules/ledger';
import { postingBetween, postingJson } from '../../support/post.ts';
import type { Shard } from './shard.ts';

const BATCH = 64;
const RETRY_MS = 20;
const CLEARING = systemAccount('CLEARING', 'NGN');

const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T;

/** Transfers between wallets of shards, and what carries to each shard what the others have for it. */
export interface Transfers {
  /** Between two wallets of one shard, or of two; resolves when the payer may be told. */
  transfer(reference: string, isAcross: boolean): Promise<void>;
  /** Nets what every two shards owe each other: from then on the difference is between their clearing accounts. */
  settle(): Promise<void>;
  /** Resolves when nothing is on its way. */
  drained(): Promise<void>;
  /** How long each transfer across took from its request until it had arrived, in milliseconds; forgets them. */
  takeArrivals(): number[];
  /** What arrived again, because whoever carried it had ended before it could say so. */
  readonly replayed: number;
  /** From now on a carrier ends this often between the posting there and the word of it here. */
  forget(chance: number): void;
  stop(): Promise<void>;
}

export function startTransfers(shards: readonly Shard[]): Transfers {
  const begun = new Map<string, number>();
  let arrivals: number[] = [];
  let replayed = 0;
  let forgets = 0;
  let settlements = 0;
  const stopping = new AbortController();
  const wakes = new Map<string, () => void>();

  /** Again and again until it is answered: whoever asks does so by its reference, and moves nothing twice. */
  async function until<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (stopping.signal.aborted) throw error;
      }
      await sleep(RETRY_MS);
    }
  }

  const send = (from: Shard, to: Shard, posting: Posting, arrival: Posting) =>
    until(async () => {
      const member = `{"to":${to.number},"posting":${postingJson(posting)},"arrival":${postingJson(arrival)}}`;
      const { outcome } = await from.send(from.partner, member);
      if (outcome !== 'Successful') throw new Error(`a transfer was refused: ${outcome}`);
      wakes.get(`${from.number} ${to.number}`)?.();
    });

  /** Carries what one shard has for another, in order. A posting there is by its reference, so that doing it again does nothing. */
  async function carry(from: Shard, to: Shard): Promise<void> {
    const wake = `${from.number} ${to.number}`;
    while (!stopping.signal.aborted) {
      const asked = Promise.withResolvers<void>();
      wakes.set(wake, asked.resolve);
      const carried = await carryBatch(from, to).catch(() => undefined);
      if (carried === undefined) await sleep(RETRY_MS);
      else if (carried === 0) await Promise.race([asked.promise, sleep(100)]);
    }
  }

  async function carryBatch(from: Shard, to: Shard): Promise<number> {
    const { rows } = await from.database.pool.query<{ id: string; posting: string }>({
      name: 'shard.next',
      text: 'select id, posting::text as posting from shard.message where to_shard = $1 order by id limit $2',
      values: [to.number, BATCH],
    });
    if (rows.length === 0) return 0;
    const posted = await to.database.pool.query<{ outcome: string; replayed: boolean }>({
      name: 'shard.arrive',
      text: 'select outcome, replayed from ledger.post($1::jsonb)',
      values: [`[${rows.map(({ posting }) => posting).join()}]`],
    });
    for (const { outcome } of posted.rows) if (outcome !== 'Successful') throw new Error(`an arrival is ${outcome}`);
    replayed += posted.rows.filter((one) => one.replayed).length;
    if (randomInt(1_000_000) < forgets * 1_000_000) throw new Error('it ended here');
    await from.database.pool.query({
      name: 'shard.done',
      text: 'delete from shard.message where id = any ($1)',
      values: [rows.map(({ id }) => id)],
    });
    const now = performance.now();
    for (const { posting } of rows) {
      const { reference } = JSON.parse(posting) as { reference: string };
      const since = begun.get(reference);
      if (since !== undefined) arrivals.push(now - since);
      begun.delete(reference);
    }
    return rows.length;
  }

  async function across(reference: string, from: Shard, to: Shard): Promise<void> {
    const amount = asMinor(BigInt(randomInt(1, 1_000)));
    const [payer, payee] = [any(from.wallets), any(to.wallets)];
    const leaves = { owner: from.partner, partner: from.partner, reference, type: 'TRANSFER' } as const;
    const arrives = { owner: ALL_PARTNERS, partner: to.partner, namer: 'RAIL', reference, type: 'INBOUND' } as const;
    begun.set(reference, performance.now());
    await send(
      from,
      to,
      postingBetween(payer, from.dueTo(to.number), amount, leaves),
      postingBetween(to.dueFrom(from.number), payee, amount, arrives),
    );
  }

  /**
   * By what the first one's books say alone: the other has had everything of it, for messages arrive in order, and has sent
   * all that it is netted against.
   */
  async function settlePair(one: Shard, other: Shard): Promise<void> {
    const owed = await until(async () => one.balance(one.dueTo(other.number)));
    const owing = -(await until(async () => one.balance(one.dueFrom(other.number))));
    if (owed + owing === 0n) return;
    const reference = `settlement ${one.number} ${other.number} ${(settlements += 1)}`;
    const netting = ({ partner }: Shard, legs: [account: number, amount: bigint][]): Posting => ({
      owner: partner,
      namer: 'OPERATOR',
      reference,
      type: 'REMITTANCE',
      amount: asMinor(owed + owing),
      currency: 'NGN',
      source: legs[0]?.[0] ?? CLEARING,
      destination: CLEARING,
      legs: legs.flatMap(([account, amount]) => (amount === 0n ? [] : [{ account, amount: asMinor(amount) }])),
    });
    const [here, there] = [one.dueTo(other.number), other.dueFrom(one.number)];
    const net = owed - owing;
    await send(
      one,
      other,
      netting(one, [
        [here, -owed],
        [one.dueFrom(other.number), owing],
        [CLEARING, net],
      ]),
      netting(other, [
        [there, owed],
        [other.dueTo(one.number), -owing],
        [CLEARING, -net],
      ]),
    );
  }

  const pairs = shards.flatMap((from) => shards.filter((to) => to !== from).map((to) => [from, to] as const));
  const carriers = Promise.all(pairs.map(async ([from, to]) => carry(from, to)));

  return {
    async transfer(reference, isAcross) {
      const from = any(shards);
      if (isAcross) return across(reference, from, any(shards.filter((shard) => shard !== from)));
      const [payer, payee] = [any(from.wallets), any(from.wallets)];
      if (payer === payee) return;
      const names = { owner: from.partner, partner: from.partner, reference, type: 'TRANSFER' } as const;
      const posting = postingBetween(payer, payee, asMinor(BigInt(randomInt(1, 1_000))), names);
      await until(async () => from.poster.post(posting));
    },
    async settle() {
      for (const [one, other] of pairs) if (one.number < other.number) await settlePair(one, other);
    },
    async drained() {
      for (const { database } of shards) {
        await until(async () => {
          const { rows } = await database.pool.query('select from shard.message limit 1');
          if (rows.length > 0) throw new Error('something is on its way');
        });
      }
    },
    takeArrivals() {
      const taken = arrivals;
      arrivals = [];
      return taken;
    },
    get replayed() {
      return replayed;
    },
    forget(chance) {
      forgets = chance;
    },
    async stop() {
      stopping.abort();
      await carriers;
    },
  };
}
