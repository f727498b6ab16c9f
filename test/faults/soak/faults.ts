import { setTimeout as sleep } from 'node:timers/promises';
import type { Seeded } from '../../support/cases.ts';
import type { Fleet, Place, Role } from './fleet.ts';
import type { Stores } from './stores.ts';

/** Something that goes wrong, and is put right again. */
export interface Fault {
  /** As it is printed. */
  readonly what: string;
  happen(): Promise<void>;
}

/** What faults happen to, and what they say besides. */
export interface Victims {
  readonly fleet: Fleet;
  readonly stores: Stores;
  readonly complain: (what: string) => void;
}

type Draw = (victims: Victims, by: Seeded) => Fault;

/** How long something is away, mostly shorter and now and then longer than callers and pools wait. */
const outageMs = (by: Seeded): number => (by.chance(75) ? by.between(200, 5_000) : by.between(5_000, 15_000));
const wait = (ms: number) => (): Promise<void> => sleep(ms);

/** The first of each role is never killed: at the end it says whether memory grows. */
const mortal = (fleet: Fleet, role: Role, by: Seeded): Place => by.pick(fleet.of(role).slice(1));

const kill: Draw = ({ fleet }, by) => {
  const place = mortal(fleet, by.pick(['api', 'worker']), by);
  return {
    what: `${place.name} is killed with -9`,
    happen: async () => void (await place.restart('SIGKILL')),
  };
};

const terminate: Draw = ({ fleet, complain }, by) => {
  const place = mortal(fleet, by.pick(['api', 'worker']), by);
  return {
    what: `${place.name} is sent SIGTERM`,
    async happen() {
      const code = await place.restart('SIGTERM');
      if (code !== 0) complain(`${place.name} ended with ${code} after SIGTERM`);
    },
  };
};

const clock: Draw = ({ fleet }, by) => {
  const place = mortal(fleet, by.pick(['api', 'worker']), by);
  const ms = by.between(2_000, 8_000);
  return {
    what: `the clock of ${place.name} jumps, and back after ${ms} ms`,
    async happen() {
      place.jump();
      await sleep(ms);
      place.jumpBack();
    },
  };
};

const flush: Draw = ({ stores }) => ({
  what: 'Redis is flushed',
  happen: () => stores.flushRedis(),
});

const redisAway: Draw = ({ stores }, by) => {
  const ms = outageMs(by);
  return { what: `Redis is stopped for ${ms} ms`, happen: () => stores.restartRedis(wait(ms)) };
};

const databaseAway: Draw = ({ stores }, by) => {
  const [how, ms] = [by.pick(['kill -9', 'stop'] as const), outageMs(by)];
  return {
    what: `PostgreSQL is ended (${how}) for ${ms} ms`,
    happen: () => stores.restartDatabase(how, wait(ms)),
  };
};

const cut: Draw = ({ stores }, by) => {
  const [store, ms] = [by.pick(['database', 'redis'] as const), by.chance(50) ? 0 : outageMs(by)];
  return {
    what: `connections to ${store} are cut, and refused for ${ms} ms`,
    async happen() {
      stores[store].goAway();
      await sleep(ms);
      stores[store].restore();
    },
  };
};

const lost: Draw = ({ stores }, by) => {
  const count = by.between(1, 12);
  const [store, what] = [by.pick(['database', 'redis'] as const), by.pick(['loseAnswers', 'loseRequests'] as const)];
  const words = what === 'loseAnswers' ? 'answers' : 'requests';
  return {
    what: `${count} ${words} of ${store} are lost with their connections`,
    happen: async () => stores[store][what](count),
  };
};

const silent: Draw = ({ stores }, by) => {
  const store = by.pick(['database', 'redis'] as const);
  return {
    what: `${store} falls silent`,
    happen: async () => stores[store].fallSilent(),
  };
};

const fullDisk: Draw = ({ stores }, by) => {
  const ms = outageMs(by);
  const { fillDisk } = stores;
  return {
    what:
      fillDisk === undefined
        ? 'the disk is full: left out, nothing can be mounted here'
        : `the disk of PostgreSQL is full for ${ms} ms`,
    happen: async () => fillDisk?.(wait(ms)),
  };
};

const kinds: readonly Draw[] = [
  kill,
  kill,
  kill,
  terminate,
  terminate,
  flush,
  redisAway,
  databaseAway,
  cut,
  cut,
  lost,
  silent,
  clock,
  fullDisk,
];

/** Draws what goes wrong next, and how long after what went wrong before it. Each kind comes once before one comes twice. */
export function* drawFaults(victims: Victims, by: Seeded): Generator<{ afterMs: number; faults: Fault[] }> {
  for (;;) {
    const left = [...kinds];
    while (left.length > 0) {
      const afterMs = by.between(1_000, 6_000);
      const [draw] = left.splice(by.between(0, left.length), 1);
      const faults = draw === undefined ? [] : [draw(victims, by)];
      if (by.chance(20)) faults.push(by.pick([kill, flush, lost])(victims, by)); // two at once
      yield { afterMs, faults };
    }
  }
}
