import { operatorOperations } from '#wire/operator-operations.ts';
import type { CommandEnvironment } from '../config/command-environment.ts';
import { shells } from './completion-scripts.ts';
import { localCommands } from './local-commands.ts';
import { wordsOf } from './server/operation-commands.ts';
import { flagOf, isFlag } from './server/parameters.ts';
import { readProfiles } from './server/profiles.ts';
import { LOCAL } from './server/target.ts';

interface Candidate {
  value: string;
  about: string;
}

/**
 * What the last of some words may become, one a line, with what it is behind a tab; nothing where a file may stand.
 *
 * @param words behind `paytag`; the last one is being typed, and may be empty
 */
export async function completionsOf(words: readonly string[], { configFolder }: CommandEnvironment): Promise<string> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const names = before.filter((word) => !word.startsWith('-'));
  const candidates = [
    ...valuesBehind(before, await profileNames(before, configFolder)),
    ...(before.at(-1)?.startsWith('-') && takesValue(before) ? [] : [...nextWords(names), ...flags(before, typed)]),
  ];
  const fitting = candidates.filter(({ value }) => value.startsWith(typed));
  return fitting.map(({ value, about }) => `${value}\t${about}\n`).join('');
}

const commands = (): { words: string[]; about: string }[] => [
  ...operatorOperations.map((operation) => ({ words: wordsOf(operation), about: operation.summary })),
  ...localCommands.map(({ words, summary }) => ({ words: words.split(' '), about: summary })),
];

/** The words that may follow in the name of a command. */
function nextWords(names: readonly string[]): Candidate[] {
  const next = new Map<string, string[]>();
  for (const { words, about } of commands()) {
    if (words.length <= names.length || !names.every((name, at) => words[at] === name)) continue;
    const word = words[names.length] ?? '';
    const others = next.get(word) ?? [];
    next.set(word, [...others, words[names.length + 1] ?? about]);
  }
  return [...next].map(([value, about]) => ({ value, about: [...new Set(about)].join(', ') }));
}

/** The operation whose command the words are, with what follows it. */
const operationOf = (before: readonly string[]) => {
  const names = before.filter((word) => !word.startsWith('-')).join(' ');
  return operatorOperations.find((operation) => `${names} `.startsWith(`${wordsOf(operation).join(' ')} `));
};

const SHARED: readonly Candidate[] = [
  { value: '--json', about: 'the answer as the server gives it' },
  { value: '--profile', about: 'another server' },
  { value: '--help', about: 'options and examples' },
];

function flags(before: readonly string[], typed: string): Candidate[] {
  const operation = operationOf(before);
  if (operation === undefined || !typed.startsWith('-')) return [];
  const own = operation.parameters
    .filter((one) => one.in !== 'path')
    .map(({ name, description = '' }) => ({ value: `--${flagOf(name)}`, about: description }));
  const more = [
    ...(operation.cursor ? [{ value: '--all', about: 'every page' }] : []),
    ...(operation.csv ? [{ value: '--csv', about: 'a file' }] : []),
    ...(operation.irreversible === undefined ? [] : [{ value: '--yes', about: 'without asking' }]),
  ];
  return [...own, ...more, ...SHARED].filter(({ value }) => !before.includes(value));
}

const parameterBefore = (before: readonly string[]) =>
  operationOf(before)?.parameters.find((one) => one.in !== 'path' && `--${flagOf(one.name)}` === before.at(-1));

function takesValue(before: readonly string[]): boolean {
  const parameter = parameterBefore(before);
  return parameter === undefined ? /^--(profile|url|timeout|columns)$/.test(before.at(-1) ?? '') : !isFlag(parameter);
}

function valuesBehind(before: readonly string[], profiles: readonly string[]): Candidate[] {
  const ofCompletion = before.join(' ') === 'completion' ? shells : [];
  const values = [...(parameterBefore(before)?.values ?? []), ...profiles, ...ofCompletion];
  return values.map((value) => ({ value, about: '' }));
}

async function profileNames(before: readonly string[], folder: string | undefined): Promise<string[]> {
  if (before.at(-1) !== '--profile' && before.join(' ') !== 'profiles use') return [];
  const { profiles } = await readProfiles(folder).catch(() => ({ profiles: {} }));
  return [LOCAL, ...Object.keys(profiles)];
}
