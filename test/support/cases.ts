const soaks = process.env['SOAK'] === '1';

/**
 * How often a test repeats what may go wrong at another moment each time: few times as a rule, which are still
 * enough to fail when the promise is broken outright, and many in `npm run test:long`, to find what is rare.
 */
export const repetitions = ({ short, soak }: { short: number; soak: number }): number => (soaks ? soak : short);

/** The values of a table that are text alone, as they stand in it: between bars and ends of lines. */
export const listed = ([table = '']: TemplateStringsArray): string[] => table.trim().split(/\s*[|\n]\s*/);

/** Decisions drawn from a seed: the same seed makes the same ones in the same order, on every machine. */
export interface Seeded {
  /** A fraction from 0 to 1. */
  fraction(): number;
  /** A whole number from `from` up to, and without, `to`. */
  between(from: number, to: number): number;
  /** True so many times of a hundred. */
  chance(percent: number): boolean;
  /** One of several. @throws Error where there is none */
  pick<Value>(from: readonly Value[]): Value;
  /** A generator of its own, whose decisions are the same however many others are drawn elsewhere. */
  branch(name: string): Seeded;
}

/** mulberry32: 32 bits of state, good enough to choose by. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(fraction() * (to - from));
  return {
    fraction,
    between,
    chance: (percent) => fraction() * 100 < percent,
    pick(from) {
      const at = between(0, from.length);
      if (at >= from.length) throw new Error('there is nothing to pick from');
      return from[at] as (typeof from)[number];
    },
    branch: (name) => seeded(hashOf(`${seed} ${name}`)),
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** Names that Nigerians have, those among them that remind of a bank or of police too. */
export const firstNames =
  `Ada Adaeze Aisha Ayodele Bola Chidi Chinedu Chukwuemeka Ebuka Efe Emeka Fatima Fidelity Folake Funmilayo Grace
  Halima Ibrahim Ifeanyi Iniobong Jumoke Kelechi Kuda Musa Ngozi Nkechi Obinna Olúwaṣeun Patience Precious Sterling Tamuno
  Temitope Titan Tunde Uche Unity Yakubu Zainab Ɗanladi`.split(/\s+/);
export const lastNames =
  `Abubakar Adebayo Adeyemi Akpan Balogun Bank-Anthony Bankole Bello Danjuma Edet Eze Ibe Igwe Musa Nwosu Obi
  Okafor Okonkwo Okoro Oladipo Onyekachi O'Brien Paul Police-Harry Sanusi Tagbo Tagwai Uba Usman Yar'Adua Zubairu`.split(
    /\s+/,
  );
