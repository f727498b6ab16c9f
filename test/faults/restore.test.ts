import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stampInstallation } from '#modules/keys';
import { type PublishedSeal, sealDue } from '#modules/proof';
import { listenLocally } from '../../src/embedded/port.ts';
import { rootKeyIdsOf } from '../../src/providers/kms/open-root-keys.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { startApp, type TestPartner } from '../support/app.ts';
import { blocksOf, documentAt, quotedIn, stepOf } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { A_DAY_BEFORE } from '../support/other-times.ts';
import { ACCOUNT } from '../support/payouts.ts';
import { runToEnd, serverEnv } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';
import { type ArchivedCluster, startArchived } from '../support/standby.ts';
import { kycWallet, moveMoney } from '../support/wallets.ts';

const guide = documentAt('src/docs/backup.md');
const [archiving = '', recovering = ''] = blocksOf(guide, 'ini');
const [startBackup = '', stopBackup = '', skipNumbers = ''] = blocksOf(guide, 'sql');
const COMMAND = /^paytag /;
/** Each as its words. */
const commandsIn = (step: number): string[][] =>
  quotedIn(stepOf(guide, step)).flatMap((quoted) =>
    COMMAND.test(quoted) ? [quoted.replace(COMMAND, '').split(' ')] : [],
  );
const [migrate = []] = commandsIn(5);
const [check = [], verify = []] = commandsIn(6);
/** What is said of a seal whose hour is lost. */
const told = quotedIn(stepOf(guide, 6)).find((quoted) => !COMMAND.test(quoted)) ?? '';

/** Some of those that are due a day after: the others are of hours after the moment. */
const SEALED_BEFORE = 20;
/** Statements of a superuser: as if what moved after a moment had done so two hours earlier, in an hour that can be sealed now. */
const hoursEarlier = (moment: string) => `
  set session_replication_role = replica;
  update ledger.transaction set created_at = created_at - interval '2 hours' where created_at > '${moment}';
  update ledger.entry set created_at = created_at - interval '2 hours' where created_at > '${moment}'`;

const receiver = useReceiver();
/** What the provider of payouts was asked to pay, by our reference: it pays one of each, as Paystack does. */
const paid = new Map<string, { amount: number; recipient: string }>();
let refused = 0;
async function answerPayouts(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const answer = (status: number, body: object) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: status < 300, ...body }));
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  const transfer = (reference: string, recipient: unknown = 28) => ({
    data: { reference, amount: paid.get(reference)?.amount, status: 'success', recipient },
  });
  if (pathname === '/transferrecipient') {
    const { bank_code: bank, account_number: account } = (await json(request)) as Record<string, string>;
    return answer(201, { data: { recipient_code: `RCP_${bank}_${account}` } });
  }
  const asked = pathname.startsWith('/transfer/verify/') ? pathname.slice('/transfer/verify/'.length) : undefined;
  if (asked !== undefined) {
    const found = paid.get(asked);
    const [, bank_code, account_number] = found?.recipient.split('_') ?? [];
    return found === undefined
      ? answer(404, { message: 'Transfer not found' })
      : answer(200, transfer(asked, { details: { bank_code, account_number } }));
  }
  const { reference, ...what } = (await json(request)) as { reference: string; amount: number; recipient: string };
  if (paid.has(reference)) {
    refused += 1;
    return answer(400, {
      message: 'Please provide a unique reference. Customer already specified one',
      code: 'duplicate_reference',
    });
  }
  paid.set(reference, { amount: what.amount, recipient: what.recipient });
  return answer(200, transfer(reference));
}
const provider = createServer((request, response) => {
  answerPayouts(request, response).catch(() => response.destroy());
});

let cluster: ArchivedCluster;
let providerUrl = '';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-seals-'));
  providerUrl = `http://127.0.0.1:${await listenLocally(provider)}`;
  cluster = await startArchived(archiving);
});
afterAll(async () => {
  provider.close();
  await cluster.remove();
  await rm(folder, { recursive: true });
});

/** PayTag on a cluster; with its worker while `work` runs. */
async function open(databaseUrl: string) {
  const server = await startApp(databaseUrl, {
    PAYOUT_PROVIDER: 'paystack',
    PAYOUT_PAYSTACK_URL: providerUrl,
    PAYOUT_PAYSTACK_SECRET_KEY: 'sk_of_the_stand_in',
    PAYOUT_VERIFY_BASE_MS: '100',
  });
  await stampInstallation(server.resources.db, 'sandbox', rootKeyIdsOf(server.resources.rootKey));
  return {
    ...server,
    get logged() {
      return server.logged;
    },
    async working(work: () => Promise<unknown>) {
      const sealer = new Client({ connectionString: databaseUrl });
      await sealer.connect();
      await sealer.query(`select pg_advisory_lock(hashtextextended('seals', 0))`); // however long the worker runs, the test seals
      const worker = startWorker(server.resources);
      await work();
      await worker.close();
      await sealer.end();
    },
  };
}
type Opened = Awaited<ReturnType<typeof open>>;

async function asOwner<T>(url: string, statement: string): Promise<T | undefined> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const result = await client.query(statement);
  await client.end();
  return result.rows?.[0];
}

/** A command of the guide, on the database of a server. */
const paytag = (url: string, command: readonly string[]) => runToEnd(['src/cli/paytag.js', ...command], serverEnv(url));

async function verifySeals(url: string, copy: readonly PublishedSeal[]) {
  const file = join(folder, 'seals.jsonl');
  await writeFile(file, copy.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return paytag(
    url,
    verify.map((word) => (word === '<file>' ? file : word)),
  );
}

const asSealed = { code: 0, stdout: expect.stringMatching(/^The books are as they were sealed: /) };
/** The numbers of the seals of which something is found, or just this. */
const sealsIn = (stdout: string, finding = '') =>
  [...stdout.matchAll(/^seal (\d+) \(.*?\): (.*)$/gm)].flatMap(([, number, what = '']) =>
    what.includes(finding) ? [Number(number)] : [],
  );

const credit = async (server: Opened, partner: TestPartner, wallet: string, amount: number) =>
  moveMoney(server, partner, wallet, 'credit', { amount, reference: `credit-${amount}` });
const payOut = async (server: Opened, { headers }: TestPartner, wallet: string, amount: number, bankCode = '058') => {
  const payload = { amount, reference: `payout-${amount}`, ...ACCOUNT, bankCode };
  return (await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers, payload })).statusCode;
};
const statusOf = async (server: Opened, { headers }: TestPartner, reference: string) =>
  (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers })).json().Status;
const nubanOf = async (server: Opened, { headers }: TestPartner, wallet: string): Promise<string> =>
  (await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers })).json().Wallet.Nuban;
/** The ids under which a credit was told of, one for each time. */
const toldOf = (amount: number) =>
  receiver.requests
    .filter(({ body }) => body.includes(`"credit-${amount}"`))
    .map(({ headers }) => headers['webhook-id']);

it('a server restored to a moment has its books whole, and sends and pays nothing twice that receivers and providers cannot tell', async () => {
  const url = cluster.embedded.url('postgres');
  const before = await open(url);
  const partner = await before.newPartner({ float: 10_000, webhookUrl: receiver.url });
  const wallet = await kycWallet(before, partner);
  await credit(before, partner, wallet, 5_000);
  await asOwner(url, 'select books.add_up(clock_timestamp())'); // so that there are totals to be a day older too
  await asOwner(url, A_DAY_BEFORE);
  const seals = await sealDue(before.resources, SEALED_BEFORE);
  expect(seals).toHaveLength(SEALED_BEFORE);
  await cluster.backUp(startBackup, stopBackup);

  await before.working(() => eventually(() => expect(toldOf(5_000)).toHaveLength(1)));
  await credit(before, partner, wallet, 2);
  expect(await payOut(before, partner, wallet, 300)).toBe(200);
  const { moment } = (await asOwner<{ moment: string }>(url, 'select clock_timestamp()::text as moment')) ?? {
    moment: '',
  };

  await credit(before, partner, wallet, 3);
  expect(await payOut(before, partner, wallet, 400)).toBe(200);
  expect(await payOut(before, partner, wallet, 500, '057')).toBe(200);
  await before.working(() =>
    eventually(async () => {
      expect([toldOf(2).length, toldOf(3).length, paid.size]).toEqual([1, 1, 3]);
      for (const reference of ['payout-400', 'payout-500'])
        expect(await statusOf(before, partner, reference)).toBe('Successful');
    }),
  );
  const lost = await nubanOf(before, partner, await kycWallet(before, partner));
  await asOwner(url, hoursEarlier(moment));
  const lostSeals = await sealDue(before.resources);
  await before.close();
  await cluster.end();

  const restored = (await cluster.recover(recovering.replace(/'[^']*\+01'/, `'${moment}'`))).url('postgres');
  await asOwner(restored, skipNumbers);
  expect(await paytag(restored, migrate)).toMatchObject({ code: 0, stderr: '' });
  const withAnotherKey = await runToEnd(['src/server.ts'], { ...serverEnv(restored), MASTER_KEY: '7f'.repeat(32) });
  expect(withAnotherKey).toMatchObject({ code: 1, stderr: expect.stringMatching(/^MASTER_KEY[^\n]*\n$/) });
  expect(await paytag(restored, check)).toMatchObject({ code: 0, stdout: expect.stringMatching(/in order\.\n$/) });
  const ofAll = await verifySeals(restored, [...seals, ...lostSeals]);
  expect(ofAll).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^seal \d+ .*: entries changed: [1-9]\d* rows were sealed, 0 are there$/m),
  });
  expect(sealsIn(ofAll.stdout, told)).toEqual(lostSeals.map(({ number }) => number));
  expect([...new Set(sealsIn(ofAll.stdout))]).toEqual(lostSeals.map(({ number }) => number));
  expect(await verifySeals(restored, seals)).toMatchObject(asSealed);
  const after = await open(restored);
  expect(await statusOf(after, partner, 'credit-2')).toBe('Successful');
  expect(await statusOf(after, partner, 'payout-300')).toBe('Pending');
  expect(await statusOf(after, partner, 'credit-3')).toBeUndefined();

  const repeated = [await credit(after, partner, wallet, 2), await credit(after, partner, wallet, 3)];
  expect(repeated.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(await payOut(after, partner, wallet, 400)).toBe(200);
  expect(await payOut(after, partner, wallet, 500)).toBe(200); // to another bank than it was paid to
  await after.working(() =>
    eventually(async () => {
      expect([toldOf(2).length, toldOf(3).length]).toEqual([2, 2]);
      expect(await statusOf(after, partner, 'payout-300')).toBe('Successful');
      expect(await statusOf(after, partner, 'payout-400')).toBe('Successful');
      expect(after.logged).toContain('the provider has another payment under the reference of a payout');
    }),
  );
  expect(toldOf(5_000)).toHaveLength(1); // delivered before the moment
  expect(new Set(toldOf(2)).size).toBe(1); // the same event: told twice under one id
  expect(new Set(toldOf(3)).size).toBe(2); // another event, of a movement that was posted anew
  expect([...paid.values()].map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([30_000, 40_000, 50_000]);
  expect((await after.operate('GET', '/payouts?state=UNKNOWN')).json().items).toMatchObject([{ amount: 500 }]);
  expect(await statusOf(after, partner, 'payout-500')).toBe('Pending');
  expect(refused).toBeGreaterThan(1);
  expect(await nubanOf(after, partner, await kycWallet(after, partner))).not.toBe(lost);
  const sealedSince = await sealDue(after.resources);
  expect(sealedSince).not.toEqual([]);
  await after.close();
  expect(await paytag(restored, check)).toMatchObject({ code: 0 });
  expect(await verifySeals(restored, [...seals, ...sealedSince])).toMatchObject(asSealed);
});
