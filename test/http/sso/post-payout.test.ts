import readSheets from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { correctPayout, sendPayouts } from '#modules/payouts';
import { settlePayout } from '../../../src/modules/payouts/settle-payout.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { ACCOUNT, scriptedProvider } from '../../support/payouts.ts';
import { readPdf } from '../../support/statements.ts';
import { type LoggedIn, loggedIn } from '../../support/wallets.ts';
import { withinOneDay } from './one-day.ts';

const server = useApp({ FEE_PAYOUT: '25', FEE_STAMP_DUTY: '50>=10000' });
const none = useApp({ PAYOUT_PROVIDER: 'none' });

/** A customer with a funded wallet, whose bank account is linked. */
async function linked(naira: number): Promise<LoggedIn> {
  const customer = await loggedIn(server, await server.newPartner({ float: naira }), naira);
  const { headers } = customer;
  await server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: ACCOUNT });
  return customer;
}
const payOut = ({ headers }: LoggedIn, payload: object) => server.call('POST', '/v2/sso/payout', { headers, payload });
const read = async ({ headers }: LoggedIn, path: string) =>
  (await server.call('GET', `/v2/sso/${path}`, { headers })).json();
async function carry(): Promise<void> {
  server.clock.advance(60_000);
  await sendPayouts({ ...server.resources, payoutProvider: scriptedProvider().provider });
}

/** What a customer's statement says, in every format. */
async function statementsOf({ headers }: LoggedIn): Promise<string[]> {
  const texts: string[] = [];
  for (const format of ['csv', 'html', 'pdf', 'xlsx']) {
    const path = `/v2/sso/transaction/statement?format=${format}`;
    const link = new URL((await server.call('POST', path, { headers })).json().url);
    const { rawPayload } = await server.call('GET', link.pathname + link.search);
    texts.push(await textOf(format, rawPayload));
  }
  return texts;
}

async function textOf(format: string, bytes: Buffer): Promise<string> {
  if (format === 'pdf') return (await readPdf(bytes)).pages.join(' ');
  if (format === 'xlsx') return JSON.stringify(await readSheets(bytes));
  return bytes.toString();
}

describe('200', () => {
  it('holds amount, fee and stamp duty, and takes them when the provider has paid: the whole amount arrives', async () => {
    const ada = await linked(20_000);
    const ordered = await payOut(ada, { amount: 10_000, reference: 'rent', comment: 'May' });
    expect(ordered.statusCode).toBe(200);
    expect(ordered.headers['cache-control']).toBe('no-store');
    expect(ordered.json()).toMatchObject({
      Type: 'PAYOUT',
      Amount: 10_000,
      Fee: 75,
      Status: 'Pending',
      ExternalReference: 'rent',
      Comment: 'May',
    });
    expect(await read(ada, 'wallet')).toMatchObject({ SuspendedAmount: 10_075, Balance: 9_925, TotalAmount: 20_000 });
    await carry();
    expect((await read(ada, 'transaction?reference=rent')).items).toMatchObject([
      { Status: 'Successful', Fee: 75, OpeningBalance: 20_000, ClosingBalance: 9_925, ExternalReference: 'rent' },
    ]);
    expect(await eventsOf(server, ada.wallet)).toMatchObject([
      { event: 'wallet.credited' },
      { event: 'wallet.debited', data: { Amount: -10_075, Transaction: { Fee: 75, ExternalReference: 'rent' } } },
    ]);
  });

  it(
    'counts in the day’s limit while it is on its way and once it was paid, and no more when it failed or came back',
    withinOneDay(async () => {
      const ada = await linked(1_000);
      const spent = async () => (await read(ada, 'wallet/limit')).Spent;
      const settle = async (script: Parameters<typeof scriptedProvider>[0], ...after: number[]) => {
        const { provider } = scriptedProvider(script);
        for (const ms of [60_000, ...after]) {
          server.clock.advance(ms);
          await sendPayouts({ ...server.resources, payoutProvider: provider });
          expect(await brokenInvariants(server)).toEqual([]);
        }
      };
      await payOut(ada, { amount: 100, reference: 'kept' });
      expect(await spent()).toBe(125);
      await settle({});
      expect(await spent()).toBe(125);
      await payOut(ada, { amount: 200, reference: 'refused' });
      expect(await spent()).toBe(350);
      await settle({ sends: ['FAILED'] });
      expect(await spent()).toBe(125);
      await payOut(ada, { amount: 300, reference: 'returned' });
      await settle({ verifies: ['REVERSED'], recheckAfterMs: 1 }, 60_000);
      expect((await read(ada, 'transaction')).items[0]).toMatchObject({
        Type: 'REVERSAL',
        Amount: 325,
        Fee: 0,
        Net: 325,
        ClosingBalance: 875,
      });
      expect((await eventsOf(server, ada.wallet)).at(-1)).toMatchObject({
        event: 'wallet.credited',
        data: { Amount: 325, Transaction: { Amount: 325, Fee: 0 } },
      });
      expect(await spent()).toBe(125);
    }),
  );

  it('reads as a payout with bank and account, in every statement and in the history; so does what came back', async () => {
    const ada = await linked(1_000);
    await payOut(ada, { amount: 100, reference: 'rent', comment: 'May' });
    const { provider } = scriptedProvider({ verifies: ['REVERSED'], recheckAfterMs: 1 });
    for (const _ of ['paid', 'returned']) {
      server.clock.advance(60_000);
      await sendPayouts({ ...server.resources, payoutProvider: provider });
    }
    const Payee = { BankCode: '058', AccountNumber: '******6789', AccountName: expect.stringMatching(/\S/) };
    const shown = [{ Type: 'REVERSAL', Payee }, { Type: 'PAYOUT', Payee }, { Type: 'PARTNER_WALLET_CREDIT' }];
    const { items } = await read(ada, 'transaction');
    expect(items).toMatchObject(shown);
    expect(items[2]).not.toHaveProperty('Payee');
    const url = `/v2/partner/wallet/${ada.wallet}/history`;
    expect((await server.call('GET', url, { headers: ada.partner.headers })).json().items).toMatchObject(shown);
    const one = await server.call('GET', `/v2/partner/transaction/${items[1].Reference}`, {
      headers: ada.partner.headers,
    });
    expect(one.json()).toMatchObject({ Type: 'PAYOUT', Payee });
    const { BankName, AccountName } = items[1].Payee;
    const account = `${BankName} ${ACCOUNT.accountNumber}, ${AccountName}`;
    for (const text of await statementsOf(ada)) {
      for (const line of [`Payout to ${account}`, `Payout returned from ${account}`]) expect(text).toContain(line);
      expect(text).not.toContain('Transfer');
    }
  });

  it('that failed, and was paid all the same, reads as a payout that was booked later', async () => {
    const ada = await linked(1_000);
    await payOut(ada, { amount: 100, reference: 'late' });
    server.clock.advance(60_000);
    await sendPayouts({ ...server.resources, payoutProvider: scriptedProvider({ sends: ['FAILED'] }).provider });
    const { items: payouts } = (await server.operate('GET', `/payouts?wallet=${ada.wallet}`)).json();
    const decided = { account: 'WALLET', actor: 'two operators', reason: 'the bank says so' } as const;
    await correctPayout(server.resources, { id: payouts[0].id, ...decided });
    const { items } = await read(ada, 'transaction');
    const Payee = { BankCode: '058', AccountNumber: '******6789', AccountName: expect.stringMatching(/\S/) };
    expect(items).toMatchObject([{ Type: 'PAYOUT_CORRECTION', Payee }, { Type: 'PARTNER_WALLET_CREDIT' }]);
    const { BankName, AccountName } = items[0].Payee;
    for (const text of await statementsOf(ada)) {
      expect(text).toContain(`Payout, booked later, to ${BankName} ${ACCOUNT.accountNumber}, ${AccountName}`);
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it(
    'that comes back on a later day gives nothing to that day’s limit',
    withinOneDay(async () => {
      const ada = await linked(1_000);
      await payOut(ada, { amount: 300, reference: 'yesterday' });
      await carry();
      await server.owner.query(`
        update ledger.spending s set day = day - 1 from ledger.account a where a.reference = '${ada.wallet}' and a.holder_id = s.holder_id;
        update ledger.hold h set held_day = held_day - 1 from ledger.account a where a.reference = '${ada.wallet}' and a.id = h.account_id`);
      await payOut(ada, { amount: 100, reference: 'today' });
      const { rows } = await server.owner.query(
        `select p.provider_reference as ours from payouts.payout p join ledger.transaction t on t.id = p.transaction_id
          where t.external_reference = 'yesterday' and p.wallet = $1`,
        [ada.wallet],
      );
      await settlePayout(server.resources, { providerReference: rows[0].ours, result: { state: 'REVERSED' } });
      expect(await read(ada, 'wallet/limit')).toMatchObject({ Spent: 125 });
      expect(await read(ada, 'wallet')).toMatchObject({ Balance: 875 });
      expect(await brokenInvariants(server)).toEqual([]);
    }),
  );

  it('of a reference that is repeated is the first one, and orders nothing more', async () => {
    const ada = await linked(1_000);
    const order = { amount: 100, reference: 'twice' };
    const [first, again] = [await payOut(ada, order), await payOut(ada, order)];
    expect(again.json()).toEqual(first.json());
    expect(await read(ada, 'wallet')).toMatchObject({ SuspendedAmount: 125 });
  });
});

describe('400', () => {
  it('without an amount or a reference, each told in a line', async () => {
    const answer = await payOut(await linked(100), {});
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      expect.stringMatching(/^amount: /),
      'reference: is missing: it must be text',
    ]);
  });
});

describe('422', () => {
  it('more than is left of the daily limit', async () => {
    const answer = await payOut(await linked(300_000), { amount: 200_000, reference: 'x' });
    expect(answer.json()).toMatchObject({ errorCode: 'LIMIT_EXCEEDED' });
  });
});

describe('503', () => {
  it('where no provider pays out', async () => {
    const { headers } = await loggedIn(none, await none.newPartner({ float: 100 }), 100);
    await none.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: ACCOUNT });
    const answer = await none.call('POST', '/v2/sso/payout', { headers, payload: { amount: 10, reference: 'x' } });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ errorCode: 'PROVIDER_NOT_CONFIGURED' });
  });
});
