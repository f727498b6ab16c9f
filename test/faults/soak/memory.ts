import type { Fleet } from './fleet.ts';
import type { Verdict } from './verdict.ts';

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
