import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, test } from 'vitest';
import { collectGarbage } from '#lib/collect-garbage.ts';
import { keepStripped, strippedIn } from '../../../src/stripped.js';

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
  const begin = "import { allocateYoung } from '#lib/collect-garbage.ts'; allocateYoung();";
  expect(oldOf(manyThatStay)).toBeGreaterThan(9000); // so V8 does by itself
  expect(oldOf(begin + manyThatStay)).toBe(0);
});

test('V8 knows the flag by which it collects early: it says nothing of one that it does not know', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain('--heap-growing-percent ');
});

function newFolder() {
  const folder = `${mkdtempSync(join(tmpdir(), 'paytag-stripped-'))}/`;
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string, modifiedS = 1_000_000) => {
    writeFileSync(folder + path, text);
    utimesSync(folder + path, modifiedS, modifiedS);
  };
  write('a.ts', `export const a: string = 'Adé';\n`);
  write('b.ts', 'export const b: number = 2;\n');
  write('c.js', 'export const c = 3;\n');
  const file = `${folder}cache/stripped`;
  keepStripped(folder, file);
  return { folder, file, write, textOf: (path: string) => strippedIn(folder, file)(path) };
}

it('keeps each TypeScript file without its types, every character where it was', () => {
  const { textOf } = newFolder();
  expect(['a.ts', 'b.ts', 'c.js', 'd.ts'].map(textOf)).toEqual([
    `export const a         = 'Adé';\n`,
    'export const b         = 2;\n',
    undefined,
    undefined,
  ]);
});

it('gives no text of a file that was changed or deleted since', () => {
  const { textOf, write, folder } = newFolder();
  write('a.ts', `export const a: string = 'Ada Obi';\n`);
  expect([textOf('a.ts'), textOf('b.ts')]).toEqual([undefined, expect.any(String)]);
  write('b.ts', 'export const b: number = 3;\n', 1_000_001);
  expect(textOf('b.ts')).toBeUndefined();
  rmSync(`${folder}a.ts`);
  expect(textOf('a.ts')).toBeUndefined();
});

it('gives nothing where nothing was kept, or what was is broken', () => {
  const { folder, file, textOf } = newFolder();
  writeFileSync(file, '[["a.ts",');
  expect(textOf('a.ts')).toBeUndefined();
  expect(strippedIn(folder, `${file}-of-nobody`)('a.ts')).toBeUndefined();
});
