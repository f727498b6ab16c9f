/** What a limit must do, in a few lines that know no store. Times are seconds. */
export class ThrottleModel {
  readonly #limit: { points: number; windowS: number; delays?: { firstS: number; maxS: number } };
  #spent = 0;
  #endsAt = 0;
  #closedUntil = 0;

  constructor(limit: { points: number; windowS: number; delays?: { firstS: number; maxS: number } }) {
    this.#limit = limit;
  }

  /** For how long it is closed; 0 when it is open. */
  look(now: number): number {
    if (this.#endsAt <= now) this.reset();
    return Math.max(0, this.#closedUntil - now);
  }

  /** 0 when it let through. */
  take(cost: number, now: number): number {
    const closed = this.look(now);
    if (closed > 0) return closed;
    const { points, windowS, delays } = this.#limit;
    this.#spent += cost;
    if (this.#endsAt === 0 || delays !== undefined) this.#endsAt = now + windowS;
    if (this.#spent < points) return 0;
    const extra = this.#spent - points;
    this.#closedUntil = delays === undefined ? this.#endsAt : now + Math.min(delays.firstS * 2 ** extra, delays.maxS);
    return 0;
  }

  giveBack(cost: number): void {
    this.#spent = Math.max(0, this.#spent - cost);
    this.#closedUntil = 0;
  }

  reset(): void {
    this.#spent = 0;
    this.#endsAt = 0;
    this.#closedUntil = 0;
  }
}
