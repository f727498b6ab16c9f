import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable, type Surface } from '#errors';
import type { ErrorCode } from '#lib/domain-error.ts';
import { localCommands } from '../../src/cli/program.ts';
import { type Client, clientOf, type Method } from '../support/client.ts';
import { blocksOf, documentAt, documents, guides, quotedIn } from '../support/documents.ts';
import { COMPILE_CACHE, type ServerProcess } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';
import { startSandbox } from '../support/served.ts';
import { type CommandHost, startCommandHost } from './command-host.ts';

const run = promisify(execFile);
/** The pages whose commands can be followed. */
const pages = ['README.md', ...guides.map(({ path }) => path)].filter(
  (path) => blocksOf(documentAt(path), 'sh').length > 0 && path !== 'src/docs/reconciliation.md', // its commands take a bank's file
);
/** What commands say beside their answer: how far they are, and how a table is to be read. */
const BESIDE = /^([\w.]+: \d+ encrypted again, \d+ left|Times are .*|\d+ of \d+\..*|Columns that do not fit: .*)$/;
const LOCAL = 'http://localhost:3000';

let folder: string;
let server: ServerProcess;
let host: CommandHost;
let call: Client;
const receiver = useReceiver();

/** `npm run -s paytag -- …`, in a folder that is not the project's. Commands that ask no server are processes. */
const npm = ({ script }: CommandHost) => `#!/bin/sh
[ "$1 $2 $3 $4" = "run -s paytag --" ] || { echo "no command of the pages: npm $*" >&2; exit 1; }
shift 4
case "$* " in
  ${localCommands.map(({ words }) => `'${words} '*`).join(' | ')}) exec '${process.execPath}' '${resolve('src/cli/paytag.js')}' "$@" ;;
esac
${script}
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-pages-'));
  host = await startCommandHost({ DATA_DIR: join(folder, '.data'), XDG_CONFIG_HOME: folder });
  await writeFile(join(folder, 'npm'), npm(host), { mode: 0o755 });
  server = await startSandbox(join(folder, '.data'));
  call = clientOf(server.url);
});
afterAll(async () => {
  await server?.stop();
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

const inSandbox = (script: string) => {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    XDG_CONFIG_HOME: folder, // no profile of whoever runs the tests
    PATH: [folder, process.env['PATH']].join(delimiter),
  };
  return run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', script], { cwd: folder, env });
};
const noteOf = async (file: string) => JSON.parse(await readFile(join(folder, '.data', file), 'utf8'));

/** The names of the members of an event, those of its objects included. */
const membersOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, membersOf(inner)]))
    : typeof value;

test('the examples in the guide of partners’ events have the members that are sent', async () => {
  const { partner, wallet, terminal } = await noteOf('demo.json');
  const { OPERATOR_TOKEN } = await noteOf('secrets.json');
  const headers = { 'x-client-id': partner.clientId, 'x-api-key': partner.apiKey };
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const give = (path: string, json: object) => call('POST', `/v2/partner${path}`, { headers, json });
  await call('PUT', '/v2/partner/webhook', { headers, json: { url: receiver.url } });
  await give(`/wallet/${wallet}/credit`, { amount: 1500.5, reference: 'example', comment: 'January' });
  await give('/transaction/example/refund', { amount: 100, reference: 'example-back' });
  const sender = { name: 'Chidi Okafor', type: 'CARD' };
  const payment = { type: 'PARTNER_TERMINAL', terminal, amount: 1000, reference: 'example-card', sender };
  await call('POST', '/operator/v1/transactions', { headers: operator, json: payment });
  await give('/webhook/test', {});

  const sent = async (part: string) => {
    const { body } = await receiver.waitFor((request) => request.body.includes(part));
    return membersOf(JSON.parse(body.toString()));
  };
  const blocks = blocksOf(documentAt('src/docs/partner-events.md'), 'json').map((example) => JSON.parse(example));
  // Of applications' events, and those that endpoints tell of each other, the shapes hold the example.
  const examples = blocks.filter(({ event }) => /^(wallet|transaction|webhook)\./.test(event));
  expect(examples.map(({ event }) => event)).toEqual([
    'wallet.credited',
    'wallet.debited',
    'transaction.status',
    'webhook.test',
  ]);
  expect(examples.map(membersOf)).toEqual([
    await sent('"Reference":"example"'),
    await sent('"Reference":"example-back"'),
    await sent('"Reference":"example-card"'),
    await sent('webhook.test'),
  ]);
});

describe('the sh blocks run as they stand, one after another, in the folder of a sandbox:', () => {
  test.each(pages)('%s', async (path) => {
    const script = blocksOf(documentAt(path), 'sh').join('\n');
    expect(script).toContain(LOCAL);
    const { stdout, stderr } = await inSandbox(script.replaceAll(LOCAL, server.url));
    expect(stderr.split('\n').filter((line) => line !== '' && !BESIDE.test(line))).toEqual([]);
    expect(stdout).not.toContain('"success":false');
  });

  test('and what they save is what they say', async () => {
    const saved = (name: string) => readFile(join(folder, name));
    expect((await readdir(folder)).toSorted()).toEqual(['.data', 'consent.html', 'npm', 'paytag.png', 'statement.pdf']);
    expect((await saved('statement.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await saved('paytag.png')).subarray(1, 4).toString()).toBe('PNG');
    expect((await saved('consent.html')).toString()).toMatch(/^<!doctype html>/i);
  });
});

describe('what the guides name', () => {
  const quoted = documents.flatMap((document) => quotedIn(document));
  const isOperation = (text: string) => /^(GET|POST|PUT|PATCH|DELETE) \/\S+$/.test(text);

  interface Operation {
    responses: Record<string, unknown>;
  }

  /** The described operations of all surfaces, as `GET /v2/sso/wallet`. */
  async function describedOperations(): Promise<Map<string, Operation>> {
    const { OPERATOR_TOKEN } = await noteOf('secrets.json');
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const all = new Map<string, Operation>();
    for (const document of ['/v2/openapi.json', '/api/openapi.json', '/operator/v1/openapi.json']) {
      const { body } = await call<{ paths: Record<string, Record<string, Operation>> }>('GET', document, { headers });
      for (const [path, methods] of Object.entries(body.paths)) {
        for (const [method, operation] of Object.entries(methods))
          all.set(`${method.toUpperCase()} ${path}`, operation);
      }
    }
    return all;
  }

  test('is every operation that is described, and none that is not there', async () => {
    const named = new Set(quoted.filter(isOperation));
    const described = await describedOperations();
    expect(described.size).toBeGreaterThan(100);
    expect([...described.keys()].filter((operation) => !named.has(operation))).toEqual([]);
    const missing: string[] = [];
    const isHook = (name: string) => name.startsWith('POST /hooks/'); // which are there with a real provider alone
    for (const operation of [...named].filter((name) => !described.has(name) && !isHook(name))) {
      const [method, path = ''] = operation.split(' ');
      const { body } = await call(method as Method, path);
      if (['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(String(body['errorCode']))) missing.push(operation);
    }
    expect(missing).toEqual([]);
  });

  test('are addresses that answer', async () => {
    const addresses = quoted.filter((text) => /^\/[\w./-]+\.json$/.test(text));
    expect(addresses.length).toBeGreaterThan(3);
    const answers = await Promise.all(addresses.map((path) => call('GET', path)));
    expect(answers.filter(({ status }) => status === 404)).toEqual([]);
  });

  test('as a surface of an error code can answer the status of it', async () => {
    const prefixes: Record<Exclude<Surface, 'Every API' | 'Pages' | 'Hooks'>, RegExp> = {
      Partner: / \/v2\/partner\//,
      SSO: / \/v2\/sso/,
      Switch: / \/api\/v1\/(tags|consent|federation|transactions|wallet)/,
      Identity: / \/api\/v1\/(applications|auth|subjects|tags$)/,
      Operator: / \/operator\//,
    };
    const described = [...(await describedOperations())];
    const answers = (surface: keyof typeof prefixes, status: number) =>
      described.some(([name, { responses }]) => prefixes[surface].test(name) && String(status) in responses);
    const wrong = (Object.keys(errorTable) as ErrorCode[]).flatMap((code) =>
      errorTable[code].where
        .filter((surface) => surface !== 'Every API' && surface !== 'Pages' && surface !== 'Hooks')
        .filter((surface) => !answers(surface, errorTable[code].status))
        .map((surface) => `${code} ${surface}`),
    );
    expect(wrong).toEqual([]);
  });
});
