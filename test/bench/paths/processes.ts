import { compare } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import { startApi, type World } from '../world/world.ts';

const CONNECTIONS = 64;
const WHAT = 'GET partner wallet, two processes of one';

/** Two server processes behind one port, as a share of one. They share the cores with PostgreSQL and the load. */
export async function* processes(
  world: World,
  seconds: number,
  isWanted: (what: string) => boolean,
): AsyncGenerator<Row> {
  if (!isWanted(WHAT)) return;
  const { load, server, partners, databaseUrl } = world;
  const [{ headers, wallets }] = partners;
  const requests = wallets.map(({ reference }) => wire('GET', `/v2/partner/wallet/${reference}`, headers));
  const two = await startApi(databaseUrl, { program: 'test/bench/world/two-processes.ts' });
  const order = { connections: CONNECTIONS, requests };
  try {
    const measured = await compare(
      seconds,
      (ms) => load.run({ ...order, port: two.port, ms }),
      (ms) => load.run({ ...order, port: server.port, ms }),
    );
    yield { what: WHAT, ...measured, target: { atLeast: 1.6 } };
  } finally {
    await two.stop();
  }
}
