import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOf, remotePartner } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { COMPILE_CACHE, OPERATOR_TOKEN, ownPort, runToEnd, serverEnv } from '../../support/process.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const run = promisify(execFile);
const database = useDatabase();
let server: ServedHere;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-cli-'));
  await writeFile(
    join(folder, 'paytag'),
    `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/cli/paytag.js')}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  server = await serveHere(serverEnv(database.url));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a user has who is somebody else than the server. */
const home = () => ({ HOME: folder });
const paytag = (...args: string[]) => runToEnd(['src/cli/paytag.js', ...args], home());
const env = () => ({
  ...home(),
  PATH: [folder, process.env['PATH']].join(delimiter),
  NODE_COMPILE_CACHE: COMPILE_CACHE,
});
/** What a script of bash prints, in which `paytag` is a command. */
const inBash = async (script: string) =>
  (await run('bash', ['--norc', '--noprofile', '-uo', 'pipefail', '-c', script], { cwd: folder, env: env() })).stdout;

/** What a terminal shows of a command, at which somebody types a line when they are asked for it. */
async function atTerminal(command: string, question: string, line: string): Promise<string> {
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', ...command.split(' ')] : ['-qec', command, '/dev/null'];
  const child = spawn('script', args, { cwd: folder, env: env() });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const isAsked = !screen.includes(question) && (screen + part).includes(question);
    screen += part;
    if (isAsked) child.stdin.write(`${line}\r`);
  });
  await once(child, 'close');
  return screen;
}

it('somebody logs in at a terminal, their token not shown, and their commands talk to that server as them', async () => {
  const screen = await atTerminal(`paytag login --url ${server.url} --profile here`, '(not shown): ', OPERATOR_TOKEN);
  expect(screen).toContain(`Logged in to ${server.url} as root (admin).`);
  expect(screen).not.toContain(OPERATOR_TOKEN);

  const { id } = await remotePartner(clientOf(server.url), { name: 'Acme', float: 10 });
  const listed = await paytag('partners', 'list', '--columns', 'id,name');
  expect(listed).toEqual({
    code: 0,
    stdout: `ID                                    NAME\n${id}  Acme\n`,
    stderr: '1 of 1.\n',
  });
  const fund = ['partners', 'float', 'fund', id, '--amount', '1500.50', '--reference', 'r1', '--json'];
  expect(JSON.parse((await paytag(...fund)).stdout)).toEqual({ currency: 'NGN', balance: 1510.5 });
  expect(JSON.parse((await paytag(...fund)).stdout)).toEqual({ currency: 'NGN', balance: 1510.5 });
  const check = await paytag('ledger', 'check');
  expect(check).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\nThe ledger is in order\.\n$/) });
  expect(await inBash('paytag transactions list --csv | head -1')).toMatch(/^\ufeffType,ID,/);
});

it('what is refused, wrong, out of reach or without a token has an exit code each, and nothing on standard output', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000';
  const out = { stdout: '' };
  expect(await paytag('partners', 'show', nobody)).toMatchObject({ ...out, code: 1 });
  expect(await paytag('partners', 'keys', 'revoke', nobody, '7', '--reason', 'x')).toMatchObject({ ...out, code: 2 });
  const away = ['--url', `http://127.0.0.1:${await ownPort()}`];
  const stranger = { ...home(), PAYTAG_TOKEN: 'op_sandbox_x' };
  expect(await runToEnd(['src/cli/paytag.js', 'partners', 'list', ...away], stranger)).toMatchObject({
    ...out,
    code: 3,
    stderr: expect.stringMatching(/gives no answer \(ECONNREFUSED\)/),
  });
  expect(await paytag('partners', 'list', '--url', 'http://127.0.0.1:1')).toMatchObject({ ...out, code: 4 });
  const wrong = await runToEnd(['src/cli/paytag.js', 'partners', 'list', '--url', server.url], stranger);
  expect(wrong).toMatchObject({ ...out, code: 4, stderr: expect.stringContaining('INVALID_CREDENTIALS') });
  expect((await paytag('--help')).stdout).toMatch(/partners[\s\S]*wallets[\s\S]*login[\s\S]*migrate[\s\S]*health/);
  expect((await paytag('partner')).code).toBe(2);
});

it('bash completes words, options and values by what the script of `completion` gives it', async () => {
  const complete = (line: string) => {
    const words = line.split(' ');
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _paytag; echo "\${COMPREPLY[*]:-}"`;
  };
  const lines = [
    'paytag part',
    'paytag wallets l',
    'paytag wallets liens ',
    'paytag payouts list --st',
    'paytag payouts list --state S',
    'paytag completion ',
    'paytag partners list --profile ',
  ];
  const asked = ['source <(paytag completion bash)', ...lines.map(complete)].join('\n');
  expect((await inBash(asked)).trimEnd().split('\n')).toEqual([
    'partners',
    'list liens',
    'list create lift',
    '--state',
    'SENT SUCCESSFUL',
    'bash zsh fish',
    'local here',
  ]);
});
