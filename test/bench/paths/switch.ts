import { openDatabase } from '#lib/postgres/database.ts';
import { randomId } from '#lib/random.ts';
import type { Posting } from '#modules/ledger';
import { postingBetween } from '../../support/post.ts';
import { compare, type Slice } from '../compare.ts';
import { wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import type { Row } from '../table.ts';
import type { BenchApplication, World } from '../world/world.ts';
import { CONNECTIONS, ledgerAlone, pick } from './money.ts';

const POOL = 8;

/** Offers of money between tags, and their acceptance, as a share of the ledger alone. */
export async function* offers(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  const { load, server, applications } = world;
  const ledger = openDatabase(world.databaseUrl, POOL, console.error);
  const receiverOf = (turn: number) => pick(applications, turn + 1);
  const offer = ({ headers, tag }: BenchApplication, receiver: BenchApplication) => {
    const json = { senderTag: tag, receiverTag: receiver.tag, amount: 0.01, currency: 'NGN', reference: UNIQUE };
    return wire('POST', '/api/v1/transactions', headers, json);
  };
  const spread = applications.map((sender, turn) => offer(sender, receiverOf(turn)));
  const oneSender = applications.slice(1).map((receiver) => offer(applications[0], receiver));
  const order = { port: server.port, connections: CONNECTIONS };
  const initiate = (requests: readonly string[]): Slice => {
    return (ms) => load.run({ ...order, ms, requests });
  };
  /** Offers are made before the clock starts, more than can be accepted in the time that is given. */
  const accept: Slice = async (ms) => {
    const { bodies } = await load.run({ ...order, ms: 3 * ms, requests: spread, keepBodies: true });
    const requests = bodies.map((body) => {
      const { id, receiverTag } = JSON.parse(body).data as { id: string; receiverTag: string };
      const receiver = applications.find(({ tag }) => tag === receiverTag);
      return wire('POST', `/api/v1/transactions/${id}/accept`, receiver?.headers);
    });
    return load.run({ ...order, ms, requests, once: true });
  };
  const posting = (turn: number): Posting => {
    const sender = pick(applications, turn);
    const named = { owner: sender.applicationId, reference: randomId(), namer: 'APPLICATION', type: 'SWITCH' } as const;
    return postingBetween(sender.account, receiverOf(turn).account, 1n, named);
  };
  const rows: [what: string, ours: Slice, ceiling: Slice, target: number][] = [
    ['POST switch transaction', initiate(spread), ledgerAlone(ledger.pool, posting), 0.5],
    ['POST switch transaction, one hot wallet', initiate(oneSender), initiate(spread), 0.9],
    ['POST switch accept', accept, ledgerAlone(ledger.pool, posting), 0.5],
  ];
  try {
    for (const [what, ours, ceiling, target] of rows) {
      if (!isWanted(what)) continue;
      const measured = await compare(seconds, ours, ceiling);
      yield { what, ...measured, rssMb: await world.residentMb(), target: { atLeast: target } };
    }
  } finally {
    await ledger.close();
  }
}
