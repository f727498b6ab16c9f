import { expect, it } from 'vitest';
import type { Asked } from '../faults/soak/asked.ts';
import { planTurn } from '../faults/soak/clients.ts';
import { drawFaults, type Victims } from '../faults/soak/faults.ts';
import type { Fleet, Place, Role } from '../faults/soak/fleet.ts';
import type { Stores } from '../faults/soak/stores.ts';
import type { SoakCustomer, SoakPartner, SoakWorld } from '../faults/soak/world.ts';
import { listed, seeded } from '../support/cases.ts';

const FAULTS = 60;
const TURNS = 300;

const place = (role: Role, at: number) => ({ name: `${role} ${at}`, role }) as Place;
const of = (role: Role) => [0, 1, 2].map((at) => place(role, at));
const victims = {
  fleet: { of } as unknown as Fleet,
  stores: {} as Stores,
  complain: () => undefined,
} satisfies Victims;

const wallet = (name: string) => ({ reference: name, nuban: name });
const customer = (name: string) => ({ paytag: name, wallet: name }) as SoakCustomer;
const partner = (name: string) =>
  ({
    id: name,
    counted: [wallet(`${name} a`), wallet(`${name} b`)],
    wallets: [wallet(`${name} c`), wallet(`${name} d`)],
    customers: [customer(`${name}.ada`), customer(`${name}.bola`)],
    numbers: [`${name} 1`, `${name} 2`],
    terminal: name,
  }) as unknown as SoakPartner;
const applications = ['market', 'rides'].map((tag) => ({ tag, credentials: { client_id: tag } }));
const world = { partners: ['one', 'two', 'three'].map(partner), applications } as unknown as SoakWorld;

/** What goes wrong in a run, in its order. */
function faultsOf(seed: number): string[] {
  const drawn = drawFaults(victims, seeded(seed).branch('faults'));
  return Array.from({ length: FAULTS }, () => {
    const { afterMs, faults } = drawn.next().value as { afterMs: number; faults: { what: string }[] };
    return `${afterMs} ${faults.map(({ what }) => what).join(', and ')}`;
  });
}

/** What a client asks for first in each turn, which does not hang on what is answered. */
async function turnsOf(seed: number): Promise<string[]> {
  const asked: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const { what, by, reference, patience, pause } = planTurn(seed, turn % 3, turn);
    await what(world, by, reference, async ({ method, path, json }: Asked) => {
      asked.push(JSON.stringify([patience, pause, method, path, json]));
      return undefined;
    });
  }
  return asked;
}

it('the same seed has the same things go wrong, in the same order and after the same time; another has others', () => {
  expect(faultsOf(42)).toEqual(faultsOf(42));
  expect(faultsOf(42)).not.toEqual(faultsOf(43));
});

it('each kind of fault comes within as many as there are kinds', () => {
  const first = faultsOf(42).slice(0, 14).join();
  for (const kind of listed`
    killed with -9 | SIGTERM | flushed | Redis is stopped | PostgreSQL is ended | are cut | are lost | silent
    the clock | the disk
  `)
    expect(first).toContain(kind);
});

it('the same seed has each client ask for the same in each turn; another asks for other things', async () => {
  expect(await turnsOf(42)).toEqual(await turnsOf(42));
  expect(await turnsOf(42)).not.toEqual(await turnsOf(43));
});
