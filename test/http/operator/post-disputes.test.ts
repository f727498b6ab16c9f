import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';
import { inDays, openDispute, walletNow } from '../../support/disputes.ts';
import { newWallet, paymentsOf } from '../../support/payments.ts';
import { refusalOf } from '../../support/refusals.ts';
import { reverse, waitingPayment } from '../../support/suspense.ts';
import { changeWallet, fundedWallet, loggedIn, moveMoney, pay, refund } from '../../support/wallets.ts';

const server = useApp();
const { gateway, inbound } = paymentsOf(server);

describe('201', () => {
  it('keeps the amount from being spent, says what was said, and is audited', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const evidence = [{ text: 'a letter of the bank', link: 'https://files.example/7.pdf' }, { text: 'a call' }];
    const respondBy = inDays(server, 3);
    const answer = await openDispute(server, partner.id, { amount: 300.5, evidence, respondBy });
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        id: expect.any(String),
        transactionReference: 'opening',
        transactionId: expect.any(Number),
        type: 'PARTNER_WALLET_CREDIT',
        partnerId: partner.id,
        wallet,
        amount: 300.5,
        currency: 'NGN',
        covered: 300.5,
        state: 'OPEN',
        reason: 'the payer says it was not they',
        respondBy,
        evidence: evidence.map((said) => ({ by: 'OPERATOR', ...said, at: expect.any(String) })),
        refunded: 0,
        createdAt: expect.any(String),
      },
    ]);
    expect(await walletNow(server, wallet)).toMatchObject({ blockedAmount: 300.5, availableAmount: 199.5 });
    const over = await moveMoney(server, partner, wallet, 'debit', { amount: 199.51, reference: 'over' });
    expect(over.json().errorCode).toBe('INSUFFICIENT_FUNDS');
    expect(await auditOf(server, answer.json().id)).toEqual([
      {
        actor: 'operator:root',
        action: 'dispute.open',
        before: null,
        after: { transaction: 'opening', wallet, amount: '30050', currency: 'NGN' },
        reason: 'the payer says it was not they',
      },
    ]);
    expect((await auditOf(server, wallet)).map(({ action }) => action)).toEqual(['wallet.lien.place']);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is of all that is left without an amount', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await refund(server, partner, 'opening', { reference: 'some', amount: 120 });
    const answer = await openDispute(server, partner.id);
    expect(answer.json()).toMatchObject({ amount: 380, covered: 380 });
    expect(await walletNow(server, wallet)).toMatchObject({ blockedAmount: 380, availableAmount: 0 });
  });

  it('keeps what comes in later where the money has been spent', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await moveMoney(server, partner, wallet, 'debit', { amount: 450, reference: 'spent' });
    const answer = await openDispute(server, partner.id, { amount: 300 });
    expect(answer.json()).toMatchObject({ amount: 300, covered: 50 });
    await moveMoney(server, partner, wallet, 'credit', { amount: 200, reference: 'more' });
    const shown = (await server.operate('GET', `/disputes/${answer.json().id}`)).json();
    expect(shown.covered).toBe(250);
    expect(await walletNow(server, wallet)).toMatchObject({ blockedAmount: 250, availableAmount: 0 });
  });

  it.each(['PND', 'PNC', 'Blocked'])('of a wallet that is %s', async (status) => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await changeWallet(server, wallet, { status });
    expect((await openDispute(server, partner.id)).json()).toMatchObject({ state: 'OPEN', covered: 500 });
  });

  it('of a payment at a gateway, by account number, or by a customer of another partner: the receiver’s partner answers', async () => {
    const partner = await server.newPartner();
    const { reference: walletReference, nuban } = await newWallet(server, partner);
    await gateway(partner, { amount: 90, reference: 'card', walletReference });
    const paidIn = (await inbound(nuban, { amount: 80, reference: `bank-${partner.id}` })).json();
    const payer = await loggedIn(server, await server.newPartner({ float: 70 }), 70);
    const payee = await loggedIn(server, partner);
    const sent = (await pay(server, payer, { paytag: payee.paytag, amount: 70, reference: 'by-mistake' })).json();
    for (const [transactionReference, wallet, type, of] of [
      ['card', walletReference, 'PARTNER_GATEWAY', partner.id],
      [paidIn.Reference, walletReference, 'INBOUND', partner.id],
      [sent.Reference, payee.wallet, 'TRANSFER', payer.partner.id],
    ] as const) {
      const opened = await openDispute(server, of, { transactionReference });
      expect(opened.json()).toMatchObject({ partnerId: partner.id, wallet, type });
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('422', () => {
  it('more than is left of the transaction', async () => {
    const { partner } = await fundedWallet(server, 500);
    await refund(server, partner, 'opening', { reference: 'some', amount: 120 });
    expect(refusalOf(await openDispute(server, partner.id, { amount: 380.01 }))).toEqual([422, 'REFUND_EXCEEDS']);
  });

  it('what was given back, refused, waits or reached no wallet', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    const refused = (transactionReference: string) => openDispute(server, partner.id, { transactionReference });
    await moveMoney(server, partner, wallet, 'debit', { amount: 10, reference: 'to-the-float' });
    await moveMoney(server, partner, wallet, 'debit', { amount: 9000, reference: 'too-much' });
    await gateway(partner, { amount: 90, reference: 'card' });
    await gateway(partner, { amount: 90, reference: 'reversed', walletReference: wallet });
    await reverse(server, 'reversed', { partnerId: partner.id, reference: 'taken-back' });
    await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference: 'refunded' });
    await refund(server, partner, 'refunded', { reference: 'back' });
    const { reference: waits } = await waitingPayment(server, partner);
    for (const reference of ['to-the-float', 'too-much', 'card', 'reversed', 'refunded', 'back', waits]) {
      expect({ reference, refusal: refusalOf(await refused(reference)) }).toEqual({
        reference,
        refusal: [422, 'TRANSACTION_NOT_DISPUTABLE'],
      });
    }
  });
});
