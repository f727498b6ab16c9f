import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { eventually } from '../../support/eventually.ts';
import type { Fleet } from './fleet.ts';

/** By so much it may differ between two moments without growing: caches fill, code is compiled. */
const GROWTH = 1.25;
const SLACK_MB = 12;

interface Sample {
  readonly atS: number;
  readonly place: string;
  readonly rssMb: number;
  readonly heapMb: number;
}

/** What the processes that are never killed have in memory, from time to time, once their garbage is collected. */
export function watchMemory(fleet: Fleet): { look(atS: number): Promise<void>; verdict(): Verdict } {
  const watched = [fleet.of('api')[0], fleet.of('worker')[0]].filter((place) => place !== undefined);
  const samples: Sample[] = [];
  return {
    async look(atS) {
      for (const place of watched) samples.push({ atS, place: place.name, ...(await place.memory()) });
    },
    verdict() {
      const broken: string[] = [];
      const looked = watched.map(({ name }) => {
        const of = samples.filter(({ place }) => place === name);
        const [first, last] = [of[0], of.at(-1)];
        if (first === undefined || last === undefined || first === last) {
          broken.push(`${name} was looked at ${of.length} times, which says nothing of its growth`);
          return `${name} was looked at ${of.length} times`;
        }
        if (last.heapMb > first.heapMb * GROWTH + SLACK_MB || last.rssMb > first.rssMb * GROWTH + 2 * SLACK_MB)
          broken.push(`${name} grew`);
        const words = of.map(
          ({ atS, rssMb, heapMb }) => `${atS.toFixed(0)} s ${rssMb.toFixed(0)} MB (heap ${heapMb.toFixed(0)})`,
        );
        return `${name} ${words.join(', ')}`;
      });
      return { promise: 'memory stays flat', broken, looked: looked.join('; ') };
    },
  };
}

/** Everything that waits is sent, retried and given up in this time, once nothing goes wrong any more. */
const QUIET_MAX_MS = 300_000;

/** Waits until a statement finds nothing any more, but not for ever: what is left breaks its promise then. */
export const untilNone = (pool: Pool, select: string): Promise<void> =>
  eventually(async () => assert.equal((await pool.query(select)).rowCount, 0), {
    timeoutMs: QUIET_MAX_MS,
    intervalMs: 500,
  }).catch(() => undefined);

/** A promise, and what breaks it. */
export interface Verdict {
  readonly promise: string;
  readonly broken: readonly string[];
  /** What it was held against, in numbers. */
  readonly looked: string;
}

/** A promise that was held against nothing was not held: what breaks it then. */
export const atLeastOne = (count: number, what: string): string[] => (count > 0 ? [] : [`no ${what}`]);
