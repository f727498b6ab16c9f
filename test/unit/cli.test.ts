import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Column, operatorOperations } from '#wire/operator-operations.ts';
import { main } from '../../src/cli/main.ts';
import { localCommands } from '../../src/cli/program.ts';
import { exampleOf, wordsOf } from '../../src/cli/server/operation-commands.ts';
import { flagOf } from '../../src/cli/server/parameters.ts';
import type { Answer } from '../../src/cli/server/send.ts';
import { cardOf, momentOf, tableOf } from '../../src/cli/server/table.ts';
import { commandEnvironment } from '../../src/config/command-environment.ts';
import { IRREVERSIBLE_VERBS, irreversible, undoable } from '../../src/docs/operator-operations/irreversible.ts';
import { permissions } from '../../src/routes/operator/permissions.ts';
import { listed } from '../support/cases.ts';
import { documentAt, documents, quotedIn } from '../support/documents.ts';

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
  const common = listed`
    json | csv | all | columns | wide | utc | yes | idempotency-key | timeout | profile | url | help | file
    database
  `;
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

const ids = operatorOperations.map(({ operationId }) => operationId);
const names = operatorOperations.map(({ noun, verb }) => `${noun} ${verb}`.trim());

it('the list has each operation that somebody may ask for, with its role, and no other', () => {
  const roles = operatorOperations.map(({ method, path, role }) => [
    `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    role,
  ]);
  const { 'GET /openapi.json': _document, ...operations } = permissions;
  expect(Object.fromEntries(roles)).toEqual(operations);
  expect(new Set(ids).size).toBe(ids.length);
});

it('each operation has a command of its own, in plain words, and none is the beginning of another', () => {
  expect(names.filter((command) => !/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)*$/.test(command))).toEqual([]);
  const among = (command: string) => names.filter((other) => `${other} `.startsWith(`${command} `));
  expect(names.filter((command) => among(command).length !== 1)).toEqual([]);
});

it('what looks as if it could not be undone is said to be so, with the reason, or not to be so', () => {
  const decided = [...Object.keys(irreversible), ...Object.keys(undoable)];
  expect(decided.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => IRREVERSIBLE_VERBS.test(id) && !decided.includes(id))).toEqual([]);
  expect(decided.filter((id) => id in irreversible && id in undoable)).toEqual([]);
});

const WIDE = { width: undefined, utc: true };
const columns: Column[] = [
  { name: 'id', kind: 'id' },
  { name: 'sender.name', kind: 'text' },
  { name: 'amount', kind: 'money' },
  { name: 'status', kind: 'text', values: ['OK'] },
  { name: 'note', kind: 'text' },
];

it('text stays text, whatever somebody was called: nothing moves the cursor, hides a line or turns it around', () => {
  const evil = 'Evil\u001b[2J\u001b]0;x\u0007\u202e\u009b31m\r\nPay\u200b\u2066\ufeff';
  const items = [{ id: evil, sender: { name: evil }, amount: 1, status: 'OK', note: [evil], [evil]: { a: evil } }];
  for (const { text } of [tableOf(columns, items, WIDE), cardOf(columns, items[0], WIDE)]) {
    expect(text).toContain('Evil\\u001b[2J');
    expect(text.replaceAll('\n', '')).toMatch(/^[^\p{C}]+$/u);
  }
});

it('amounts stand right, with two decimals and their thousands apart, below zero too; wide letters take two places', () => {
  const items = [
    { id: '1', sender: { name: 'Ada' }, amount: 9_999_999_999_999.99 },
    { id: '2', sender: { name: '青木' }, amount: -1500.5 },
    { id: '3', sender: { name: 'Adé' }, amount: 0 },
  ];
  expect(tableOf(columns, items, WIDE).text.split('\n')).toEqual([
    'ID  SENDER NAME                AMOUNT',
    '1   Ada          9,999,999,999,999.99',
    '2   青木                    -1,500.50',
    '3   Adé                          0.00',
    '',
  ]);
});

it('where there is no room what matters least is left out and named; what was asked for stays, uncut', () => {
  const items = [{ id: '1', sender: { name: 'Ada' }, amount: 1, status: 'OK', note: 'x'.repeat(60) }];
  const narrow = tableOf(columns, items, { width: 40, utc: true });
  expect(narrow).toMatchObject({
    left: ['note'],
    text: expect.stringMatching(/^ID {2}SENDER NAME {2}AMOUNT {2}STATUS\n/),
  });
  expect(tableOf(columns, items, { width: 200, utc: true }).text).toContain(`${'x'.repeat(47)}…`);
  const asked = tableOf(columns, items, { width: 20, utc: true, only: ['note', 'id'] });
  expect(asked).toMatchObject({ left: [], text: expect.stringMatching(/^NOTE +ID\n/) });
});

it('a time is shown to the second, and text that is none as it is', () => {
  expect(momentOf('2026-01-31T08:00:00.999Z', true)).toBe('2026-01-31 08:00:00');
  expect(momentOf('soon', false)).toBe('soon');
});

const ORIGIN = 'https://operator.example';
const EVIL = 'Evil\u001b[2J\u009b31m\u202e\u2028\u061c';
const JSON_TYPE = { 'content-type': 'application/json' };

/** What somebody at a terminal, or a script, sees of a command that is answered so. */
async function seenOf(command: string, answer: Partial<Answer>, { isThere = true, env = {} } = {}) {
  const shown = { out: '', err: '', sentTo: [] as string[] };
  const code = await main(command.split(' '), {
    environment: commandEnvironment({ PAYTAG_URL: ORIGIN, PAYTAG_TOKEN: 'op_x', ...env }),
    send: async ({ url }) => {
      shown.sentTo.push(new URL(url).origin);
      return { status: 200, headers: JSON_TYPE, body: '', ...answer };
    },
    terminal: {
      out: (text) => void (shown.out += text),
      err: (text) => void (shown.err += text),
      isInteractive: { in: isThere, out: isThere, err: false },
      columns: 400,
      ask: async () => '',
      readAll: async () => '',
    },
  });
  return { code, ...shown };
}

it('nothing that a server answers does anything to a terminal, as a table, as JSON or as a file; a script gets it as it is', async () => {
  const page = { items: [{ id: '1', name: EVIL, [EVIL]: 'x' }], count: 5, limit: 1, nextCursor: EVIL };
  const json = { body: JSON.stringify(page) };
  const csv = { headers: { 'content-type': 'text/csv; charset=utf-8', link: EVIL }, body: `a,b\r\n${EVIL},"\r"\r\n` };
  for (const shown of [
    await seenOf('partners list', json),
    await seenOf('partners list --json', json),
    await seenOf('transactions list --csv', csv),
    await seenOf('transactions list', { status: 302, headers: { location: EVIL } }),
  ]) {
    const text = shown.out + shown.err;
    expect(text).toContain('\\u009b31m');
    expect(text.replaceAll(/\r?\n/g, '')).toMatch(/^[^\p{C}\u2028]+$/u);
  }
  expect(JSON.parse((await seenOf('partners list --json', json)).out)).toEqual(page);
  expect((await seenOf('transactions list --csv', csv, { isThere: false })).out).toBe(csv.body);
});

it('what answers 200 and is no operator API is said to be none, and a file that is not there to be missing', async () => {
  for (const command of ['partners list', 'partners list --json --all', 'transactions list --csv', 'login']) {
    for (const body of ['<html>Welcome</html>', '', '"x"']) {
      const shown = await seenOf(command, { body, headers: { 'content-type': 'text/html' } });
      expect(shown).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is this its URL?') });
    }
  }
  const missing = await seenOf('reconciliation import --rail INBOUND --format MT940 --file /no/such', {});
  expect(missing).toEqual({ code: 2, out: '', sentTo: [], err: 'error: /no/such cannot be read (ENOENT)\n' });
});

it('a URL with a user or a password is refused, and not printed', async () => {
  for (const url of ['https://ada:hunter2@pay.example', 'https://:hunter2@pay.example']) {
    const shown = await seenOf(`partners list --url ${url}`, {});
    expect(shown).toMatchObject({ code: 2, out: '', err: expect.not.stringContaining('hunter2') });
  }
});

it('a token goes by https, to this machine, or where somebody says that it may go in the clear, and nowhere else', async () => {
  const me = { body: '{"name":"Ada","role":"admin"}' };
  const home = await mkdtemp(join(tmpdir(), 'paytag-test-clear-'));
  const env = { XDG_CONFIG_HOME: home };
  const ask = (command: string) => seenOf(command, me, { isThere: false, env });
  const refused = { code: 2, out: '', sentTo: [], err: expect.stringContaining('in the clear') };
  const away = 'http://pay.example';
  for (const host of [away, 'http://10.0.0.1:3000', 'http://localhost.pay.example', 'http://127.0.0.1.pay.example']) {
    for (const command of ['operators me', 'login'])
      expect(await ask(`${command} --url ${host}`)).toMatchObject(refused);
  }
  for (const here of ['http://localhost:3000', 'http://127.9.9.9', 'http://[::1]:3000', 'https://pay.example']) {
    expect(await ask(`operators me --url ${here}`)).toMatchObject({ code: 0, sentTo: [here] });
  }
  expect(await ask(`operators me --url ${away} --allow-http`)).toMatchObject({ code: 0, sentTo: [away] });
  expect(await ask(`login --url ${away} --profile bare --allow-http`)).toMatchObject({ code: 0 });
  expect(await ask('operators me --profile bare')).toMatchObject({ code: 0, sentTo: [away] });
  await rm(home, { recursive: true });
});

it('a folder with data names a server on this machine alone, whoever wrote it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-data-'));
  const env = { PAYTAG_URL: '', PAYTAG_TOKEN: '', XDG_CONFIG_HOME: folder, DATA_DIR: folder, OPERATOR_TOKEN: 'op_x' };
  const ask = async (url: string) => {
    await writeFile(join(folder, 'server.json'), JSON.stringify({ url, pid: 1 }));
    return seenOf('operators me --allow-http', { body: '{"name":"Ada"}' }, { env });
  };
  for (const url of ['https://evil.example', 'http://evil.example', 'http://127.0.0.1.evil.example', 'nonsense']) {
    expect(await ask(url)).toMatchObject({ code: expect.toBeOneOf([2, 4]), out: '', sentTo: [] });
  }
  const here = 'http://127.0.0.1:3000';
  expect(await ask(here)).toMatchObject({ code: 0, sentTo: [here] });
  await rm(folder, { recursive: true });
});
