import { describe, expect, it } from 'vitest';
import { createCallQueues } from '../../../src/lib/call-queues.ts';

const queuesWith = (waiting: Record<string, number>) => {
  const queues = createCallQueues<{ owner: string; at: number }>();
  for (const [owner, count] of Object.entries(waiting)) {
    for (let at = 0; at < count; at += 1) queues.add({ owner, at });
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

describe('owners', () => {
  it('share a batch, in the order in which each of them posted', () => {
    const batch = queuesWith({ a: 2, b: 1, c: 3 }).take(2);
    expect(batch?.owners).toEqual(['a', 'b', 'c']);
    expect(batch?.items.map(({ owner, at }) => `${owner}${at}`)).toEqual(['a0', 'a1', 'b0', 'c0', 'c1', 'c2']);
  });

  it('take turns, however much one of them has waiting', () => {
    const queues = queuesWith({ busy: 1_000, b: 1, c: 1 });
    expect(queues.take(2)?.owners).toEqual(['busy']);
    expect(queues.take(2)?.owners).toEqual(['b', 'c']);
    expect(queues.take(2)?.owners).toEqual(['busy']);
  });

  it('with a batch under way have the next one for themselves, and no third', () => {
    const queues = queuesWith({ busy: 200, b: 65 });
    expect(queues.take(2)?.owners).toEqual(['busy']);
    expect(queues.take(2)?.owners).toEqual(['b']);
    expect(queues.take(1)).toBeUndefined();
    expect(queues.take(2)?.owners).toEqual(['busy']);
    expect(queues.take(2)?.owners).toEqual(['b']);
    expect(queues.take(2)).toBeUndefined();
  });

  it('whose shared batch is put back go one by one, in the order in which they came, until they rejoin', () => {
    const queues = queuesWith({ a: 1, b: 1 });
    const shared = taken(queues.take(2));
    queues.add({ owner: 'a', at: 1 });
    queues.putBack(shared);
    const [own, other] = [taken(queues.take(2)), taken(queues.take(2))];
    expect([own, other]).toEqual([
      {
        owners: ['a'],
        items: [
          { owner: 'a', at: 0 },
          { owner: 'a', at: 1 },
        ],
      },
      { owners: ['b'], items: [{ owner: 'b', at: 0 }] },
    ]);
    for (const batch of [own, other]) queues.end(batch);
    queues.add({ owner: 'a', at: 2 });
    queues.add({ owner: 'b', at: 1 });
    expect(queues.take(2)?.owners).toEqual(['a']);
    queues.rejoin(other);
    queues.add({ owner: 'c', at: 0 });
    expect(queues.take(2)?.owners).toEqual(['b', 'c']);
  });
});

describe('what waits is bounded', () => {
  it('for each owner: one more is refused, and another owner is not', () => {
    const queues = queuesWith({ a: 1_024 });
    expect(refusal(() => queues.add({ owner: 'a', at: 0 }))).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    expect(refusal(() => queues.add({ owner: 'b', at: 0 }))).toBeUndefined();
    expect(queues.take(2)?.items).toHaveLength(64);
    expect(refusal(() => queues.add({ owner: 'a', at: 0 }))).toBeUndefined();
  });

  it('for all together', () => {
    const owners = Array.from({ length: 8 }, (_, at) => [`p${at}`, 1_024] as const);
    const queues = queuesWith(Object.fromEntries(owners));
    expect(refusal(() => queues.add({ owner: 'another', at: 0 }))).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    const batch = taken(queues.take(2));
    expect(refusal(() => queues.add({ owner: 'another', at: 0 }))).toBeUndefined();
    expect(queues.drain(batch)).toHaveLength(1_024 - 64);
    expect(refusal(() => queues.add({ owner: 'another', at: 1 }))).toBeUndefined();
  });
});
