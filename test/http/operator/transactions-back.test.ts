import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { brokenInvariants, eventsOf, leavesNothingBut } from '../../support/books.ts';
import { auditOf, byRoot } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import {
  bookOf,
  changeWallet,
  fundedWallet,
  loggedIn,
  moveMoney,
  newWallet,
  pay,
  paymentsOf,
  refund,
  resolve,
  reverse,
  waitingPayment,
} from '../../support/wallets.ts';

const server = useApp({ FEE_TRANSFER: '10', FEE_PARTNER_GATEWAY: '1%' });

describe('POST /transactions/{reference}/refund', () => {
  const refundOf = (original: string, body: object) =>
    server.operate('POST', `/transactions/${encodeURIComponent(original)}/refund`, { reason: 'complaint 3', ...body });

  it('gives a transfer back to its sender, without the fee, and is audited', async () => {
    const [here, there] = [await server.newPartner({ float: 500 }), await server.newPartner()];
    const [ada, bola] = [await loggedIn(server, here, 500), await loggedIn(server, there)];
    const sent = await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'wrong-person' });
    const { Reference } = sent.json<{ Reference: string }>();
    const answer = await refundOf(Reference, { partnerId: here.id, reference: `back-${here.id}` });
    expect(answer.json()).toMatchObject({
      Type: 'PARTNER_REFUND',
      Amount: 100,
      Status: 'Successful',
      ExternalReference: Reference,
      OpeningBalance: 390,
      ClosingBalance: 490,
    });
    expect((await eventsOf(server, bola.wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: { Amount: -100, Transaction: { Reference: `back-${here.id}`, ExternalReference: Reference } },
    });
    expect(await auditOf(server, Reference)).toEqual([
      byRoot('transaction.refund', {
        after: { partnerId: here.id, amount: '10000', reference: `back-${here.id}`, status: 'Successful' },
        reason: 'complaint 3',
      }),
    ]);
    const again = await refundOf(Reference, { partnerId: here.id, reference: `back-${here.id}` });
    expect(again.json()).toEqual(answer.json());
    expect(await auditOf(server, Reference)).toHaveLength(1);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a reference that the partner has used itself is still the operator’s own', async () => {
    const { partner } = await fundedWallet(server, 100);
    const answer = await refundOf('opening', { partnerId: partner.id, reference: 'opening', amount: 40 });
    expect(answer.json()).toMatchObject({ Type: 'PARTNER_REFUND', Amount: 40, ClosingBalance: 60 });
  });

  it('422: more than is left leaves nothing but the declined reference', async () => {
    const { partner } = await fundedWallet(server, 100);
    const body = { partnerId: partner.id, reference: `over-${partner.id}`, amount: 100.01 };
    expect(refusalOf(await leavesNothingBut(server, 1, () => refundOf('opening', body)))).toEqual([
      422,
      'REFUND_EXCEEDS',
    ]);
  });
});

describe('POST /transactions/{reference}/reverse', () => {
  const { gateway, inbound } = paymentsOf(server);

  it('a transfer, with its fee: both wallets stand as before, see it in their history, and are told', async () => {
    const [here, there] = [await server.newPartner({ float: 500 }), await server.newPartner()];
    const [ada, bola] = [await loggedIn(server, here, 500), await loggedIn(server, there)];
    const sent = (await pay(server, ada, { paytag: bola.paytag, amount: 100, reference: 'wrong' })).json();
    const body = { partnerId: here.id, reference: `undo-${here.id}` };
    const answer = await reverse(server, sent.Reference, body);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({
        Type: 'REVERSAL',
        Amount: 110,
        Fee: 0,
        Net: 110,
        Status: 'Successful',
        Reference: body.reference,
        ExternalReference: sent.Reference,
        OpeningBalance: 390,
        ClosingBalance: 500,
      }),
    ]);
    const Transaction = { Fee: 0, Reference: body.reference, ExternalReference: sent.Reference };
    expect((await eventsOf(server, ada.wallet)).at(-1)).toMatchObject({
      event: 'wallet.credited',
      data: { Amount: 110, ClosingBalance: 500, Transaction: { ...Transaction, Amount: 110 } },
    });
    expect((await eventsOf(server, bola.wallet)).at(-1)).toMatchObject({
      event: 'wallet.debited',
      data: { Amount: -100, ClosingBalance: 0, Transaction: { ...Transaction, Amount: 100 } },
    });
    const history = await server.call('GET', '/v2/sso/transaction?limit=1', { headers: bola.headers });
    expect(history.json().items).toMatchObject([{ Type: 'REVERSAL', Amount: 100, ClosingBalance: 0 }]);
    expect(await auditOf(server, sent.Reference)).toEqual([
      byRoot('transaction.reverse', {
        before: { status: 'Successful' },
        after: { type: 'TRANSFER', amount: '10000', currency: 'NGN', reference: body.reference, status: 'Successful' },
        reason: 'a mistake',
      }),
    ]);
    expect((await reverse(server, sent.Reference, body)).json()).toEqual(answer.json());
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('what funded a float or an application, and what a rail reported, back to where it came from', async () => {
    const partner = await server.newPartner({ float: 70 });
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 30, reference: 'twice' });
    await gateway(partner, { amount: 100, reference: 'g1' });
    for (const original of ['twice', 'g1']) {
      const body = { partnerId: partner.id, reference: `undo-${original}` };
      expect((await reverse(server, original, body)).json()).toMatchObject({ Type: 'REVERSAL', Status: 'Successful' });
    }
    expect(await bookOf(server, 'FLOAT', partner.id)).toMatchObject({ kobo: 7_000 });
    const { applicationId, headers } = await newApplication(server);
    await server.operate('POST', `/applications/${applicationId}/fund`, { amount: 5, reference: 'fund' });
    expect((await reverse(server, 'fund', { applicationId, reference: 'unfund' })).statusCode).toBe(200);
    const wallet = await server.call('GET', '/api/v1/wallet', { headers });
    expect(wallet.json()).toMatchObject({ data: { availableAmount: 1_000_000 } });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a wallet that takes nothing in gets its money later, in suspense meanwhile', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'rent' });
    await changeWallet(server, wallet, { status: 'PNC' });
    const answer = await reverse(server, 'rent', { partnerId: partner.id, reference: 'rent-undone' });
    expect(answer.json()).toMatchObject({ Status: 'Pending', PendingReason: 'WALLET_PNC' });
    expect(await brokenInvariants(server)).toEqual([]);
    await changeWallet(server, wallet, { status: 'Enabled' });
    expect(await bookOf(server, 'WALLET', wallet)).toMatchObject({ kobo: 10_000 });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a repeated one answers as it did, though its original is no longer the only one of its reference', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    const body = { partnerId: partner.id, reference: 'undo' };
    await moveMoney(server, partner, wallet, 'debit', { amount: 4, reference: 'shared' });
    const first = await reverse(server, 'shared', body);
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 3, reference: 'shared' });
    const again = await reverse(server, 'shared', body);
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
  });

  it('a reversal is reversed by its own reference', async () => {
    const { partner, wallet } = await fundedWallet(server, 100);
    const of = { partnerId: partner.id };
    expect((await reverse(server, 'opening', { ...of, reference: 'undo' })).statusCode).toBe(200);
    expect((await reverse(server, 'undo', { ...of, reference: 'redo' })).statusCode).toBe(200);
    expect(await bookOf(server, 'WALLET', wallet)).toEqual({ kobo: 10_000, entries: 3 });
  });

  it('400: a reference of several transactions, until one is named by its id', async () => {
    const { partner } = await fundedWallet(server, 10);
    await server.operate('POST', `/partners/${partner.id}/float`, { amount: 3, reference: 'opening' });
    const body = { partnerId: partner.id, reference: 'undo' };
    const several = await reverse(server, 'opening', body);
    expect([several.statusCode, several.json().errors[0]]).toEqual([400, expect.stringMatching(/^id: .* \d+, \d+$/)]);
    const { headers } = partner;
    const { ID: id } = (await server.call('GET', '/v2/partner/transaction/opening', { headers })).json();
    expect((await reverse(server, 'opening', { ...body, id })).json()).toMatchObject({ Amount: 10 });
  });

  it('409: a reference that stands for another reversal', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    await moveMoney(server, partner, wallet, 'debit', { amount: 4, reference: 'rent' });
    const body = { partnerId: partner.id, reference: 'undo' };
    expect((await reverse(server, 'rent', body)).statusCode).toBe(200);
    expect(refusalOf(await reverse(server, 'opening', body))).toEqual([409, 'REFERENCE_REUSED']);
  });

  it('422: what was refunded, even in part, reversed before, or declined', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    const undo = (original: string, reference: string) =>
      reverse(server, original, { partnerId: partner.id, reference });
    await moveMoney(server, partner, wallet, 'debit', { amount: 4, reference: 'rent' });
    await refund(server, partner, 'rent', { reference: 'rent-back', amount: 1 });
    await moveMoney(server, partner, wallet, 'debit', { amount: 400, reference: 'declined' });
    await inbound((await newWallet(server, partner)).nuban);
    expect(refusalOf(await undo('rent', 'a'))).toEqual([422, 'TRANSACTION_NOT_REVERSIBLE']);
    expect(refusalOf(await undo('declined', 'b'))).toEqual([422, 'TRANSACTION_NOT_REVERSIBLE']);
    await undo('rent-back', 'c');
    expect(refusalOf(await undo('rent-back', 'd'))).toEqual([422, 'TRANSACTION_NOT_REVERSIBLE']);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('422: the reversal of what waited in suspense: put back there, nobody would wait for it', async () => {
    const partner = await server.newPartner();
    const [returned, undone] = [await waitingPayment(server, partner), await waitingPayment(server, partner)];
    const of = { partnerId: partner.id };
    await resolve(server, returned.id, { to: 'return', reference: 'returned' });
    await reverse(server, undone.reference, { ...of, reference: 'undone' });
    for (const original of ['returned', 'undone']) {
      const answer = await reverse(server, original, { ...of, reference: `${original}-again` });
      expect(refusalOf(answer)).toEqual([422, 'TRANSACTION_NOT_REVERSIBLE']);
    }
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('422: where the money is not there any more: nothing is left but the declined reference', async () => {
    const { partner, wallet } = await fundedWallet(server, 10);
    await moveMoney(server, partner, wallet, 'debit', { amount: 4, reference: 'rent' });
    const body = { partnerId: partner.id, reference: 'undo' };
    const answer = await leavesNothingBut(server, 1, () => reverse(server, 'opening', body));
    expect(refusalOf(answer)).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});
