import { execFileSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '#lib/runtime.ts';

test('what nothing refers to any more is gone, and what something refers to is not', async () => {
  const kept = { size: 1 };
  const [stays, goes] = [new WeakRef(kept), new WeakRef({ size: 2 })];
  await nextTurn(); // until then both are kept, for whoever just made a reference to them
  await collectGarbage();
  expect([stays.deref(), goes.deref()]).toEqual([kept, undefined]);
});

/** Makes very many objects of which none goes, and prints how many of the last did not begin in the young generation. */
const manyThatStay = `
  const isYoung = new Function('it', 'return %InYoungGeneration(it)');
  const make = (of) => ({ of, parts: [of] });
  const kept = [];
  let old = 0;
  for (let turn = 0; turn < 300_000; turn++) {
    const made = make(turn);
    kept.push(made);
    if (turn >= 290_000 && !isYoung(made)) old += 1;
  }
  console.log(old);`;
/** What V8 learns from is compiled and collected beside the program, and on a busy machine too late: here in turn. */
const flags = ['--max-semi-space-size=1', '--single-threaded', '--allow-natives-syntax', '--input-type=module'];
const oldOf = (program: string) =>
  Number(execFileSync(process.execPath, [...flags, '--eval', program], { encoding: 'utf8' }));

test('every object begins in the young generation, however many of its kind have stayed', () => {
  const begin = "import { disablePretenuring } from '#lib/runtime.ts'; disablePretenuring();";
  expect(oldOf(manyThatStay)).toBeGreaterThan(9000); // so V8 does by itself
  expect(oldOf(begin + manyThatStay)).toBe(0);
});

test('V8 knows the flag by which it collects early: it says nothing of one that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain('--heap-growing-percent ');
});
