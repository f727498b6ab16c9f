import { describe, expect, it } from 'vitest';
import { expireDisputes } from '#modules/disputes';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import {
  answerDispute,
  decideDispute,
  disputeNow,
  inDays,
  newDispute,
  openDispute,
  walletNow,
} from '../../support/disputes.ts';
import { auditOf, byRoot, newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  changeWallet,
  fundedWallet,
  loggedIn,
  moveMoney,
  newWallet,
  pay,
  paymentsOf,
  refund,
  reverse,
  waitingPayment,
} from '../../support/wallets.ts';

const server = useApp();

describe('GET /disputes', () => {
  const list = async (query: string) => (await server.operate('GET', `/disputes?${query}`)).json();
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  it('disputes, newest first, of a partner, a state or a time, as JSON and as CSV', async () => {
    const [one, other] = [await newDispute(server), await newDispute(server)];
    await decideDispute(server, other.id, 'WON');
    expect(idsOf(await list(''))).toEqual([other.id, one.id]);
    expect(idsOf(await list('limit=1'))).toEqual([other.id]);
    expect(idsOf(await list(`partnerId=${one.partner.id}`))).toEqual([one.id]);
    const { transactionId } = (await server.operate('GET', `/disputes/${one.id}`)).json();
    expect(idsOf(await list(`transactionId=${transactionId}`))).toEqual([one.id]);
    expect(idsOf(await list('state=OPEN'))).toEqual([one.id]);
    expect(idsOf(await list('state=EXPIRED'))).toEqual([]);
    expect(idsOf(await list('to=2026-01-01T00:00:00Z'))).toEqual([]);
    const file = await server.operate('GET', '/disputes?state=WON&format=csv');
    expect(file.body.split('\r\n')).toHaveLength(3);
    expect(file.body).toContain(other.id);
  });
});

describe('GET /disputes/{id}', () => {
  it('says what is disputed, what is there, and what everybody said', async () => {
    const { id, partner, wallet } = await newDispute(server, { evidence: [{ text: 'a letter' }] });
    await answerDispute(server, partner, id, { text: 'a receipt', link: 'https://files.example/8.pdf' });
    expect(await disputeNow(server, id)).toMatchObject({
      id,
      partnerId: partner.id,
      wallet,
      amount: 300,
      covered: 300,
      state: 'OPEN',
      evidence: [
        { by: 'OPERATOR', text: 'a letter' },
        { by: 'PARTNER', text: 'a receipt', link: 'https://files.example/8.pdf' },
      ],
    });
  });
});

describe('POST /disputes', () => {
  const { gateway, inbound } = paymentsOf(server);

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
      byRoot('dispute.open', {
        after: { transaction: 'opening', wallet, amount: '30050', currency: 'NGN' },
        reason: 'the payer says it was not they',
      }),
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

  it('422: more than is left of the transaction', async () => {
    const { partner } = await fundedWallet(server, 500);
    await refund(server, partner, 'opening', { reference: 'some', amount: 120 });
    expect(refusalOf(await openDispute(server, partner.id, { amount: 380.01 }))).toEqual([422, 'REFUND_EXCEEDS']);
  });

  it('422: what was given back, refused, waits or reached no wallet', async () => {
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

describe('POST /disputes/{id}/evidence', () => {
  const alone = useApp();
  const add = (id: string, body: object = { text: 'a call' }) =>
    alone.operate('POST', `/disputes/${id}/evidence`, body);

  it('adds to what was said, also when the partner can say no more, and is audited without the words', async () => {
    const { id } = await newDispute(alone, { evidence: [{ text: 'a letter' }] });
    const answer = await add(id, { text: 'a second letter', link: 'https://files.example/8.pdf' });
    expect(answer.json().evidence).toMatchObject([
      { by: 'OPERATOR', text: 'a letter' },
      { by: 'OPERATOR', text: 'a second letter', link: 'https://files.example/8.pdf' },
    ]);
    expect((await auditOf(alone, id)).at(-1)).toMatchObject({ action: 'dispute.evidence', after: { evidence: 2 } });

    await expireDisputes(alone.resources, 10, new Date(inDays(alone, 8)));
    expect((await add(id)).json()).toMatchObject({ state: 'EXPIRED', evidence: [{}, {}, { text: 'a call' }] });
  });

  it('400: a fifty-first piece, also of those that come at once', async () => {
    const { id } = await newDispute(alone, { evidence: Array.from({ length: 20 }, () => ({ text: 'more' })) });
    const answers = await Promise.all(Array.from({ length: 33 }, () => add(id)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(3);
    expect((await disputeNow(alone, id)).evidence).toHaveLength(50);
  });
});

describe('POST /disputes/{id}/decide', () => {
  const alone = useApp();
  const amountsOf = async (wallet: string) => {
    const { totalAmount, blockedAmount } = await walletNow(alone, wallet);
    return { totalAmount, blockedAmount };
  };

  it('WON: the wallet keeps the money and can spend it, and no money has moved', async () => {
    const { id, wallet } = await newDispute(alone);
    const answer = await decideDispute(alone, id, 'WON');
    expect(answer.json()).toMatchObject({ state: 'WON', decision: 'the papers say so', refunded: 0 });
    expect(answer.json()).not.toHaveProperty('covered');
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 0 });
    expect(await eventsOf(alone, wallet)).toHaveLength(1);
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it('LOST: the amount goes back by a refund that names the original, and the partner is told of that', async () => {
    const { id, partner, wallet } = await newDispute(alone);
    const answer = await decideDispute(alone, id, 'LOST');
    const refundReference = `DSP-${id}`;
    expect(answer.json()).toMatchObject({ state: 'LOST', refunded: 300, refundReference });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 200, blockedAmount: 0 });
    const { headers } = partner;
    const back = await alone.call('GET', `/v2/partner/transaction/${refundReference}`, { headers });
    expect(back.json()).toMatchObject({ Type: 'PARTNER_REFUND', Amount: 300, ExternalReference: 'opening' });
    expect((await eventsOf(alone, wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: { Amount: -300, Transaction: { Reference: refundReference, ExternalReference: 'opening' } },
    });
    expect((await auditOf(alone, id)).at(-1)).toMatchObject({
      action: 'dispute.decide',
      before: { state: 'OPEN' },
      after: { state: 'LOST', refunded: '30000' },
      reason: 'the papers say so',
    });
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it.each(['WON', 'LOST'])('%s again answers as it did, and does no more', async (outcome) => {
    const { id, wallet } = await newDispute(alone);
    const first = await decideDispute(alone, id, outcome);
    const audited = await auditOf(alone, id);
    expect((await decideDispute(alone, id, outcome)).json()).toEqual(first.json());
    expect(await auditOf(alone, id)).toEqual(audited);
    expect(await amountsOf(wallet)).toEqual({ totalAmount: outcome === 'WON' ? 500 : 200, blockedAmount: 0 });
  });

  it('one that has expired is decided as any other', async () => {
    const { id, wallet } = await newDispute(alone);
    await expireDisputes(alone.resources, 10, new Date(inDays(alone, 8)));
    expect((await decideDispute(alone, id, 'LOST')).json()).toMatchObject({
      state: 'LOST',
      refunded: 300,
      expiredAt: expect.any(String),
    });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 200, blockedAmount: 0 });
  });

  it('LOST gives back what is disputed less what was refunded since it was opened, and not less what was before', async () => {
    const { partner, wallet } = await fundedWallet(alone, 500);
    await refund(alone, partner, 'opening', { reference: 'before', amount: 100 });
    const { id } = (await openDispute(alone, partner.id, { amount: 300 })).json();
    await refund(alone, partner, 'opening', { reference: 'meanwhile', amount: 60 });
    expect((await decideDispute(alone, id, 'LOST')).json()).toMatchObject({ amount: 300, refunded: 240 });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 100, blockedAmount: 0 });
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it('LOST gives nothing back where a partner that agrees has refunded what is disputed of a transaction', async () => {
    const { id, partner, wallet } = await newDispute(alone, { amount: 200 });
    await refund(alone, partner, 'opening', { reference: 'by-the-partner', amount: 200 });
    expect((await decideDispute(alone, id, 'LOST')).json()).toMatchObject({ amount: 200, refunded: 0 });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 300, blockedAmount: 0 });
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it('LOST gives nothing back of what was reversed or refunded as a whole meanwhile: it is lost all the same', async () => {
    for (const undo of [
      (partnerId: string) => reverse(alone, 'opening', { partnerId, reference: 'taken-back' }),
      (partnerId: string) =>
        alone.operate('POST', '/transactions/opening/refund', { partnerId, reference: 'given-back', reason: 'r' }),
    ]) {
      const { id, partner, wallet } = await newDispute(alone);
      await alone.operate('POST', `/partners/${partner.id}/float`, { amount: 300, reference: `more-${id}` });
      await moveMoney(alone, partner, wallet, 'credit', { amount: 300, reference: 'more' });
      expect((await undo(partner.id)).statusCode).toBe(200);
      const answer = await decideDispute(alone, id, 'LOST');
      expect(answer.json()).toMatchObject({ state: 'LOST', refunded: 0 });
      expect(answer.json()).not.toHaveProperty('refundReference');
      expect(await amountsOf(wallet)).toEqual({ totalAmount: 300, blockedAmount: 0 });
    }
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it('what is left of a lost one can be disputed again, and so can what was won', async () => {
    const { id, partner } = await newDispute(alone);
    await decideDispute(alone, id, 'LOST');
    const second = await openDispute(alone, partner.id);
    expect(second.json()).toMatchObject({ amount: 200, covered: 200 });
    await decideDispute(alone, second.json().id, 'WON');
    const third = await openDispute(alone, partner.id);
    expect((await decideDispute(alone, third.json().id, 'LOST')).json()).toMatchObject({ refunded: 200 });
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  const careful = useApp({ APPROVAL_ABOVE: '299.99' }, alone);

  it.each(['WON', 'LOST'])(
    '%s waits for another operator above APPROVAL_ABOVE, and the money stays until then',
    async (outcome) => {
      const { id, wallet } = await newDispute(alone);
      const asked = await decideDispute(careful, id, outcome);
      expect(asked.statusCode).toBe(202);
      expect(await disputeNow(alone, id)).toMatchObject({ state: 'OPEN' });
      expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 300 });
      const { token } = await newOperator(alone, 'finance');
      const url = `/operator/v1/approvals/${asked.json().id}/approve`;
      const agreed = await careful.call('POST', url, { headers: { authorization: `Bearer ${token}` }, payload: {} });
      expect(agreed.statusCode).toBe(200);
      expect(await disputeNow(alone, id)).toMatchObject({ state: outcome });
      expect((await decideDispute(careful, id, outcome)).statusCode).toBe(200);
    },
  );

  it('422: LOST where the wallet does not hold the amount: the dispute and its lien stay, until it is there again', async () => {
    const { id, wallet } = await newDispute(alone, { amount: 500 });
    const { id: lien } = (await alone.operate('POST', `/wallets/${wallet}/liens`, { amount: 1, reason: 'r' })).json();
    expect(refusalOf(await decideDispute(alone, id, 'LOST'))).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await disputeNow(alone, id)).toMatchObject({ state: 'OPEN' });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 500 });
    await alone.operate('POST', `/wallets/${wallet}/liens/${lien}/lift`, { reason: 'r' });
    expect((await decideDispute(alone, id, 'LOST')).json()).toMatchObject({ refunded: 500 });
    expect(await brokenInvariants(alone)).toEqual([]);
  });

  it.each([
    ['PND', 'WALLET_PND'],
    ['Blocked', 'WALLET_BLOCKED'],
  ])('422: LOST of a wallet that is %s, which can be won', async (status, code) => {
    const { id, wallet } = await newDispute(alone);
    await changeWallet(alone, wallet, { status });
    expect(refusalOf(await decideDispute(alone, id, 'LOST'))).toEqual([422, code]);
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 300 });
    expect((await decideDispute(alone, id, 'WON')).statusCode).toBe(200);
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 0 });
  });
});
