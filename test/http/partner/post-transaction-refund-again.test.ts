import { describe, expect, it } from 'vitest';
import { settleDue } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { resolve } from '../../support/payments.ts';
import { changeWallet, fundedWallet, kycWallet, moveMoney, refund } from '../../support/wallets.ts';

const server = useApp();

const transaction = async (headers: Record<string, string>, reference: string) =>
  (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers })).json();

describe('a refund of all that is left', () => {
  it('takes what is left at that moment: a part refunded at the same time never makes it fail', async () => {
    for (let round = 0; round < 10; round++) {
      const { partner, wallet } = await fundedWallet(server, 100);
      const [part, whole] = await Promise.all([
        refund(server, partner, 'opening', { reference: 'part', amount: 1 }),
        refund(server, partner, 'opening', { reference: 'whole' }),
      ]);
      const first = part.statusCode === 200 ? part.json().Amount : 0;
      expect(whole.statusCode).toBe(200);
      expect(first + whole.json().Amount).toBe(100);
      expect((await transaction(partner.headers, 'opening')).Status).toBe('Reversed');
      expect((await eventsOf(server, wallet)).at(-1)).toMatchObject({ data: { ClosingBalance: 0 } });
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('a movement that was refunded since', () => {
  it('answers its repeated reference as it did, and a read shows its current state', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const { headers } = partner;
    const debit = () =>
      server.call('POST', `/v2/partner/wallet/${wallet}/debit`, {
        headers,
        payload: { amount: 40, reference: 'rent' },
      });
    const before = (await debit()).json();
    await refund(server, partner, 'rent', { reference: 'rent-back' });
    expect((await debit()).json()).toEqual(before);
    expect((await transaction(headers, 'rent')).Status).toBe('Reversed');
  });
});

describe('a refund to a wallet that took nothing in', () => {
  it('keeps waiting while it would overfill the wallet, and is credited when there is room', async () => {
    const most = 9_999_999_999_999.99;
    const partner = await server.newPartner({ float: most });
    const wallet = await kycWallet(server, partner);
    const move = (way: 'credit' | 'debit', amount: number, name: string) =>
      moveMoney(server, partner, wallet, way, { amount, reference: name });
    await move('credit', most, 'all');
    await move('debit', 10, 'ten');
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 10, reference: `more-${partner.id}` });
    await move('credit', 10, 'again');
    await changeWallet(server, wallet, { status: 'PNC' });
    expect((await refund(server, partner, 'ten', { reference: 'back' })).json()).toMatchObject({ Status: 'Pending' });
    expect((await changeWallet(server, wallet, { status: 'Enabled' })).json()).toMatchObject({ totalAmount: most });
    expect(await transaction(partner.headers, 'back')).toMatchObject({ Status: 'Pending' });
    await move('debit', 10.5, 'room');
    expect(await settleDue(server.resources, 10)).toBe(1);
    expect(await transaction(partner.headers, 'back')).toMatchObject({ Status: 'Successful' });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('and was returned from suspense, gave nothing back: it can be made again', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'rent' });
    await changeWallet(server, wallet, { status: 'PNC' });
    const waiting = (await refund(server, partner, 'rent', { reference: 'back' })).json();
    expect((await transaction(partner.headers, 'rent')).Status).toBe('Reversed');
    await resolve(server, waiting.ID, {
      to: 'return',
      reference: `return-${partner.id}`,
      reason: 'asked by the partner',
    });
    expect((await transaction(partner.headers, 'rent')).Status).toBe('Successful');
    await changeWallet(server, wallet, { status: 'Enabled' });
    const again = await refund(server, partner, 'rent', { reference: 'again' });
    expect(again.json()).toMatchObject({ Status: 'Successful', Amount: 40, ClosingBalance: 100 });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
