import type { ServerProcess } from '../../support/process.ts';
import { compare } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import { childrenOf, forgetLimits, limitProcessors } from '../world/processor-share.ts';
import { startApi, type World } from '../world/world.ts';

const CONNECTIONS = 64;
const TWO = 'GET partner wallet, two processes of one';
const SHARE = 0.2;
const LIMITED = 'two processes of one, a fifth of a core each';

/**
 * Two server processes behind one port, as a share of one: as they share the cores with PostgreSQL and the load, and where each may
 * take so little that these have what they need.
 */
export async function* processes(
  world: World,
  seconds: number,
  isWanted: (what: string) => boolean,
): AsyncGenerator<Row> {
  if (isWanted(TWO)) yield { what: TWO, ...(await measured(world, seconds, world.server)) };
  if (isWanted(LIMITED)) yield* limited(world, seconds);
}

async function* limited(world: World, seconds: number): AsyncGenerator<Row> {
  const one = await startProcesses(world, 1);
  const pids = await childrenOf(Number(one.child.pid));
  try {
    if (!(await limitProcessors(pids, SHARE))) return;
    const row = await measured(world, seconds, one, SHARE);
    yield { what: LIMITED, ...row, target: { atLeast: 1.6 } };
  } finally {
    await one.stop();
    await forgetLimits(pids);
  }
}

const startProcesses = ({ databaseUrl }: World, count: number): Promise<ServerProcess> =>
  startApi(databaseUrl, { program: 'test/bench/world/two-processes.ts', env: { PROCESSES: String(count) } });

async function measured(world: World, seconds: number, one: ServerProcess, share?: number) {
  const { load, partners } = world;
  const [{ headers, wallets }] = partners;
  const requests = wallets.map(({ reference }) => wire('GET', `/v2/partner/wallet/${reference}`, headers));
  const order = { connections: CONNECTIONS, requests };
  const several = await startProcesses(world, 2);
  const pids = await childrenOf(Number(several.child.pid));
  try {
    if (share !== undefined) await limitProcessors(pids, share);
    return await compare(
      seconds,
      (ms) => load.run({ ...order, port: several.port, ms }),
      (ms) => load.run({ ...order, port: one.port, ms }),
    );
  } finally {
    await several.stop();
    await forgetLimits(pids);
  }
}
