import { describe, expect, it } from 'vitest';
import { createPostingQueues } from '../../../src/modules/ledger/posting-queues.ts';

const queuesWith = (waiting: Record<string, number>) => {
  const queues = createPostingQueues<{ partner: string; at: number }>();
  for (const [partner, count] of Object.entries(waiting)) {
    for (let at = 0; at < count; at += 1) queues.add({ partner, at });
  }
  return queues;
};
function taken<Batch>(batch: Batch | undefined): Batch {
  if (batch === undefined) throw new Error('there is a batch');
  return batch;
}
const refusal = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('partners', () => {
  it('share a batch, in the order in which each of them posted', () => {
    const batch = queuesWith({ a: 2, b: 1, c: 3 }).take(2);
    expect(batch?.partners).toEqual(['a', 'b', 'c']);
    expect(batch?.items.map(({ partner, at }) => `${partner}${at}`)).toEqual(['a0', 'a1', 'b0', 'c0', 'c1', 'c2']);
  });

  it('take turns, however much one of them has waiting', () => {
    const queues = queuesWith({ busy: 1_000, b: 1, c: 1 });
    expect(queues.take(2)?.partners).toEqual(['busy']);
    expect(queues.take(2)?.partners).toEqual(['b', 'c']);
    expect(queues.take(2)?.partners).toEqual(['busy']);
  });

  it('with a batch under way have the next one for themselves, and no third', () => {
    const queues = queuesWith({ busy: 200, b: 65 });
    expect(queues.take(2)?.partners).toEqual(['busy']);
    expect(queues.take(2)?.partners).toEqual(['b']);
    expect(queues.take(1)).toBeUndefined();
    expect(queues.take(2)?.partners).toEqual(['busy']);
    expect(queues.take(2)?.partners).toEqual(['b']);
    expect(queues.take(2)).toBeUndefined();
  });

  it('whose shared batch is put back go one by one, in the order in which they came, until they rejoin', () => {
    const queues = queuesWith({ a: 1, b: 1 });
    const shared = taken(queues.take(2));
    queues.add({ partner: 'a', at: 1 });
    queues.putBack(shared);
    const [own, other] = [taken(queues.take(2)), taken(queues.take(2))];
    expect([own, other]).toEqual([
      {
        partners: ['a'],
        items: [
          { partner: 'a', at: 0 },
          { partner: 'a', at: 1 },
        ],
      },
      { partners: ['b'], items: [{ partner: 'b', at: 0 }] },
    ]);
    for (const batch of [own, other]) queues.end(batch);
    queues.add({ partner: 'a', at: 2 });
    queues.add({ partner: 'b', at: 1 });
    expect(queues.take(2)?.partners).toEqual(['a']);
    queues.rejoin(other);
    queues.add({ partner: 'c', at: 0 });
    expect(queues.take(2)?.partners).toEqual(['b', 'c']);
  });
});

describe('what waits is bounded', () => {
  it('for each partner: one more is refused, and another partner is not', () => {
    const queues = queuesWith({ a: 1_024 });
    expect(refusal(() => queues.add({ partner: 'a', at: 0 }))).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    expect(refusal(() => queues.add({ partner: 'b', at: 0 }))).toBeUndefined();
    expect(queues.take(2)?.items).toHaveLength(64);
    expect(refusal(() => queues.add({ partner: 'a', at: 0 }))).toBeUndefined();
  });

  it('for all together', () => {
    const partners = Array.from({ length: 8 }, (_, at) => [`p${at}`, 1_024] as const);
    const queues = queuesWith(Object.fromEntries(partners));
    expect(refusal(() => queues.add({ partner: 'another', at: 0 }))).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    const batch = taken(queues.take(2));
    expect(refusal(() => queues.add({ partner: 'another', at: 0 }))).toBeUndefined();
    expect(queues.drain(batch)).toHaveLength(1_024 - 64);
    expect(refusal(() => queues.add({ partner: 'another', at: 1 }))).toBeUndefined();
  });
});
