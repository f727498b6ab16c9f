import { eventually } from '../../support/eventually.ts';
import { AS_STARTED, ownPort, type ServerProcess, startServer } from '../../support/process.ts';

/** As `npm start` starts it, with a clock that jumps and a memory to ask for. */
const JUMPING = { flags: [...AS_STARTED.flags, '--expose-gc', '--import', './test/faults/soak/jumping-clock.ts'] };

const START_MAX_MS = 180_000;

export type Role = 'api' | 'worker';

/** One of the processes: at its place there is one after another. */
export interface Place {
  readonly name: string;
  readonly role: Role;
  /** Undefined while there is none. */
  readonly running: ServerProcess | undefined;
  /** Kills what runs there, and starts another in its place. Resolves to the exit code, or null. */
  restart(signal: NodeJS.Signals): Promise<number | null>;
  /** Has its clock jump. It goes on being called: who was ready stays so, however far its clock is off. */
  jump(): void;
  /** Puts its clock right; that of another which was started in its place meanwhile is right already. */
  jumpBack(): void;
  /** What it has in memory once its garbage is collected. */
  memory(): Promise<{ rssMb: number; heapMb: number }>;
  stop(): Promise<number | null>;
}

export interface Fleet {
  readonly places: readonly Place[];
  of(role: Role): readonly Place[];
  /** The origins that a proxy would send to now. */
  serving(): readonly string[];
  stop(): Promise<(number | null)[]>;
}

/**
 * So many processes of each role over the same stores, each with a port that stays its own.
 *
 * @param given.jumpMs by how much the clock of the place with that number jumps; without it they are servers as any other, whose
 *   clocks stay and whose memory nobody asks for
 */
export async function startFleet(
  env: Record<string, string>,
  { apis, workers, jumpMs }: { apis: number; workers: number; jumpMs?: (place: number) => number },
): Promise<Fleet> {
  const roles: Role[] = [
    ...Array.from({ length: apis }, () => 'api' as const),
    ...Array.from({ length: workers }, () => 'worker' as const),
  ];
  const places: Place[] = [];
  for (const [at, role] of roles.entries()) {
    const number = at - (role === 'api' ? 0 : apis);
    places.push(await openPlace(`${role} ${number}`, role, { ...env, ROLE: role }, jumpMs?.(at)));
  }
  const of = (role: Role) => places.filter((place) => place.role === role);
  return {
    places,
    of,
    serving: () => of('api').flatMap(({ running }) => (running ? [running.url] : [])),
    stop: () => Promise.all(places.map((place) => place.stop())),
  };
}

async function openPlace(name: string, role: Role, given: Record<string, string>, jumpMs?: number): Promise<Place> {
  const port = await ownPort();
  const env = jumpMs === undefined ? given : { ...given, ...AS_STARTED.env, CLOCK_JUMP_MS: String(jumpMs) };
  const how = { port, ...(jumpMs === undefined ? {} : JUMPING) };
  let running: ServerProcess | undefined = await startServer(env, how);
  let jumped = false;
  let turn: Promise<unknown> = Promise.resolve();
  const setJumped = (to: boolean) => {
    if (jumped !== to && running?.child.kill('SIGUSR2')) jumped = to;
  };
  return {
    name,
    role,
    get running() {
      return running;
    },
    restart(signal) {
      const restarted = turn.then(async () => {
        const old = running;
        running = undefined;
        jumped = false;
        const code = (await old?.kill(signal)) ?? null;
        // It may begin while its stores are away, and end for that reason, as under whoever starts it again.
        running = await eventually(() => startServer(env, how), { timeoutMs: START_MAX_MS });
        return code;
      });
      turn = restarted.catch(() => undefined);
      return restarted;
    },
    jump: () => setJumped(true),
    jumpBack: () => setJumped(false),
    async memory() {
      if (running === undefined) throw new Error(`${name} does not run`);
      const { child } = running;
      const read = () => running?.stdout.match(/^memory \d+ \d+$/gm) ?? [];
      const before = read().length;
      child.kill('SIGWINCH');
      const said = await eventually(() => {
        const lines = read();
        if (lines.length === before) throw new Error(`${name} does not say what it has in memory`);
        return lines.at(-1) ?? '';
      });
      const [, rss, heap] = said.split(' ').map(Number);
      return { rssMb: (rss ?? 0) / 2 ** 20, heapMb: (heap ?? 0) / 2 ** 20 };
    },
    stop: async () => (await running?.stop()) ?? null,
  };
}
