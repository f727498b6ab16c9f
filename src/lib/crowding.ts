/** For so long there may be no place. */
export const BURST_MS = 100;
/** For so long there may be none of those that one caller may have: who alone asks for much makes nobody else wait. */
export const BURST_OF_ONE_MS = 1000;
/** For so long there must always be one before it counts as over. */
const CALM_MS = 100;

/** Whether there was no place at any moment of so long, until there has always been one for a tenth of a second. */
export class Crowding {
  readonly #burstMs: number;
  /** Since when somebody has waited without a place; undefined while there is one. */
  #fullSince: number | undefined;
  /** When there was no place last. */
  #fullAt = Number.NEGATIVE_INFINITY;
  #isTooMuch = false;

  constructor(burstMs: number) {
    this.#burstMs = burstMs;
  }

  /** Looks at it anew. @returns whether there is too much */
  assess(isFull: boolean, at: number): boolean {
    const isOver = at - this.#fullAt >= CALM_MS; // before this moment counts: it may be the first of the next burst
    if (isFull) this.#fullAt = at;
    if (this.#isTooMuch) this.#isTooMuch = !isOver;
    else this.#isTooMuch = this.#fullSince !== undefined && at - this.#fullSince >= this.#burstMs;
    return this.#isTooMuch;
  }

  get isTooMuch(): boolean {
    return this.#isTooMuch;
  }

  /** Nobody waits, and there has been a place for a while. */
  isOver(at: number): boolean {
    return this.#fullSince === undefined && at - this.#fullAt >= CALM_MS;
  }

  waits(at: number): void {
    this.#fullSince ??= at;
  }

  hasPlace(): void {
    this.#fullSince = undefined;
  }
}
