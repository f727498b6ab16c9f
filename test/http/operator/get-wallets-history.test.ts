import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { waitingPayment } from '../../support/suspense.ts';
import { fundedWallet, loggedIn, moveMoney, pay } from '../../support/wallets.ts';

const server = useApp();
const ask = (path: string) => server.operate('GET', path);
const itemsOf = async (path: string) => {
  const answer = await ask(path);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ items: { Reference: string }[] }>().items;
};
const referencesIn = async (path: string) => (await itemsOf(path)).map(({ Reference }) => Reference);

let partner: TestPartner;
let wallet: string;
beforeAll(async () => {
  ({ partner, wallet } = await fundedWallet(server, 100));
  const move = (type: 'credit' | 'debit', body: object) => moveMoney(server, partner, wallet, type, body);
  await move('debit', { amount: 10, reference: 'ten', externalReference: 'order-9' });
  await move('debit', { amount: 5000, reference: 'refused' });
  await move('credit', { amount: 4, reference: 'four' });
});

describe('200', () => {
  it('what moved a wallet, newest first, with its balance before and after, in pages', async () => {
    const { items, count, nextCursor } = (await ask(`/wallets/${wallet}/history?limit=2`)).json();
    expect(items).toMatchObject([
      { Reference: 'four', OpeningBalance: 90, ClosingBalance: 94, PartnerID: partner.id, Namer: 'PARTNER' },
      { Reference: 'ten', OpeningBalance: 100, ClosingBalance: 90 },
    ]);
    expect(count).toBe(3);
    expect(await referencesIn(`/wallets/${wallet}/history?limit=2&cursor=${nextCursor}`)).toEqual(['opening']);
  });

  it.each([
    ['type=PARTNER_WALLET_DEBIT', ['ten']],
    ['amountFrom=5&amountTo=50', ['ten']],
    ['externalReference=order-9', ['ten']],
    ['status=Failed', []],
    ['to=2020-01-01T00:00:00Z', []],
    ['from=2020-01-01T00:00:00Z&namer=PARTNER', ['four', 'ten', 'opening']],
  ])('that is %s', async (query, expected) => {
    expect(await referencesIn(`/wallets/${wallet}/history?${query}`)).toEqual(expected);
  });

  it('as a file', async () => {
    const { body, headers } = await ask(`/wallets/${wallet}/history?format=csv`);
    expect(headers['content-disposition']).toBe('attachment; filename="history.csv"');
    expect(body.trimEnd().split('\r\n')).toHaveLength(4);
  });

  it('of the side of a transfer that received it, what that side may know', async () => {
    const [ada, bola] = [
      await loggedIn(server, await server.newPartner({ float: 9 }), 9),
      await loggedIn(server, partner),
    ];
    await pay(server, ada, { paytag: bola.paytag, amount: 5, reference: 'rent' });
    expect(await itemsOf(`/wallets/${bola.wallet}/history`)).toMatchObject([{ Type: 'TRANSFER', ClosingBalance: 5 }]);
    expect(await itemsOf(`/wallets/${ada.wallet}/history`)).toMatchObject([{ ExternalReference: 'rent' }, {}]);
  });
});

describe('transactions of a wallet', () => {
  it('are those that moved it, those that it was refused, or those that wait', async () => {
    expect(await referencesIn(`/transactions?wallet=${wallet}`)).toEqual(['four', 'ten', 'opening']);
    expect(await referencesIn(`/transactions?wallet=${wallet}&type=PARTNER_WALLET_CREDIT`)).toEqual([
      'four',
      'opening',
    ]);
    expect(await itemsOf(`/transactions?wallet=${wallet}&status=Failed`)).toMatchObject([
      { Reference: 'refused', FailureReason: 'INSUFFICIENT_FUNDS' },
    ]);
    expect(await referencesIn(`/transactions?wallet=${wallet}&reference=ten`)).toEqual(['ten']);
    expect(await referencesIn(`/transactions?wallet=PW-nobody`)).toEqual([]);
    const waits = await waitingPayment(server, partner);
    const waiting = `/transactions?wallet=${waits.wallet.reference}`;
    expect(await referencesIn(`${waiting}&status=Pending`)).toEqual([waits.reference]);
    expect(await referencesIn(waiting)).toEqual([]);
  });

  it('that are Pending are payouts on their way too, and of those that are Failed one reason is asked for', async () => {
    const payout = await unknownPayout(server);
    const pending = async (query: string) => referencesIn(`/transactions?status=Pending&${query}`);
    expect(await pending(`wallet=${payout.wallet}`)).toEqual(['payout']);
    expect(await pending(`partnerId=${payout.partner.id}`)).toEqual(['payout']);
    const failed = (code: string) =>
      referencesIn(`/transactions?partnerId=${partner.id}&status=Failed&failureReason=${code}`);
    expect(await failed('INSUFFICIENT_FUNDS')).toEqual(['refused']);
    expect(await failed('WALLET_PND')).toEqual([]);
  });

  it('are found by a reference whoever gave it', async () => {
    expect(await referencesIn('/transactions?reference=ten')).toEqual(['ten']);
    expect(await referencesIn('/transactions?externalReference=order-9')).toEqual(['ten']);
  });
});
