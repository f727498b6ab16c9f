import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { securityEvents } from '../../src/lib/security-events.ts';
import { documentAt } from '../support/documents.ts';

/** The rows of the guide's table of alerts, by their event. */
const rows = [...documentAt('src/docs/security.md').text.matchAll(/^\| `(\w+)` \| (`rate\[.+)$/gm)];

test('every security event has its alert in the guide: a threshold, what it means and what to do', () => {
  expect(rows.map(([, event]) => event)).toEqual(Object.keys(securityEvents));
  const incomplete = rows.filter(
    ([, , cells = '']) => !/^`rate\[\d+[mh]\] > \d+`[^|]* \| .{10,} \| .{10,} \|$/.test(cells),
  );
  expect(incomplete.map(([row]) => row)).toEqual([]);
});

test('every security event is one that something records', () => {
  const sources = globSync('src/**/*.ts').filter((name) => name !== 'src/lib/security-events.ts');
  const code = sources.map((name) => readFileSync(name, 'utf8')).join('\n');
  expect(Object.keys(securityEvents).filter((event) => !code.includes(`'${event}'`))).toEqual([]);
});
