import { expect, test } from 'vitest';
import { collectGarbage } from '#lib/collect-garbage.ts';

test('what nothing refers to any more is gone, and what something refers to is not', async () => {
  const kept = { size: 1 };
  const [stays, goes] = [new WeakRef(kept), new WeakRef({ size: 2 })];
  await collectGarbage();
  expect([stays.deref(), goes.deref()]).toEqual([kept, undefined]);
});
