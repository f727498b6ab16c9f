import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stampInstallation } from '#modules/installation';
import { sealDue, verifySeals } from '#modules/seals';
import { listenLocally } from '../../src/embedded/port.ts';
import { rootKeyIdsOf } from '../../src/providers/kms/open-root-keys.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { A_DAY_BEFORE } from '../support/a-day-before.ts';
import { startApp, type TestPartner } from '../support/app.ts';
import { blocksOf, documentAt } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { ACCOUNT } from '../support/payouts.ts';
import { useReceiver } from '../support/receiver.ts';
import { type ArchivedCluster, startArchived } from '../support/recovered-cluster.ts';
import { kycWallet, moveMoney } from '../support/wallets.ts';

const guide = documentAt('src/docs/backup.md');
const [archiving = '', recovering = ''] = blocksOf(guide, 'ini');
const [startBackup = '', stopBackup = '', skipNumbers = ''] = blocksOf(guide, 'sql');

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
beforeAll(async () => {
  providerUrl = `http://127.0.0.1:${await listenLocally(provider)}`;
  cluster = await startArchived(archiving);
});
afterAll(async () => {
  provider.close();
  await cluster.remove();
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
      const worker = startWorker(server.resources);
      await work();
      await worker.close();
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
  await asOwner(url, A_DAY_BEFORE);
  const seals = (await sealDue(before.resources)).map(({ seal }) => seal);
  expect(seals.length).toBeGreaterThan(20);
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
  await before.close();
  await cluster.end();

  const restored = (await cluster.recover(recovering.replace(/'[^']*\+01'/, `'${moment}'`))).url('postgres');
  await asOwner(restored, skipNumbers);
  const after = await open(restored);
  const isWhole = async (server: Opened) => {
    expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
    expect((await verifySeals(server.resources, seals)).findings).toEqual([]);
  };
  await isWhole(after);
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
  await after.close();
  const later = await open(restored);
  await isWhole(later);
  await later.close();
});
