import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/** Of one file: its path in the folder, its size and time when it was stripped, and how long it is without types. */
/** @typedef {[path: string, size: number, modifiedS: number, bytes: number]} Entry */

/** In whole seconds: layers of an image keep no more. @param {import('node:fs').Stats} stats */
const modifiedS = ({ mtimeMs }) => Math.floor(mtimeMs / 1000);

/**
 * Keeps all TypeScript of a folder without its types in one file: the first line says what is in it.
 *
 * @param {string} folder
 * @param {string} file
 */
export function keepStripped(folder, file) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {Buffer[]} */
  const texts = [];
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.d.ts')) continue;
    const stats = statSync(join(folder, path));
    const text = Buffer.from(stripTypeScriptTypes(readFileSync(join(folder, path), 'utf8')));
    entries.push([path, stats.size, modifiedS(stats), text.length]);
    texts.push(text);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...texts]));
  renameSync(`${file}.new`, file); // nobody reads half of it
}

/**
 * Reads what `keepStripped` has kept. Node reads two files for each of ours, the source and what it kept of it without types: this
 * is one for all.
 *
 * @param {string} folder
 * @param {string} file
 * @returns {(path: string) => string | undefined} the text of one file; undefined where it is not kept, or was changed since
 */
export function strippedIn(folder, file) {
  /** @type {Map<string, { size: number, modified: number, from: number, to: number }>} */
  const places = new Map();
  let all = Buffer.alloc(0);
  try {
    all = readFileSync(file);
    let from = all.indexOf('\n') + 1;
    /** @type {Entry[]} */
    const entries = JSON.parse(all.toString('utf8', 0, from));
    for (const [path, size, modified, bytes] of entries) {
      places.set(path, { size, modified, from, to: from + bytes });
      from += bytes;
    }
  } catch {
    return () => undefined; // nobody kept anything
  }
  return (path) => {
    const place = places.get(path);
    if (place === undefined) return undefined;
    const stats = statSync(folder + path, { throwIfNoEntry: false });
    if (stats === undefined || stats.size !== place.size || modifiedS(stats) !== place.modified) return undefined;
    return all.toString('utf8', place.from, place.to);
  };
}
