import { describe, expect, it } from 'vitest';
import { carryPayouts } from '#modules/payouts';
import { useApp } from '../../support/app.ts';
import { eventsOf } from '../../support/books.ts';
import { ACCOUNT, scriptedProvider } from '../../support/payouts.ts';
import { changeWallet, type LoggedIn, loggedIn } from '../../support/wallets.ts';
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
  await carryPayouts({ ...server.resources, payoutProvider: scriptedProvider().provider });
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
    'counts against the daily limit, charges included',
    withinOneDay(async () => {
      const ada = await linked(1_000);
      await payOut(ada, { amount: 100, reference: 'lunch' });
      expect(await read(ada, 'wallet/limit')).toMatchObject({ Spent: 125 });
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

describe('409', () => {
  it('when no bank account is linked', async () => {
    const ada = await loggedIn(server, await server.newPartner({ float: 100 }), 100);
    const answer = await payOut(ada, { amount: 10, reference: 'early' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ errorCode: 'BANK_ACCOUNT_NOT_LINKED' });
  });

  it('when the reference stands for another request', async () => {
    const ada = await linked(1_000);
    await payOut(ada, { amount: 100, reference: 'one' });
    const answer = await payOut(ada, { amount: 101, reference: 'one' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ errorCode: 'REFERENCE_REUSED' });
  });
});

describe('422', () => {
  it.each([
    ['more than the wallet has, with its charges', 1_000, 'INSUFFICIENT_FUNDS'],
    ['less than the rail carries', 0.5, 'AMOUNT_TOO_SMALL'],
  ])('%s', async (_, amount, errorCode) => {
    const answer = await payOut(await linked(1_000), { amount, reference: 'x' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errorCode });
  });

  it('more than is left of the daily limit', async () => {
    const answer = await payOut(await linked(300_000), { amount: 200_000, reference: 'x' });
    expect(answer.json()).toMatchObject({ errorCode: 'LIMIT_EXCEEDED' });
  });

  it.each([
    ['PND', 'WALLET_PND'],
    ['Blocked', 'WALLET_BLOCKED'],
  ])('from a wallet that is %s', async (status, errorCode) => {
    const ada = await linked(1_000);
    await changeWallet(server, ada.wallet, { status });
    const answer = await payOut(ada, { amount: 10, reference: 'x' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errorCode });
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
