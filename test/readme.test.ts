import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorStatus } from '#http/error-status.ts';
import { variables } from '../src/config/variables.ts';

const readme = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const sources = globSync('src/**/*.ts').filter((name) => name !== 'src/http/error-status.ts');

/** Words in capitals that stand in a table row of a section. */
const wordsIn = (section: string): Set<string> => {
  const text = readme.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return new Set(rows.flatMap((row) => row.match(/\b[A-Z][A-Z0-9_]{2,}\b/g) ?? []));
};

it('names every variable that the server reads', () => {
  const told = wordsIn('Configuration');
  expect(Object.keys(variables.shape).length).toBeGreaterThan(15);
  expect(Object.keys(variables.shape).filter((name) => !told.has(name))).toEqual([]);
});

it('lists every error code, under its status, and none that is not', () => {
  const rows = readme.split('\n').filter((line) => /^\| \d{3}(, \d{3})* \|/.test(line));
  const told = rows.flatMap((row) => {
    const [, statuses = '', codes = ''] = row.split('|');
    return codes.split(',').map((code) => [code.trim(), statuses.trim()] as const);
  });
  expect(told.map(([code]) => code).toSorted()).toEqual(Object.keys(errorStatus).toSorted());
  for (const [code, statuses] of told)
    expect(statuses).toContain(String(errorStatus[code as keyof typeof errorStatus]));
});

it('every error code is one that something refuses with', () => {
  const all = sources.map((name) => readFileSync(name, 'utf8')).join('\n');
  expect(Object.keys(errorStatus).filter((code) => !new RegExp(`\\b${code}\\b`).test(all))).toEqual([]);
});

it('tells only of npm scripts that exist', () => {
  const told = [...readme.matchAll(/`npm (?:run )?([a-z]+)|^npm (?:run )?([a-z]+)/gm)].map(([, a, b]) => a ?? b ?? '');
  expect(told.length).toBeGreaterThan(5);
  expect(told.filter((name) => !(name in scripts))).toEqual([]);
});
