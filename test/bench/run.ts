import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Embedded } from '../../src/embedded/start-embedded.ts';
import { customers } from './paths/customers.ts';
import { delivery } from './paths/delivery.ts';
import { hooks } from './paths/hooks.ts';
import { large } from './paths/large.ts';
import { logins } from './paths/logins.ts';
import { money } from './paths/money.ts';
import { readers } from './paths/neighbours.ts';
import { operators, reads } from './paths/operators.ts';
import { processes } from './paths/processes.ts';
import { start } from './paths/start.ts';
import { offers } from './paths/switch.ts';
import { tag } from './paths/tag.ts';
import { tokens } from './paths/tokens.ts';
import { print, printHead, type Row } from './table.ts';
import { openWorld, startPostgres, type World } from './world/world.ts';

/** Measures some rows of the table, each for so long: those that are wanted. */
type Group = (world: World, seconds: number, isWanted: (what: string) => boolean) => AsyncGenerator<Row>;

/** What a group has that fills a database of its own: at what scale, for the large set alone. */
interface Given {
  readonly world: World;
  readonly postgres: Embedded;
  readonly seconds: number;
  readonly scale: number;
}

const groups: Record<string, Group> = {
  reads,
  tag,
  money,
  switch: offers,
  customers,
  hooks,
  operators,
  token: tokens,
  login: logins,
  readers,
  processes,
  start,
};

/** Groups with a database of their own. */
const apart: Record<string, (given: Given) => AsyncGenerator<Row>> = { delivery, large };

const programOf = (name: string): string => fileURLToPath(new URL(`${name}/run.ts`, import.meta.url));
const [first, ...others] = process.argv.slice(2);
if (first !== undefined && existsSync(programOf(first))) await runToEnd(programOf(first), others);
else await measureTable();

/** A benchmark that is a program of its own, with a table of its own. */
async function runToEnd(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  [process.exitCode] = await once(child, 'exit');
}

async function measureTable(): Promise<void> {
  const { values, positionals: words } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '6' }, scale: { type: 'string', default: '0.02' } },
  });
  const names = words.map((word) => word.toLowerCase());
  const texts = names.filter((name) => !(name in groups) && !(name in apart));
  const isNamed = (what: string) => texts.some((text) => what.toLowerCase().includes(text));
  const seconds = Number(values.seconds);
  const postgres = await startPostgres();
  try {
    const world = await openWorld(postgres, 'bench');
    const atStartMb = await world.residentMb();
    printHead();
    for (const [name, group] of Object.entries(groups)) {
      const isWhole = names.length === 0 || names.includes(name);
      for await (const row of group(world, seconds, (what) => isWhole || isNamed(what))) print(row);
    }
    for (const [name, group] of Object.entries(apart)) {
      const isWanted = names.length === 0 || names.includes(name);
      if (!isWanted) continue;
      for await (const row of group({ world, postgres, seconds, scale: Number(values.scale) })) print(row);
    }
    const now = await world.residentMb();
    console.log(`RSS of the server: ${atStartMb.toFixed(0)} MB when it was filled, ${now.toFixed(0)} MB now`);
    await world.close();
  } finally {
    await postgres.stop();
  }
}
