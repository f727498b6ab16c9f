import { startOneRead } from '../baselines/start-baseline.ts';
import { compare } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';

const CONNECTIONS = 64;
const WHAT = 'POST application token';

/** An application's token, as a share of a bare route with one read and one signature. */
export async function* tokens(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  if (!isWanted(WHAT)) return;
  const { load, server, applications, databaseUrl } = world;
  const ceiling = await startOneRead(databaseUrl);
  const ask = applications.map(({ client_id, client_secret }) =>
    wire('POST', '/api/v1/auth/token', {}, { client_id, client_secret }),
  );
  const bare = applications.map(({ applicationId }) => wire('POST', '/token', {}, { client_id: applicationId }));
  try {
    const measured = await compare(
      seconds,
      (ms) => load.run({ port: server.port, connections: CONNECTIONS, ms, requests: ask }),
      (ms) => load.run({ port: ceiling.port, connections: CONNECTIONS, ms, requests: bare }),
    );
    yield { what: WHAT, ...measured, rssMb: await world.residentMb(), target: { atLeast: 0.7 } };
  } finally {
    await ceiling.stop();
  }
}
