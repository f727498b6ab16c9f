import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepStripped, strippedIn } from '../../src/stripped.js';

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
