import { fileURLToPath } from 'node:url';
import { startBaseline } from '../baselines/start-baseline.ts';
import { compare } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';

const BASELINE = fileURLToPath(new URL('../resolve/baseline-server.ts', import.meta.url));
const CONNECTIONS = 64;

/** The public look-up of a tag, as a share of coalesced reads and of a plain pool. `resolve/run.ts` tells more. */
export async function* tag(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  const { load, server, applications, databaseUrl } = world;
  const requests = applications.map((one) => wire('GET', `/api/v1/tags/${one.tag}`));
  const ways = { coalesced: 0.85, pool: 2 } as const;
  for (const way of ['coalesced', 'pool'] as const) {
    const what = `GET tag, of ${way === 'pool' ? 'a plain pool' : 'coalesced reads'}`;
    if (!isWanted(what)) continue;
    const baseline = await startBaseline(BASELINE, way, databaseUrl);
    try {
      const measured = await compare(
        seconds,
        (ms) => load.run({ port: server.port, connections: CONNECTIONS, ms, requests }),
        (ms) => load.run({ port: baseline.port, connections: CONNECTIONS, ms, requests }),
      );
      yield { what, ...measured, rssMb: await world.residentMb(), target: { atLeast: ways[way] } };
    } finally {
      await baseline.stop();
    }
  }
}
