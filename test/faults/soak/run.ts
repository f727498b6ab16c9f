import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seeded } from '../../support/cases.ts';
import { clientOf } from '../../support/client.ts';
import { serverEnv } from '../../support/process.ts';
import { openAcks } from './acks.ts';
import { guessesHeld, sealBeforehand, sealsHeld } from './books.ts';
import { startClients, type Traffic } from './clients.ts';
import { drawFaults } from './faults.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Verdict, watchMemory } from './memory.ts';
import { holdPromises } from './promises.ts';
import { openStores, type Stores } from './stores.ts';
import { makeSoakWorld, type SoakWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    hours: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    apis: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    clients: { type: 'string', default: '12' },
    rate: { type: 'string', default: '30' },
  },
});
const seed = Number(values.seed);
const seconds = 60 * (values.hours === undefined ? Number(values.minutes ?? 10) : 60 * Number(values.hours));
/** Memory is looked at first when what fills up has filled up. */
const LOOKS = [0.25, 0.5, 0.75];
/** Room for what is kept of each call for ever, with as much again for the log of what was done. */
const MB_OF_A_CALL = 0.012;
const MB_AT_START = 1_024;

const began = performance.now();
const atS = (): number => (performance.now() - began) / 1000;
const say = (what: string): void => console.log(`${atS().toFixed(0).padStart(6)} s  ${what}`);

console.log(
  `A soak of ${seconds / 60} minutes, seed ${seed}: npm run test:soak -- --seed ${seed} --minutes ${seconds / 60}`,
);
const by = seeded(seed);
const stores = await openStores(Math.ceil(MB_AT_START + seconds * Number(values.rate) * MB_OF_A_CALL));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stores.close().finally(() => process.exit(1))); // what is mounted does not go by itself
}
const verdicts = await soakAndClose();
for (const { promise, broken, looked } of verdicts) {
  console.log(`${broken.length === 0 ? 'held   ' : 'BROKEN '} ${promise}: ${looked}`);
  for (const what of broken.slice(0, 20)) console.log(`          ${what}`);
}
const failed = verdicts.filter(({ broken }) => broken.length > 0).length;
console.log(failed === 0 ? `All promises were held. Seed ${seed}.` : `${failed} promises were BROKEN. Seed ${seed}.`);
process.exit(failed === 0 ? 0 : 1);

async function soakAndClose(): Promise<Verdict[]> {
  try {
    return await soak(stores);
  } finally {
    await stores.close();
  }
}

async function soak(on: Stores): Promise<Verdict[]> {
  const env = {
    ...serverEnv(on.databaseUrl),
    REDIS_URL: on.redisUrl,
    PUBLIC_URL: 'http://localhost:3000', // one for all: a token is its issuer's
    LOG_LEVEL: 'fatal',
    WEBHOOK_TIMEOUT_MS: '1000',
    WEBHOOK_BACKOFF_BASE_MS: '100',
    RATE_LIMIT_LOGINS_PER_M: '0',
  };
  const draw = by.branch('clocks');
  const fleet = await startFleet(env, {
    apis: Number(values.apis),
    workers: Number(values.workers),
    jumpMs: () => draw.pick([-40_000, 20_000, 90_000, -3_600_000, 400 * 86_400_000]),
  });
  let world: SoakWorld | undefined;
  try {
    world = await makeSoakWorld(clientOf(fleet.serving()[0] ?? ''), by.branch('receivers'));
    const seals = await sealBeforehand(on.ownerUrl, env);
    say(`${fleet.places.length} processes run: ${fleet.places.map(({ name }) => name).join(', ')}`);
    const given = { seed, clients: Number(values.clients), callsPerS: Number(values.rate) };
    const traffic = startClients(world, fleet, openAcks(), given);
    const [memory, complaints] = [watchMemory(fleet), [] as string[]];
    const startS = atS();
    await goWrong(on, fleet, {
      untilS: startS + seconds,
      complain: (what) => complaints.push(what),
      look: (at) => memory.look(at - startS),
    });
    say('nothing goes wrong any more: what waits is done');
    world.heal();
    await traffic.end();
    const lastedS = atS() - startS;
    await memory.look(lastedS); // before all of it is asked again at once
    const held = await holdPromises(on.ownerUrl, fleet, world, traffic);
    say('the processes are stopped');
    const codes = await fleet.stop();
    complaints.push(
      ...codes.flatMap((code, at) => (code === 0 ? [] : [`${fleet.places[at]?.name} ended with ${code}`])),
    );
    printAnswers(traffic);
    return [
      ...held,
      await sealsHeld(env, seals),
      guessesHeld(traffic, lastedS),
      memory.verdict(),
      { promise: 'PostgreSQL does not crash by itself', ...(await on.crashes()) },
      {
        promise: 'processes end in good order',
        broken: complaints,
        looked: `${codes.length} at the end, and those before them`,
      },
    ];
  } finally {
    await Promise.all(fleet.places.map(async ({ running }) => running?.kill('SIGKILL')));
    await world?.close();
  }
}

interface Told {
  untilS: number;
  readonly complain: (what: string) => void;
  readonly look: (atS: number) => Promise<void>;
}

/** Has one thing after another go wrong, until the time is over. */
async function goWrong(on: Stores, fleet: Fleet, { untilS, complain, look }: Told): Promise<void> {
  const looks = LOOKS.map((share) => untilS - seconds * (1 - share));
  for (const { afterMs, faults } of drawFaults({ fleet, stores: on, complain }, by.branch('faults'))) {
    if (atS() + afterMs / 1000 >= untilS) break;
    await sleep(afterMs);
    say(faults.map(({ what }) => what).join(', and '));
    await Promise.all(faults.map((fault) => fault.happen()));
    if ((looks[0] ?? Number.POSITIVE_INFINITY) <= atS()) {
      looks.shift();
      await look(atS());
    }
  }
}

function printAnswers({ answers }: Traffic): void {
  for (const [kind, statuses] of [...answers].toSorted(([one], [other]) => one.localeCompare(other))) {
    const counts = [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, times]) => `${times} × ${status === 0 ? 'no answer' : status}`);
    console.log(`          ${kind}: ${counts.join(', ')}`);
  }
}
