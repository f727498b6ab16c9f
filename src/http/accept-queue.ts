import type { Socket } from 'node:net';

/**
 * Knows how long connections may have waited until this process took them. The system does not say; but it hands them over in their
 * order, and Node takes one in a turn of the event loop: as long as one comes in each turn, all of them may have come at the beginning.
 */
export interface AcceptQueue {
  /** Told of each connection when it is taken. `listener` is the socket that it was taken from. */
  takes(connection: Socket, listener: object): void;
  /** Milliseconds at most, asked when its first request is there; 0 where that was sent later, and of each later request. */
  waitedMs(connection: Socket): number;
}

/** A first request that comes later was sent later than its connection was opened. */
const FIRST_REQUEST_MS = 500;

/** @param now a clock in milliseconds that never runs backwards */
export function createAcceptQueue(now: () => number = () => performance.now()): AcceptQueue {
  const waited = new WeakMap<Socket, { readonly ms: number; readonly at: number }>();
  /** Listeners that one came from in the last turn, since when there has been one in each, and whether there was one in this. */
  const busy = new Map<object, { readonly since: number; isBusy: boolean }>();
  function endTurn(): void {
    for (const [listener, state] of busy) {
      if (!state.isBusy) busy.delete(listener);
      state.isBusy = false;
    }
    if (busy.size > 0) setImmediate(endTurn);
  }
  return {
    takes(connection, listener) {
      const at = now();
      if (busy.size === 0) setImmediate(endTurn);
      const state = busy.get(listener) ?? { since: at, isBusy: true };
      state.isBusy = true;
      busy.set(listener, state);
      if (at > state.since) waited.set(connection, { ms: at - state.since, at });
    },
    waitedMs(connection) {
      const found = waited.get(connection);
      if (found === undefined) return 0;
      waited.delete(connection);
      return now() - found.at < FIRST_REQUEST_MS ? found.ms : 0;
    },
  };
}
