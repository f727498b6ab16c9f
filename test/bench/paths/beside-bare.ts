import { type Baseline, startOneRead } from '../baselines/start-baseline.ts';
import { compare, type Slice } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';

const CONNECTIONS = 64;

/** What callers do, and what a bare server does in its place. */
export interface Call {
  readonly what: string;
  /** Whole requests, to be sent by turns; or what sends others. */
  readonly ours: readonly string[] | Slice;
  /** One row, a page of rows, or a row of its own that is written. */
  readonly ceiling: 'one' | 'page' | 'write';
  /** Of ours and of the bare server's; 64 if nothing is said. */
  readonly connections?: number;
  /** The least share; none where nobody asked for one. */
  readonly atLeast?: number;
}

/** Each call, as a share of a bare route that does as much with the database. */
export async function* besideBare(
  world: World,
  seconds: number,
  isWanted: (what: string) => boolean,
  callsOf: () => readonly Call[] | Promise<readonly Call[]>,
): AsyncGenerator<Row> {
  const ceiling = await startOneRead(world.databaseUrl);
  try {
    for (const call of await callsOf()) if (isWanted(call.what)) yield await measured(world, seconds, call, ceiling);
  } finally {
    await ceiling.stop();
  }
}

async function measured(world: World, seconds: number, call: Call, ceiling: Baseline): Promise<Row> {
  const { load, server, partners } = world;
  const { what, ours, connections = CONNECTIONS, atLeast } = call;
  const bare =
    call.ceiling === 'write'
      ? [wire('POST', '/write', {}, { event: 'transfer.success', data: 'x'.repeat(500) })]
      : partners[0].wallets.map(({ reference }) => wire('GET', `/${call.ceiling}/${reference}`));
  const row = await compare(
    seconds,
    typeof ours === 'function' ? ours : (ms) => load.run({ port: server.port, connections, ms, requests: ours }),
    (ms) => load.run({ port: ceiling.port, connections, ms, requests: bare }),
  );
  const target = atLeast === undefined ? undefined : { target: { atLeast } };
  return { what, ...row, rssMb: await world.residentMb(), ...target };
}
