/** The present time. The rules are given one, so that a test can set the time. */
export interface Clock {
  now(): Date;
}

/** The clock of this machine, to the millisecond. */
export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds from now until a moment, at least one: what a Retry-After says. */
export const secondsUntil = (moment: Date, now: Date): number =>
  Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));

/** What a promise resolves to, or undefined when that takes longer than `timeoutMs`: its later result is ignored. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
