export interface Task {
  /** Who is known to ask. Callers take turns. */
  readonly caller: string;
  /** Refused before others are. */
  readonly isSheddable: boolean;
  /** Whether it may run: called once, at once where there is a place. A task that runs ends by `leave`. */
  readonly decide: (mayRun: boolean) => void;
  /** Whether it has a place; said by the admission alone. */
  hasPlace?: boolean;
}

/** How many run and wait. */
export interface AdmissionBounds {
  /** Tasks that run at once. */
  readonly runningMax: number;
  /** Of them, those of one caller: whatever one waits for, another finds a place. */
  readonly ofOneMax: number;
  /** Of them, those that are the first to be refused, while there is too much. */
  readonly sheddableMax: number;
  /** Tasks of one caller that are done elsewhere without taking a place. */
  readonly elsewhereMax: number;
  /** Tasks that wait: in a burst, half of them of one caller; and those that may while there is too much. */
  readonly burstMax: number;
  readonly waitingMax: number;
}

/** Bounds for so many at once. */
export const boundsOf = (runningMax: number): AdmissionBounds => ({
  runningMax,
  ofOneMax: Math.ceil(runningMax * 0.75),
  sheddableMax: Math.ceil(runningMax / 2),
  elsewhereMax: 2 * runningMax,
  burstMax: 8 * runningMax,
  waitingMax: Math.ceil(runningMax / 8),
});

/** How many there are of each name that has any. */
export class Counts extends Map<string, number> {
  of(name: string): number {
    return this.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count > 0) this.set(name, count);
    else this.delete(name);
  }
}

/**
 * How many tasks have a place. Which ones, each says itself: a Set that all go through leaves tables behind which keep the requests
 * alive until the next collection of everything, and a fifth of them outlived two of the young.
 */
export class Places {
  readonly #ofOneMax: number;
  readonly #takenBy = new Counts();
  #taken = 0;
  #takenFairly = 0;
  #sheddable = 0;

  /** @param ofOneMax the most of one caller that count for `takenFairly` */
  constructor(ofOneMax: number) {
    this.#ofOneMax = ofOneMax;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The same, where who has very many counts as one who has the most: whatever they wait for, another finds a place. */
  get takenFairly(): number {
    return this.#takenFairly;
  }

  /** Of those that are refused before others. */
  get sheddable(): number {
    return this.#sheddable;
  }

  of(caller: string): number {
    return this.#takenBy.of(caller);
  }

  take(task: Task): void {
    task.hasPlace = true;
    this.#taken += 1;
    this.#takenBy.add(task.caller, 1);
    if (this.of(task.caller) <= this.#ofOneMax) this.#takenFairly += 1;
    if (task.isSheddable) this.#sheddable += 1;
  }

  /** @returns false for a task that has none */
  give(task: Task): boolean {
    if (task.hasPlace !== true) return false;
    task.hasPlace = false;
    this.#taken -= 1;
    if (this.of(task.caller) <= this.#ofOneMax) this.#takenFairly -= 1;
    this.#takenBy.add(task.caller, -1);
    if (task.isSheddable) this.#sheddable -= 1;
    return true;
  }
}
