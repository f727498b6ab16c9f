import { expect, it } from 'vitest';
import { operatorOperations } from '#wire/operator-operations.ts';
import { localCommands } from '../../../src/cli/local-commands.ts';
import { exampleOf } from '../../../src/cli/server/example.ts';
import { wordsOf } from '../../../src/cli/server/operation-commands.ts';
import { flagOf } from '../../../src/cli/server/parameters.ts';
import { documentAt, documents, quotedIn } from '../../support/documents.ts';

const commands = [
  ...operatorOperations.map((one) => wordsOf(one).join(' ')),
  ...localCommands.map(({ words }) => words),
];
/** `complete` is for shells alone. */
const HIDDEN = ['complete'];

/** Whether some words are a command, the beginning of some, or one with what it is told. */
const isCommand = (words: string): boolean =>
  [...commands, ...HIDDEN].some(
    (command) => `${command} `.startsWith(`${words} `) || `${words} `.startsWith(`${command} `),
  );

it('a command that a page names is there', () => {
  const named = documents.flatMap((document) => [
    ...quotedIn(document).flatMap((text) => /^paytag ([a-z][a-z -]*[a-z])/.exec(text)?.[1] ?? []),
    ...[
      ...document.text.matchAll(
        /(?:npm run (?:-s )?paytag --|^docker compose exec api paytag|^paytag) ([a-z][a-z -]*[a-z])/gm,
      ),
    ].map(([, words = '']) => words),
  ]);
  expect(named.length).toBeGreaterThan(100);
  expect(named.map((words) => words.replace(/ --?\w.*/, '')).filter((words) => !isCommand(words))).toEqual([]);
});

it('the guide of the command line names each of them', () => {
  const quoted = new Set(quotedIn(documentAt('src/docs/command-line.md')).map((text) => text.replace(/ <.*/, '')));
  expect(commands.filter((command) => !quoted.has(`paytag ${command}`))).toEqual([]);
});

it('no parameter of an operation has the name of an option that all commands have', () => {
  const common = [
    'json',
    'csv',
    'all',
    'columns',
    'wide',
    'utc',
    'yes',
    'idempotency-key',
    'timeout',
    'profile',
    'url',
    'help',
    'file',
    'database',
  ];
  const taken = operatorOperations.flatMap(({ operationId, parameters }) =>
    parameters.filter((one) => one.in !== 'path').map(({ name }) => [operationId, flagOf(name)]),
  );
  expect(taken.filter(([, flag = '']) => common.includes(flag))).toEqual([]);
});

it('every operation has an example with all that it needs', () => {
  for (const operation of operatorOperations) {
    const needed = operation.parameters
      .filter((one) => one.in !== 'path' && one.required)
      .map(({ name }) => `--${flagOf(name)}`);
    expect(exampleOf(operation)).toEqual(expect.arrayContaining(needed));
  }
});
