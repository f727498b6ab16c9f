import { describe, expect, it } from 'vitest';
import { settleDue } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf, leavesNothingBut } from '../../support/books.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  changeWallet,
  fundedWallet,
  kycWallet,
  loggedIn,
  moveMoney,
  pay,
  refund,
  resolve,
} from '../../support/wallets.ts';

const server = useApp();

const transaction = async (headers: Record<string, string>, reference: string) =>
  (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers })).json();

describe('POST /transaction/{reference}/refund', () => {
  it('gives a credit back whole by default: the original is Reversed and the wallet’s event is published', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const answer = await refund(server, partner, 'opening', { reference: 'back', comment: 'Ordered twice' });
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      Type: 'PARTNER_REFUND',
      Amount: 500,
      Fee: 0,
      Commission: 0,
      Net: 500,
      Currency: 'NGN',
      Status: 'Successful',
      Reference: 'back',
      ExternalReference: 'opening',
      Comment: 'Ordered twice',
      OpeningBalance: 500,
      ClosingBalance: 0,
      CreatedAt: expect.any(String),
      CompletedAt: expect.any(String),
    });
    expect(await transaction(partner.headers, 'opening')).toMatchObject({ Status: 'Reversed', Amount: 500 });
    expect((await eventsOf(server, wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: { Amount: -500, Transaction: { Reference: 'back', ExternalReference: 'opening' } },
    });
  });

  it('a refund that returns funds into a wallet credits it by the reversal, which names the original', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await moveMoney(server, partner, wallet, 'debit', { amount: 200, reference: 'order-1' });
    const answer = await refund(server, partner, 'order-1', { reference: 'reversal-1', amount: 50.25 });
    expect(answer.json()).toMatchObject({ Amount: 50.25, OpeningBalance: 300, ClosingBalance: 350.25 });
    expect((await eventsOf(server, wallet)).at(-1)).toMatchObject({
      event: 'wallet.credited',
      reference: wallet,
      data: {
        Amount: 50.25,
        Operation: 'Credit',
        Transaction: { Amount: 50.25, Reference: 'reversal-1', ExternalReference: 'order-1', Status: 'Successful' },
        OpeningBalance: 300,
        ClosingBalance: 350.25,
      },
    });
    expect(await transaction(partner.headers, 'order-1')).toMatchObject({ Status: 'Successful' });
  });

  it('parts up to the original, and then without an amount all that is left', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'order' });
    await refund(server, partner, 'order', { reference: 'part-1', amount: 30 });
    await refund(server, partner, 'order', { reference: 'part-2', amount: 30.5 });
    const rest = await refund(server, partner, 'order', { reference: 'rest' });
    expect(rest.json()).toMatchObject({ Amount: 39.5, ClosingBalance: 100 });
    const again = await refund(server, partner, 'order', { reference: 'rest' });
    expect(again.json()).toEqual(rest.json());
    expect(await transaction(partner.headers, 'order')).toMatchObject({ Status: 'Reversed' });
  });

  it('20 concurrent requests with one reference move money once and get the same answer', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => refund(server, partner, 'opening', { reference: 'twins', amount: 10 })),
    );
    expect(new Set(all.map(({ body }) => body)).size).toBe(1);
    expect(await eventsOf(server, wallet)).toHaveLength(2);
  });

  it.each(['Blocked', 'PNC'])(
    'stays Pending without an event for a wallet in status %s, and is credited when it is enabled',
    async (status) => {
      const { partner, wallet } = await fundedWallet(server, 100);
      await moveMoney(server, partner, wallet, 'debit', { amount: 60, reference: 'order' });
      await changeWallet(server, wallet, { status });
      const waiting = await refund(server, partner, 'order', { reference: 'waits' });
      expect(waiting.json()).toMatchObject({ Status: 'Pending', Amount: 60 });
      expect(waiting.json()).not.toHaveProperty('CompletedAt');
      expect(waiting.json()).not.toHaveProperty('OpeningBalance');
      expect(await eventsOf(server, wallet)).toHaveLength(2);
      expect(await brokenInvariants(server)).toEqual([]);

      const enabled = await changeWallet(server, wallet, { status: 'Enabled' });
      expect(enabled.json()).toMatchObject({ status: 'Enabled', totalAmount: 100 });
      const { headers } = partner;
      const came = (await server.call('GET', '/v2/partner/transaction/waits', { headers })).json();
      expect(came).toMatchObject({ Status: 'Successful', ClosingBalance: 100, CompletedAt: came.CreatedAt });
      expect(came.CreatedAt > waiting.json().CreatedAt).toBe(true);
      expect((await eventsOf(server, wallet)).at(-1)).toMatchObject({
        event: 'wallet.credited',
        data: {
          Amount: 60,
          CreatedAt: came.CreatedAt,
          Transaction: { Reference: 'waits', ExternalReference: 'order', Status: 'Successful' },
        },
      });
    },
  );

  it('409: REFERENCE_REUSED for another original, another amount, or a reference that is a credit', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 50, reference: 'order' });
    await refund(server, partner, 'order', { reference: 'r', amount: 10 });
    for (const [original, payload] of [
      ['opening', { reference: 'r', amount: 10 }],
      ['order', { reference: 'r', amount: 11 }],
      ['order', { reference: 'opening', amount: 10 }],
    ] as const) {
      const answer = await leavesNothingBut(server, 0, () => refund(server, partner, original, payload));
      expect(refusalOf(answer)).toEqual([409, 'REFERENCE_REUSED']);
    }
  });

  const refused = async (errorCode: string, work: Parameters<typeof leavesNothingBut>[2]) => {
    const answer = (await leavesNothingBut(server, 1, work)) as Awaited<ReturnType<typeof refund>>;
    expect(refusalOf(answer)).toEqual([422, errorCode]);
  };

  it('422: REFUND_EXCEEDS for more than is left, and of two that together exceed exactly one comes through', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 50, reference: 'order' });
    await refused('REFUND_EXCEEDS', () => refund(server, partner, 'order', { reference: 'over', amount: 50.01 }));
    const two = await Promise.all(
      ['a', 'b'].map((reference) => refund(server, partner, 'order', { reference, amount: 30 })),
    );
    expect(two.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(two.filter(({ statusCode }) => statusCode === 422)).toHaveLength(1);
    expect((await refund(server, partner, 'order', { reference: 'rest' })).json()).toMatchObject({ Amount: 20 });
    await refused('REFUND_EXCEEDS', () => refund(server, partner, 'order', { reference: 'nothing-left' }));
  });

  it('422: TRANSACTION_NOT_REFUNDABLE for one that failed, a refund, and a customer’s transfer; the reference stays declined', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 500, reference: 'failed' });
    await refund(server, partner, 'opening', { reference: 'refund', amount: 1 });
    const payer = await loggedIn(server, partner, 0);
    await moveMoney(server, partner, wallet, 'debit', { amount: 20, reference: 'to-float' });
    await moveMoney(server, partner, payer.wallet, 'credit', { amount: 20, reference: 'to-payer' });
    const payee = await loggedIn(server, partner);
    const sent = await pay(server, payer, { paytag: payee.paytag, amount: 5, reference: 't' });
    const originals = ['failed', 'refund', sent.json().Reference];
    for (const original of originals) {
      const again = () => refund(server, partner, original, { reference: `r-${original}`, amount: 1 });
      await refused('TRANSACTION_NOT_REFUNDABLE', again);
      expect((await leavesNothingBut(server, 0, again)).json().errorCode).toBe('TRANSACTION_NOT_REFUNDABLE');
    }
  });

  it('422: a refusal of what another partner’s customer sent stands in the asking partner’s book alone', async () => {
    const [here, there] = [await server.newPartner({ float: 50 }), await server.newPartner()];
    const [payer, payee] = [await loggedIn(server, here, 50), await loggedIn(server, there)];
    const sent = await pay(server, payer, { paytag: payee.paytag, amount: 5, reference: 't' });
    await refused('TRANSACTION_NOT_REFUNDABLE', () =>
      refund(server, there, sent.json().Reference, { reference: 'asked-there' }),
    );
    expect(await transaction(there.headers, 'asked-there')).toMatchObject({ Status: 'Failed' });
    expect(await transaction(here.headers, 'asked-there')).toMatchObject({ errorCode: 'TRANSACTION_NOT_FOUND' });
  });

  it('422: INSUFFICIENT_FUNDS, WALLET_BLOCKED and WALLET_PND when the wallet cannot give it back', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    for (const [status, errorCode] of [
      ['Blocked', 'WALLET_BLOCKED'],
      ['PND', 'WALLET_PND'],
    ] as const) {
      await changeWallet(server, wallet, { status });
      await refused(errorCode, () => refund(server, partner, 'opening', { reference: status }));
    }
    await changeWallet(server, wallet, { status: 'Enabled' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 60, reference: 'spent' });
    await refused('INSUFFICIENT_FUNDS', () => refund(server, partner, 'opening', { reference: 'late' }));
    expect((await refund(server, partner, 'opening', { reference: 'part', amount: 40 })).statusCode).toBe(200);
  });

  it('a refund in points gives back points', async () => {
    const partner = await server.newPartner();
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 9, currency: 'FP', reference: 'points' });
    const wallet = await kycWallet(server, partner, 'FP');
    await moveMoney(server, partner, wallet, 'credit', { amount: 9, reference: 'gift' });
    const answer = await refund(server, partner, 'gift', { reference: 'gift-back' });
    expect(answer.json()).toMatchObject({ Currency: 'FP', Amount: 9, ClosingBalance: 0 });
  });

  it('the books are in order after all this', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('POST /transaction/{reference}/refund, again', () => {
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
});
