import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { compare } from '../compare.ts';
import { generateLargeSet } from '../large/generate.ts';
import type { Row } from '../table.ts';
import { openWorld, type World } from '../world/world.ts';
import { readsOf } from './reads.ts';

const CONNECTIONS = 64;

/** The same reads on a large set of rows, as a share of those on nearly empty tables. */
export async function* large(
  world: World,
  postgres: Embedded,
  { seconds, scale }: { seconds: number; scale: number },
): AsyncGenerator<Row> {
  const { load, server } = world;
  const big = await openWorld(postgres, 'large', (pool) => generateLargeSet(pool, scale));
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
  } finally {
    await big.close();
  }
}
