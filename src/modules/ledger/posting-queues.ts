import { DomainError } from '#lib/domain-error.ts';

/** Postings in one call at most, which bounds how long their accounts stay locked. */
const BATCH_MAX = 64;
/** Postings that may wait for a call: of one partner, and of all together. */
const PARTNER_WAITING_MAX = 1_024;
const WAITING_MAX = 8_192;

/** Postings for one call, and the partners they are of. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  readonly partners: readonly string[];
}

/** Postings that wait, in one queue for each partner. A batch that was taken is under way until it ends or is put back. */
export interface PostingQueues<Item> {
  /** How many wait. */
  readonly waiting: number;
  /** @throws DomainError BUSY when too many wait already; nothing was done then */
  add(item: Item): void;
  /**
   * The next batch, or undefined when none may go. Partners take turns. Those that have nothing under way share a batch;
   * one that stands apart has a batch of its own, as has one that has a batch under way already.
   *
   * @param ofPartnerMax batches of one partner that may be under way at the same time
   */
  take(ofPartnerMax: number): Batch<Item> | undefined;
  end(batch: Batch<Item>): void;
  /** Its partners share batches again. */
  rejoin(batch: Batch<Item>): void;
  /** Has it wait again, before what came later. Its partners stand apart until they rejoin. */
  putBack(batch: Batch<Item>): void;
  /** Takes out all that waits of its partners. */
  drain(batch: Batch<Item>): Item[];
}

interface Queue<Item> {
  readonly partner: string;
  waiting: Item[];
  underWay: number;
  isApart: boolean;
}

export function createPostingQueues<Item extends { readonly partner: string }>(): PostingQueues<Item> {
  /** In the order of their turns. A partner without anything waiting or under way has none, unless it stands apart. */
  const queues = new Map<string, Queue<Item>>();
  let waiting = 0;

  function queuesOf({ partners }: Batch<Item>): Queue<Item>[] {
    return partners.flatMap((partner) => queues.get(partner) ?? []);
  }

  function forgetIdle(queue: Queue<Item>): void {
    if (queue.waiting.length + queue.underWay === 0 && !queue.isApart) queues.delete(queue.partner);
  }

  function leave(batch: Batch<Item>): void {
    for (const queue of queuesOf(batch)) {
      queue.underWay -= 1;
      forgetIdle(queue);
    }
  }

  /** Whose postings go into the next batch. */
  function nextPartners(ofPartnerMax: number): Queue<Item>[] {
    const chosen: Queue<Item>[] = [];
    let room = BATCH_MAX;
    for (const queue of queues.values()) {
      if (queue.waiting.length === 0 || queue.underWay >= ofPartnerMax) continue;
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
      const known = queues.get(item.partner);
      if (waiting >= WAITING_MAX || (known?.waiting.length ?? 0) >= PARTNER_WAITING_MAX) {
        throw new DomainError('BUSY', 'too many movements of money wait: send the same request again', {
          retryAfterS: 1,
        });
      }
      waiting += 1;
      if (known !== undefined) known.waiting.push(item);
      else queues.set(item.partner, { partner: item.partner, waiting: [item], underWay: 0, isApart: false });
    },
    take(ofPartnerMax) {
      const chosen = nextPartners(ofPartnerMax);
      if (chosen.length === 0) return undefined;
      const items: Item[] = [];
      for (const queue of chosen) {
        items.push(...queue.waiting.splice(0, BATCH_MAX - items.length));
        queue.underWay += 1;
        queues.delete(queue.partner); // and to the end, so that everybody else has a turn before its next one
        queues.set(queue.partner, queue);
      }
      waiting -= items.length;
      return { items, partners: chosen.map(({ partner }) => partner) };
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
        queue.waiting.unshift(...batch.items.filter(({ partner }) => partner === queue.partner));
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
