import type { Pool } from 'pg';

/** What gathered calls of all functions may take of a pool together: the rest of the server needs connections too. */
const SHARE = 7 / 8;

/** A function whose calls take connections. */
export interface Taker {
  /** Its calls under way. */
  underWay: number;
  /** Starts what waits and may start. */
  pump: () => void;
}

/** What gathered calls take of one pool. */
export interface PoolShare {
  /** Whether one more call may start. The last place is for a function that has none under way: no other's stalls keep it waiting. */
  hasRoomFor(taker: Taker): boolean;
  begin(taker: Taker): void;
  /** What waits of others may start then; they take turns. */
  end(taker: Taker): void;
  join(taker: Taker): void;
}

/** For a function that no account keeps waiting: others' stalls must not either, and its own bound is all. */
export const noShare: PoolShare = {
  hasRoomFor: () => true,
  begin(taker) {
    taker.underWay += 1;
  },
  end(taker) {
    taker.underWay -= 1;
    taker.pump();
  },
  join: () => undefined,
};

const shares = new WeakMap<Pool, PoolShare>();

/** The share of a pool: one for all functions that are called over it. */
export function shareOf(pool: Pool): PoolShare {
  let share = shares.get(pool);
  if (share === undefined) shares.set(pool, (share = createShare(Math.max(1, Math.floor(pool.options.max * SHARE)))));
  return share;
}

function createShare(max: number): PoolShare {
  /** In the order of their turns. */
  const takers = new Set<Taker>();
  let underWay = 0;
  return {
    hasRoomFor: (taker) => underWay < (taker.underWay === 0 ? max : max - 1),
    begin(taker) {
      underWay += 1;
      taker.underWay += 1;
      takers.delete(taker); // and to the end
      takers.add(taker);
    },
    end(taker) {
      underWay -= 1;
      taker.underWay -= 1;
      const inTurn = [...takers]; // whoever begins now moves to the end
      for (const one of inTurn) one.pump();
    },
    join: (taker) => void takers.add(taker),
  };
}
