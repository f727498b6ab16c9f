import { DomainError } from './domain-error.ts';

/** Members of one call at most, which bounds how long what they need stays locked. */
export const BATCH_MAX = 64;
/** Members that may wait for a call: of one owner, and of all together. */
const OWNER_WAITING_MAX = 1_024;
const WAITING_MAX = 8_192;

/** Members of one call, and the owners they are of. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  readonly owners: readonly string[];
}

/** What waits for a call, in one queue for each owner. A batch that was taken is under way until it ends or is put back. */
export interface CallQueues<Item> {
  /** How many wait. */
  readonly waiting: number;
  /** @throws DomainError BUSY when too many wait already; nothing was done then */
  add(item: Item): void;
  /**
   * The next batch, or undefined when none may go. Owners take turns. Those that have nothing under way share a batch;
   * one that stands apart has a batch of its own, as has one that has a batch under way already.
   *
   * @param ofOwnerMax batches of one owner that may be under way at the same time
   */
  take(ofOwnerMax: number): Batch<Item> | undefined;
  end(batch: Batch<Item>): void;
  /** Its owners share batches again. */
  rejoin(batch: Batch<Item>): void;
  /** Has it wait again, before what came later. Its owners stand apart until they rejoin. */
  putBack(batch: Batch<Item>): void;
  /** Takes out all that waits of its owners. */
  drain(batch: Batch<Item>): Item[];
}

interface Queue<Item> {
  readonly owner: string;
  waiting: Item[];
  underWay: number;
  isApart: boolean;
}

export function createCallQueues<Item extends { readonly owner: string }>(): CallQueues<Item> {
  /** In the order of their turns. An owner without anything waiting or under way has none, unless it stands apart. */
  const queues = new Map<string, Queue<Item>>();
  let waiting = 0;

  function queuesOf({ owners }: Batch<Item>): Queue<Item>[] {
    return owners.flatMap((owner) => queues.get(owner) ?? []);
  }

  function forgetIdle(queue: Queue<Item>): void {
    if (queue.waiting.length + queue.underWay === 0 && !queue.isApart) queues.delete(queue.owner);
  }

  function leave(batch: Batch<Item>): void {
    for (const queue of queuesOf(batch)) {
      queue.underWay -= 1;
      forgetIdle(queue);
    }
  }

  /** Whose members go into the next batch. */
  function nextOwners(ofOwnerMax: number): Queue<Item>[] {
    const chosen: Queue<Item>[] = [];
    let room = BATCH_MAX;
    for (const queue of queues.values()) {
      if (queue.waiting.length === 0 || queue.underWay >= ofOwnerMax) continue;
      const goesAlone = queue.isApart || queue.underWay > 0;
      if (goesAlone && chosen.length > 0) continue;
      chosen.push(queue);
      room -= queue.waiting.length;
      if (goesAlone || room <= 0) break;
    }
    return chosen;
  }

  return {
    get waiting() {
      return waiting;
    },
    add(item) {
      const known = queues.get(item.owner);
      if (waiting >= WAITING_MAX || (known?.waiting.length ?? 0) >= OWNER_WAITING_MAX) {
        throw new DomainError('BUSY', 'too many requests wait: send the same request again', {
          retryAfterS: 1,
        });
      }
      waiting += 1;
      if (known !== undefined) known.waiting.push(item);
      else queues.set(item.owner, { owner: item.owner, waiting: [item], underWay: 0, isApart: false });
    },
    take(ofOwnerMax) {
      const chosen = nextOwners(ofOwnerMax);
      if (chosen.length === 0) return undefined;
      const items: Item[] = [];
      for (const queue of chosen) {
        items.push(...queue.waiting.splice(0, BATCH_MAX - items.length));
        queue.underWay += 1;
        queues.delete(queue.owner); // and to the end, so that everybody else has a turn before its next one
        queues.set(queue.owner, queue);
      }
      waiting -= items.length;
      return { items, owners: chosen.map(({ owner }) => owner) };
    },
    end: leave,
    rejoin(batch) {
      for (const queue of queuesOf(batch)) {
        queue.isApart = false;
        forgetIdle(queue);
      }
    },
    putBack(batch) {
      for (const queue of queuesOf(batch)) {
        queue.waiting.unshift(...batch.items.filter(({ owner }) => owner === queue.owner));
        queue.isApart = true;
      }
      waiting += batch.items.length;
      leave(batch);
    },
    drain(batch) {
      const drained = queuesOf(batch).flatMap((queue) => queue.waiting.splice(0));
      waiting -= drained.length;
      return drained;
    },
  };
}
