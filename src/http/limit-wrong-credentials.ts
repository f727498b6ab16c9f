/** Wrong credentials that are looked at in a second, and in a burst. */
const WRONG_PER_S = 500;
const BURST = 1000;

/**
 * Limits how many wrong credentials are looked at, whoever sends them: to find out that somebody is nobody costs as much as a request,
 * and takes none of the places that are counted.
 */
export interface WrongCredentialsLimit {
  /** Asked before credentials are looked at of which nothing is known. */
  isOneTooMany(): boolean;
  /** Told when they were right, so that they count for nothing. */
  wereRight(): void;
}

/** @param now a clock in milliseconds that never runs backwards */
export function createWrongCredentialsLimit(now: () => number = () => performance.now()): WrongCredentialsLimit {
  let left = BURST;
  let filledAt = now();
  return {
    isOneTooMany() {
      const at = now();
      left = Math.min(BURST, left + ((at - filledAt) / 1000) * WRONG_PER_S);
      filledAt = at;
      if (left < 1) return true;
      left -= 1;
      return false;
    },
    wereRight() {
      left += 1;
    },
  };
}
