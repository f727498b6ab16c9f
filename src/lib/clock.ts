/** The present time. The rules are given one, so that a test can set the time. */
export interface Clock {
  now(): Date;
}

/** The clock of this machine, to the millisecond. */
export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds from now until a moment, at least one: what a Retry-After says. */
export const secondsUntil = (moment: Date, now: Date): number =>
  Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
