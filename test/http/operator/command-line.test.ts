import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperatorOperation, operatorOperations } from '#wire/operator-operations.ts';
import { localCommands } from '../../../src/cli/program.ts';
import { exampleOf } from '../../../src/cli/server/operation-commands.ts';
import { useApp } from '../../support/app.ts';
import { argumentsFor, commandLineOf } from '../../support/command-line.ts';
import { newOperator, type TestOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { fundedWallet, newReference } from '../../support/wallets.ts';
import type { GoodRequests } from '../every-operation/good-requests.ts';
import { goodRequestsOfOperator } from '../every-operation/good-requests-operator.ts';
import { plainRequestsOfOperator } from '../every-operation/plain-requests.ts';

const server = useApp({ APPROVAL_ABOVE: '1000000' });
/** A script, at whose terminal nobody sits. */
const paytag = (...args: string[]) => commandLineOf(server, OPERATOR_TOKEN)(args);
/** Somebody at a terminal, who answers what they are asked. */
const atTerminal = (args: string[], answers: string[] = [], columns = 400) =>
  commandLineOf(server, OPERATOR_TOKEN)(args, { answers, columns });

let viewer: TestOperator;
let folder: string;
beforeAll(async () => {
  viewer = await newOperator(server, 'viewer');
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-profiles-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('each operation is asked for by its command, member for member, and its answer is printed:', () => {
  let plain: GoodRequests;
  let good: GoodRequests;
  beforeAll(async () => {
    plain = await plainRequestsOfOperator(server);
    good = await goodRequestsOfOperator(server);
  });
  const nameOf = ({ method, path }: OperatorOperation) => `${method} /operator/v1${path}`;

  it.each(operatorOperations.map((operation) => ({ ...operation, operation })))(
    '$noun $verb',
    async ({ operation, kinds }) => {
      const makers = [plain, good].map((requests) => requests[nameOf(operation)]);
      expect(makers.filter((make) => make !== undefined)).not.toEqual([]);
      for (const make of makers.flatMap((one) => one ?? [])) {
        for (const kind of kinds?.by === 'type' ? kinds.values : [undefined]) {
          const { url, headers, query = {}, body = {} } = await make('', kind);
          const token = headers['authorization']?.replace('Bearer ', '') ?? '';
          const done = await commandLineOf(server, token)(argumentsFor(operation, { url, query, body }));
          const codes = [make === plain[nameOf(operation)] ? 0 : 1, operation.operationId === 'checkLedger' ? 1 : 0];
          expect([...codes, 0, 5]).toContain(done.code); // books that tests made up are not in order
          expect(done.code === 0 ? done.out : done.err + done.out).toMatch(/\S/);
          expect(done.code === 5).toBe(done.err.includes('paytag approvals approve '));
          const [asked] = done.asked;
          const there = new URL(asked?.url ?? '');
          const wanted = new URL(url, there);
          expect([asked?.method, there.pathname]).toEqual([operation.method, wanted.pathname]);
          expect(Object.fromEntries(there.searchParams)).toEqual({
            ...Object.fromEntries(wanted.searchParams),
            ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
          });
          expect(JSON.parse(asked?.body ?? '{}')).toEqual(body);
        }
      }
    },
  );
});

it('what a viewer may not do is refused with exit code 4, the role that it asks for and a request id, and is on record', async () => {
  const ask = commandLineOf(server, viewer.token);
  const beyond = operatorOperations.filter(({ role }) => role !== 'viewer');
  expect(beyond.length).toBeGreaterThan(50);
  const before = server.logged.length;
  for (const operation of beyond) {
    const yes = operation.irreversible === undefined ? [] : ['--yes'];
    const file = operation.operationId === 'importBankFile' ? ['--file', '-'] : [];
    const { code, out, err } = await ask([...exampleOf(operation), ...yes, ...file], { stdin: 'x' });
    expect({ code, out, err }).toEqual({ code: 4, out: '', err: expect.stringContaining('ROLE_REFUSED: ') });
    expect(err).toContain(`needs the role ${operation.role}`);
    expect(err).toMatch(/Request id: \S+\n$/);
  }
  const events = server.logged
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('"event":"role_refused"'));
  expect(events.length).toBe(beyond.length);
});

describe('what a person is shown:', () => {
  it('a table with amounts to the right, times in words, and how to go on; or each member of one thing', async () => {
    const { partner, wallet } = await fundedWallet(server, 500_000.5);
    await fundedWallet(server, 7);
    const listed = await atTerminal([
      'wallets',
      'list',
      '--limit',
      '1',
      '--utc',
      '--columns',
      'reference,totalAmount,createdAt',
    ]);
    expect(listed.out).toMatch(
      /^REFERENCE +TOTAL AMOUNT {2}CREATED AT\nPW-\w+ +7\.00 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/,
    );
    expect(listed.err).toMatch(/^Times are UTC\.\n1 of \d+\. The next page: --cursor \S+; all of them: --all\.\n$/);
    const all = await atTerminal(['wallets', 'list', '--all', '--partner-id', partner.id, '--columns', 'totalAmount']);
    expect([all.out, all.err]).toEqual(['TOTAL AMOUNT\n  500,000.50\n', '1 in all.\n']);
    const card = await atTerminal(['wallets', 'show', wallet]);
    expect(card.out).toMatch(/^Total amount +500,000\.50$/m);
    expect((await atTerminal(['wallets', 'list'], [], 60)).err).toContain('Columns that do not fit: ');
    expect((await atTerminal(['wallets', 'list', '--paytag', 'nobody.is.called.so'])).out).toBe('none\n');
  });

  it('of what waits for a second operator, that nothing is done, until when, and the commands of whoever else may', async () => {
    const { id } = await server.newPartner();
    const fund = ['partners', 'float', 'fund', id, '--amount', '2000000', '--reference', newReference()];
    const asked = await paytag(...fund);
    expect(asked).toMatchObject({ code: 5, out: '' });
    expect(asked.err).toMatch(/^Nothing is done yet: another operator must approve it before \d{4}-/);
    expect(asked.err).toContain('with the role finance or a higher one');
    const [, approval = ''] = /paytag approvals approve (\S+)/.exec(asked.err) ?? [];
    const own = await paytag('approvals', 'approve', approval, '--yes');
    expect(own).toMatchObject({ code: 4, err: expect.stringContaining('APPROVAL_OWN') });
    const { token } = await newOperator(server, 'finance');
    const approved = await commandLineOf(server, token)(['approvals', 'approve', approval, '--yes', '--json']);
    expect(JSON.parse(approved.out)).toMatchObject({ id: approval, status: 'EXECUTED' });
  });

  it('of a refusal, the server’s words, its code and what to do; and of an unbalanced book which rows', async () => {
    const unknown = await paytag('payouts', 'show', '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d');
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toMatch(/^PAYOUT_NOT_FOUND: .+\n.+\.\nRequest id: \S+\n$/);
    const nobody = await commandLineOf(server, 'op_sandbox_nobody')(['partners', 'list']);
    expect(nobody).toMatchObject({ code: 4, err: expect.stringContaining('paytag login') });
    const { wallet } = await fundedWallet(server, 100);
    const change = (by: number) =>
      server.owner.query('update ledger.account set posted = posted + $2 where reference = $1', [wallet, by]);
    await change(1);
    const broken = await paytag('ledger', 'check');
    await change(-1);
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/^balances_are_their_entries +BROKEN by 1$/m);
    expect(broken.out).toMatch(/^balances_are_their_entries \{"id":"\d+","posted":"10001"/m);
    expect(broken.out).toMatch(/^floors_hold +ok$/m);
  });
});

it('a script gets the answer of the API as JSON, item by item through all pages, or as the file that the API makes', async () => {
  const { partner } = await fundedWallet(server, 5);
  const one = await paytag('partners', 'show', partner.id, '--json');
  expect(JSON.parse(one.out)).toEqual((await server.operate('GET', `/partners/${partner.id}`)).json());
  const all = await paytag('transactions', 'list', '--all', '--limit', '1', '--partner-id', partner.id, '--json');
  const items = all.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { PartnerID: string });
  expect(items.length).toBe(all.asked.length);
  expect(items.map(({ PartnerID }) => PartnerID)).toEqual(items.map(() => partner.id));
  const file = await paytag('transactions', 'list', '--csv', '--partner-id', partner.id);
  expect(file.out).toBe((await server.operate('GET', `/transactions?partnerId=${partner.id}&format=csv`)).body);
  const pages = await paytag('transactions', 'list', '--csv', '--all', '--limit', '1', '--partner-id', partner.id);
  expect([pages.out, pages.asked.length > 1]).toEqual([file.out, true]);
});

it('what cannot be undone is done for whoever says that they mean it, at the terminal or by --yes, and for nobody else', async () => {
  const { partner, wallet } = await fundedWallet(server, 3);
  const references = (
    await paytag('transactions', 'list', '--partner-id', partner.id, '--type', 'PARTNER_WALLET_CREDIT', '--json')
  ).out;
  const reference = (JSON.parse(references) as { items: { Reference: string }[] }).items[0]?.Reference ?? '';
  const args = [
    'transactions',
    'reverse',
    reference,
    '--partner-id',
    partner.id,
    '--reference',
    newReference(),
    '--reason',
    'x',
  ];
  expect(await paytag(...args)).toMatchObject({ code: 2, asked: [], err: expect.stringContaining('Give --yes') });
  for (const answer of ['', 'y', 'no']) {
    expect(await atTerminal(args, [answer])).toMatchObject({
      code: 2,
      asked: [],
      err: expect.stringContaining('cannot be undone'),
    });
  }
  expect(await atTerminal(args, ['yes'])).toMatchObject({ code: 0, err: expect.stringContaining('reversed once') });
  expect((await paytag('wallets', 'show', wallet)).out).toMatch(/^Total amount +0\.00$/m);
  expect(await paytag('deliveries', 'replay', '--dry-run')).toMatchObject({ code: 0 });
});

it('what was not asked for as it must be is exit code 2, says why, and is not sent', async () => {
  const id = '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d';
  const fund = (amount: string) => ['partners', 'float', 'fund', id, `--amount=${amount}`, '--reference', 'r1'];
  const wrong: [string[], RegExp][] = [
    ...['0x10', '1e3', '10.000', '0.1000000000000000055', '-5', ''].map((amount): [string[], RegExp] => [
      fund(amount),
      /--amount/,
    ]),
    [['partner', 'list'], /unknown command 'partner'\n\(Did you mean partners\?\)/],
    [['partners', 'lists'], /unknown command 'lists'/],
    [['payouts', 'list', '--state', 'GONE'], /--state.*It may be PENDING, SENT, UNKNOWN/],
    [['payouts', 'list', '--sate', 'SENT'], /unknown option '--sate'\n\(Did you mean --state\?\)/],
    [['payouts', 'list', '--from', 'yesterday'], /It must be a time/],
    [['partners', 'suspend', id], /--reason/],
    [['partners', 'show'], /missing required argument 'id'/],
    [['partners', 'show', '..'], /<id> is not valid/],
    [
      ['transactions', 'report', '--type', 'INBOUND', '--amount', '1', '--reference', 'r'],
      /INBOUND needs --sender-name, --nuban/,
    ],
    [['reconciliation', 'import', '--rail', 'BANK', '--format', 'CSV'], /--file/],
    [['partners', 'list', '--profile', 'a', '--url', 'https://b.example'], /give one of them/],
  ];
  for (const [args, why] of wrong) {
    expect(await paytag(...args)).toMatchObject({ code: 2, out: '', asked: [], err: expect.stringMatching(why) });
  }
});

it('each command that is none of the API’s can be asked for its help, and is loaded with it', async () => {
  for (const { words } of localCommands) {
    const out = expect.stringContaining(`Usage: paytag ${words}`);
    expect(await atTerminal([...words.split(' '), '--help'])).toMatchObject({ code: 0, out, err: '' });
  }
});

it('a login keeps server and token for its owner alone, once the server has said that they are good; a logout forgets them', async () => {
  const env = { XDG_CONFIG_HOME: folder, PAYTAG_URL: '', PAYTAG_TOKEN: '' };
  const run = (args: string[], answers: string[]) => commandLineOf(server, '')(args, { env, answers, columns: 200 });
  const url = 'https://operator.example/operator/v1/';
  expect(await run(['login', '--url', url], ['op_sandbox_wrong'])).toMatchObject({ code: 4 });
  expect(await run(['profiles'], [])).toMatchObject({ out: expect.not.stringContaining('operator.example') });
  const logged = await run(['login', '--url', url, '--profile', 'live'], [viewer.token]);
  expect(logged).toMatchObject({ code: 0, out: expect.stringContaining(`as ${viewer.name} (viewer).`) });
  const file = join(folder, 'paytag', 'profiles.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain(viewer.token);
  expect((await run(['operators', 'me', '--json'], [])).out).toContain(viewer.id);
  expect((await run(['profiles'], [])).out).toMatch(/\* +live +https:\/\/operator\.example +viewer/);
  expect(await run(['partners', 'list', '--profile', 'other'], [])).toMatchObject({ code: 4, asked: [] });
  expect((await run(['profiles', 'use', 'local'], [])).out).toContain('this machine');
  expect(await run(['logout', '--profile', 'live'], [])).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).not.toContain(viewer.token);
});
