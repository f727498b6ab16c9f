import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { arrowsIn, circles, idleArrows, importsFollow, invariantsFollow, missingRooms } from './walls/arrows.ts';
import { rooms } from './walls/rooms.ts';
import { imagine, readSources } from './walls/source.ts';

const source = readSources('src');
const table = readFileSync(new URL('../../src/modules/README.md', import.meta.url), 'utf8');
const arrows = arrowsIn(table);

describe('the arrows between rooms', () => {
  test('are there', () => {
    expect(arrows.size).toBeGreaterThan(10);
  });

  test('are those of src/modules/README.md, which names every room and no other', () => {
    expect(missingRooms(arrows, source)).toEqual([]);
    expect(importsFollow(arrows)(source)).toEqual([]);
    expect(idleArrows(table, source)).toEqual([]);
    expect(invariantsFollow(arrows)(source)).toEqual([]);
  });

  test('never lead in a circle', () => {
    expect(circles(arrows)).toEqual([]);
  });

  test('are refused where the table has none, where a room is missing, and where they close a circle', () => {
    const imagined = arrowsIn('| `a` | | alone |\n| `b` | `a` | it refers to it |\n| `gone` | | it was here |');
    expect(missingRooms(imagined, imagine(rooms))).toEqual([
      'c has no row in src/modules/README.md',
      'gone of src/modules/README.md does not exist',
    ]);
    expect(importsFollow(imagined)(imagine(rooms))).toEqual([]);
    expect(importsFollow(imagined)(imagine({ 'src/modules/a/x.ts': `import type { B } from '#modules/b';` }))).toEqual([
      'src/modules/a/x.ts asks b: the table in src/modules/README.md has no such arrow',
    ]);
    expect(circles(arrowsIn('| `a` | `b` | x |\n| `b` | `c` | x |\n| `c` | `b` | x |'))).toEqual(['b → c → b']);
    const reads = 'offenders: () => `select from a_schema.thing`';
    expect(invariantsFollow(imagined)(imagine({ ...rooms, 'src/modules/b/invariants.ts': reads }))).toEqual([]);
    expect(invariantsFollow(imagined)(imagine({ ...rooms, 'src/modules/c/money-invariants.ts': reads }))).toEqual([
      'src/modules/c/money-invariants.ts reads the tables of a, which its room does not ask',
    ]);
    expect(() => arrowsIn('| `a` | `b` | |')).toThrow('give no reason');
    const rows = '| `a` | `b` | x |\n| `b` | `a` | x |\n| `c` | `a` (SQL) | x |';
    expect(idleArrows(rows, imagine(rooms))).toEqual(['a → b']);
  });
});
