import { describe, expect, it } from 'vitest';
import { expireDisputes } from '#modules/disputes';
import { useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { decideDispute, disputeNow, inDays, newDispute, openDispute, walletNow } from '../../support/disputes.ts';
import { newOperator } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { reverse } from '../../support/suspense.ts';
import { changeWallet, fundedWallet, moveMoney, refund } from '../../support/wallets.ts';

const server = useApp();
const amountsOf = async (wallet: string) => {
  const { totalAmount, blockedAmount } = await walletNow(server, wallet);
  return { totalAmount, blockedAmount };
};

describe('200', () => {
  it('WON: the wallet keeps the money and can spend it, and no money has moved', async () => {
    const { id, wallet } = await newDispute(server);
    const answer = await decideDispute(server, id, 'WON');
    expect(answer.json()).toMatchObject({ state: 'WON', decision: 'the papers say so', refunded: 0 });
    expect(answer.json()).not.toHaveProperty('covered');
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 0 });
    expect(await eventsOf(server, wallet)).toHaveLength(1);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('LOST: the amount goes back by a refund that names the original, and the partner is told of that', async () => {
    const { id, partner, wallet } = await newDispute(server);
    const answer = await decideDispute(server, id, 'LOST');
    const refundReference = `DSP-${id}`;
    expect(answer.json()).toMatchObject({ state: 'LOST', refunded: 300, refundReference });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 200, blockedAmount: 0 });
    const { headers } = partner;
    const back = await server.call('GET', `/v2/partner/transaction/${refundReference}`, { headers });
    expect(back.json()).toMatchObject({ Type: 'PARTNER_REFUND', Amount: 300, ExternalReference: 'opening' });
    expect((await eventsOf(server, wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: { Amount: -300, Transaction: { Reference: refundReference, ExternalReference: 'opening' } },
    });
    expect((await auditOf(server, id)).at(-1)).toMatchObject({
      action: 'dispute.decide',
      before: { state: 'OPEN' },
      after: { state: 'LOST', refunded: '30000' },
      reason: 'the papers say so',
    });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it.each(['WON', 'LOST'])('%s again answers as it did, and does no more', async (outcome) => {
    const { id, wallet } = await newDispute(server);
    const first = await decideDispute(server, id, outcome);
    const audited = await auditOf(server, id);
    expect((await decideDispute(server, id, outcome)).json()).toEqual(first.json());
    expect(await auditOf(server, id)).toEqual(audited);
    expect(await amountsOf(wallet)).toEqual({ totalAmount: outcome === 'WON' ? 500 : 200, blockedAmount: 0 });
  });

  it('one that has expired is decided as any other', async () => {
    const { id, wallet } = await newDispute(server);
    await expireDisputes(server.resources, 10, new Date(inDays(server, 8)));
    expect((await decideDispute(server, id, 'LOST')).json()).toMatchObject({
      state: 'LOST',
      refunded: 300,
      expiredAt: expect.any(String),
    });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 200, blockedAmount: 0 });
  });

  it('LOST gives back what is disputed less what was refunded since it was opened, and not less what was before', async () => {
    const { partner, wallet } = await fundedWallet(server, 500);
    await refund(server, partner, 'opening', { reference: 'before', amount: 100 });
    const { id } = (await openDispute(server, partner.id, { amount: 300 })).json();
    await refund(server, partner, 'opening', { reference: 'meanwhile', amount: 60 });
    expect((await decideDispute(server, id, 'LOST')).json()).toMatchObject({ amount: 300, refunded: 240 });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 100, blockedAmount: 0 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('LOST gives nothing back where a partner that agrees has refunded what is disputed of a transaction', async () => {
    const { id, partner, wallet } = await newDispute(server, { amount: 200 });
    await refund(server, partner, 'opening', { reference: 'by-the-partner', amount: 200 });
    expect((await decideDispute(server, id, 'LOST')).json()).toMatchObject({ amount: 200, refunded: 0 });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 300, blockedAmount: 0 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('LOST gives nothing back of what was reversed or refunded as a whole meanwhile: it is lost all the same', async () => {
    for (const undo of [
      (partnerId: string) => reverse(server, 'opening', { partnerId, reference: 'taken-back' }),
      (partnerId: string) =>
        server.operate('POST', '/transactions/opening/refund', { partnerId, reference: 'given-back', reason: 'r' }),
    ]) {
      const { id, partner, wallet } = await newDispute(server);
      await server.operate('POST', `/partners/${partner.id}/float`, { amount: 300, reference: `more-${id}` });
      await moveMoney(server, partner, wallet, 'credit', { amount: 300, reference: 'more' });
      expect((await undo(partner.id)).statusCode).toBe(200);
      const answer = await decideDispute(server, id, 'LOST');
      expect(answer.json()).toMatchObject({ state: 'LOST', refunded: 0 });
      expect(answer.json()).not.toHaveProperty('refundReference');
      expect(await amountsOf(wallet)).toEqual({ totalAmount: 300, blockedAmount: 0 });
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('what is left of a lost one can be disputed again, and so can what was won', async () => {
    const { id, partner } = await newDispute(server);
    await decideDispute(server, id, 'LOST');
    const second = await openDispute(server, partner.id);
    expect(second.json()).toMatchObject({ amount: 200, covered: 200 });
    await decideDispute(server, second.json().id, 'WON');
    const third = await openDispute(server, partner.id);
    expect((await decideDispute(server, third.json().id, 'LOST')).json()).toMatchObject({ refunded: 200 });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('202', () => {
  const careful = useApp({ APPROVAL_ABOVE: '299.99' }, server);

  it.each(['WON', 'LOST'])(
    '%s waits for another operator above APPROVAL_ABOVE, and the money stays until then',
    async (outcome) => {
      const { id, wallet } = await newDispute(server);
      const asked = await decideDispute(careful, id, outcome);
      expect(asked.statusCode).toBe(202);
      expect(await disputeNow(server, id)).toMatchObject({ state: 'OPEN' });
      expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 300 });
      const { token } = await newOperator(server, 'finance');
      const url = `/operator/v1/approvals/${asked.json().id}/approve`;
      const agreed = await careful.call('POST', url, { headers: { authorization: `Bearer ${token}` }, payload: {} });
      expect(agreed.statusCode).toBe(200);
      expect(await disputeNow(server, id)).toMatchObject({ state: outcome });
      expect((await decideDispute(careful, id, outcome)).statusCode).toBe(200);
    },
  );
});

describe('422', () => {
  it('LOST where the wallet does not hold the amount: the dispute and its lien stay, until it is there again', async () => {
    const { id, wallet } = await newDispute(server, { amount: 500 });
    const { id: lien } = (await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 1, reason: 'r' })).json();
    expect(refusalOf(await decideDispute(server, id, 'LOST'))).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await disputeNow(server, id)).toMatchObject({ state: 'OPEN' });
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 500 });
    await server.operate('POST', `/wallets/${wallet}/liens/${lien}/lift`, { reason: 'r' });
    expect((await decideDispute(server, id, 'LOST')).json()).toMatchObject({ refunded: 500 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it.each([
    ['PND', 'WALLET_PND'],
    ['Blocked', 'WALLET_BLOCKED'],
  ])('LOST of a wallet that is %s, which can be won', async (status, code) => {
    const { id, wallet } = await newDispute(server);
    await changeWallet(server, wallet, { status });
    expect(refusalOf(await decideDispute(server, id, 'LOST'))).toEqual([422, code]);
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 300 });
    expect((await decideDispute(server, id, 'WON')).statusCode).toBe(200);
    expect(await amountsOf(wallet)).toEqual({ totalAmount: 500, blockedAmount: 0 });
  });
});
