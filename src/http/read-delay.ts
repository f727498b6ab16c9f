/**
 * Knows how long what is read now may have waited until this process read it. The system does not say; but what comes during one turn
 * of the event loop is read in the next, so nothing has waited since before the turn that went before.
 */
export interface ReadDelay {
  /** Milliseconds at most, by up to a tick too many; less after a while in which nobody asked. */
  atMostMs(): number;
}

/** Turns are told apart by ticks of a timer, of which a long turn holds up the next. */
const TICK_MS = 10;
/** So many ticks after the last question they end. */
const TICKS_UNASKED = 100;

/** @param now a clock in milliseconds that never runs backwards */
export function createReadDelay(now: () => number = () => performance.now()): ReadDelay {
  let ticks: NodeJS.Timeout | undefined;
  let unasked = 0;
  let last = 0;
  let before = 0;
  function tick(): void {
    before = last;
    last = now();
    unasked += 1;
    if (unasked <= TICKS_UNASKED) return;
    clearInterval(ticks);
    ticks = undefined;
  }
  return {
    atMostMs() {
      unasked = 0;
      if (ticks === undefined) {
        last = before = now();
        ticks = setInterval(tick, TICK_MS).unref();
      }
      return now() - before;
    },
  };
}
