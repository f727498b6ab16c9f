import { afterEach, expect, it } from 'vitest';
import { type DatabaseClock, type DatabaseClockOptions, openDatabaseClock } from '#lib/database-clock.ts';
import { createLog } from '#lib/log.ts';
import { eventually } from '../../support/eventually.ts';

const HOUR_MS = 3_600_000;
const open: DatabaseClock[] = [];
afterEach(() => {
  for (const clock of open.splice(0)) clock.close();
});

/** A machine and a database, whose clocks are set by hand. */
function world() {
  const lines: string[] = [];
  const time = { monotonic: 1_000, machine: 5 * HOUR_MS, database: 7 * HOUR_MS, wayThereMs: 0, wayBackMs: 0, asked: 0 };
  const pass = (ms: number) => {
    time.monotonic += ms;
    time.machine += ms;
    time.database += ms;
  };
  const start = async (given: Partial<DatabaseClockOptions> = {}) => {
    const clock = await openDatabaseClock({
      ask: async () => {
        time.asked += 1;
        pass(time.wayThereMs);
        const answer = time.database;
        pass(time.wayBackMs);
        return answer;
      },
      log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
      monotonicMs: () => time.monotonic,
      machineMs: () => time.machine,
      everyMs: 1,
      ...given,
    });
    open.push(clock);
    return clock;
  };
  const askedAgain = async () => {
    const { asked } = time;
    await eventually(() => expect(time.asked).toBeGreaterThan(asked + 1));
  };
  return { time, pass, start, askedAgain, lines };
}

it('tells the time of the database, and goes on by itself between two measurements', async () => {
  const { time, pass, start } = world();
  const clock = await start({ everyMs: HOUR_MS });
  expect(clock.now().getTime()).toBe(time.database);
  pass(90_000);
  expect(clock.now().getTime()).toBe(time.database);
});

it('does not see that the clock of the machine is set, and says so in the log, once, until it is right again', async () => {
  const { time, start, askedAgain, lines } = world();
  time.machine = time.database;
  const measured: number[] = [];
  const clock = await start({ measured: (ahead) => void measured.push(ahead) });
  expect([clock.machineAheadMs, lines]).toEqual([0, []]);
  time.machine += 400 * 24 * HOUR_MS;
  expect(clock.now().getTime()).toBe(time.database);
  await askedAgain();
  expect(clock.now().getTime()).toBe(time.database);
  expect([clock.machineAheadMs, measured.at(-1)]).toEqual([400 * 24 * HOUR_MS, 400 * 24 * HOUR_MS]);
  time.machine = time.database - 4_000;
  await askedAgain();
  expect(lines).toEqual([
    'the clock of this machine differs from the database’s, which counts: set it right',
    'the clock of this machine agrees with the database’s again',
  ]);
});

it('is not moved by an answer that was long on its way, and follows a database whose clock was set', async () => {
  const { time, pass, start, askedAgain } = world();
  const clock = await start();
  Object.assign(time, { wayThereMs: 900, wayBackMs: 0 }); // the middle of such a way is not when it was answered
  await askedAgain();
  expect(Math.abs(clock.now().getTime() - time.database)).toBeLessThan(5);
  time.wayThereMs = 0;
  time.database += HOUR_MS; // another server has taken over
  await askedAgain();
  expect(clock.now().getTime()).toBe(time.database);
  pass(1);
  expect(clock.now().getTime()).toBe(time.database);
});

it('goes on while the database is away, and never runs backwards by little', async () => {
  const { time, pass, start } = world();
  let isAway = false;
  const ask = async () => {
    time.asked += 1;
    if (isAway) throw new Error('away');
    return time.database;
  };
  const clock = await start({ ask });
  const before = clock.now();
  isAway = true;
  pass(60_000);
  const { asked } = time;
  await eventually(() => expect(time.asked).toBeGreaterThan(asked + 1));
  expect(clock.now().getTime() - before.getTime()).toBe(60_000);
  isAway = false;
  time.database -= 300;
  await eventually(() => expect(time.asked).toBeGreaterThan(asked + 4));
  expect(clock.now().getTime() - before.getTime()).toBe(60_000);
});
