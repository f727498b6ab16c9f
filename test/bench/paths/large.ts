import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { keyringOf } from '../../support/sealed.ts';
import { compare } from '../compare.ts';
import { generateLargeSet } from '../large/generate.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import { openWorld, type World } from '../world/world.ts';
import { readsOf } from './operators.ts';

const CONNECTIONS = 64;

/** The lists that operators open, whose first page should take no more than three times as long as a record by its key. */
const LISTS = [
  'applications',
  'approvals',
  'approvals?status=PENDING',
  'audit',
  'claims',
  'claims?state=PENDING',
  'customers',
  'deliveries',
  'deliveries?status=FAILED',
  'deliveries?waiting=DUE',
  'deliveries?waiting=HELD',
  'disputes',
  'disputes?state=OPEN',
  'federations',
  'inbox',
  'inbox?state=DIFFERENT',
  'partners',
  'payouts',
  'payouts?state=UNKNOWN',
  'receivers',
  'receivers?failing=true',
  'receivers?status=PAUSED',
  'receivers?waiting=true',
  'reconciliation/items',
  'reconciliation/items?status=THEIRS_ALONE',
  'sessions',
  'splits',
  'suspense',
  'tags',
  'tags?status=SUSPENDED',
  'terminals',
  'throttles',
  'transactions',
  'transactions?status=Failed',
  'wallets',
  'wallets?status=PND',
];
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

/** The same reads on a large set of rows, as a share of those on nearly empty tables. */
export async function* large({
  world,
  postgres,
  seconds,
  scale,
}: {
  world: World;
  postgres: Embedded;
  seconds: number;
  scale: number;
}): AsyncGenerator<Row> {
  const { load, server } = world;
  const big = await openWorld(postgres, 'large', async (pool) =>
    generateLargeSet(pool, await keyringOf(postgres.url('large')), scale, { withLists: true }),
  );
  try {
    const onLarge = readsOf(big);
    for (const [at, { name, requests }] of readsOf(world).entries()) {
      const same = onLarge[at]?.requests ?? [];
      const measured = await compare(
        seconds,
        (ms) => load.run({ port: big.server.port, connections: CONNECTIONS, ms, requests: same }),
        (ms) => load.run({ port: server.port, connections: CONNECTIONS, ms, requests }),
      );
      yield {
        what: `GET ${name}, scale ${scale}`,
        ...measured,
        rssMb: await big.residentMb(),
        target: { atLeast: 0.85 },
      };
    }
    yield* firstPages(big, seconds, scale);
  } finally {
    await big.close();
  }
}

/** The first page of each list, as a share of the rate of a record by its key. One caller, as an operator reads one list at a time. */
async function* firstPages({ load, server, partners, residentMb }: World, seconds: number, scale: number) {
  const read = (path: string) => (ms: number) =>
    load.run({ port: server.port, connections: 1, ms, requests: [wire('GET', `/operator/v1/${path}`, operator)] });
  const byKey = read(`wallets/${partners[0].wallets[0]?.reference}`);
  for (const list of LISTS) {
    const measured = await compare(seconds, read(list), byKey);
    yield {
      what: `GET operator ${list}, scale ${scale}, by key`,
      ...measured,
      rssMb: await residentMb(),
      target: { atLeast: 1 / 3 },
    };
  }
}
