import { goodImport, newImport } from '../support/bank-files.ts';
import { inDays, newDispute } from '../support/disputes.ts';
import { unknownPayment } from '../support/inbound.ts';
import { unknownPayout } from '../support/payouts.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';
import type { OperatorChanges } from './operator-changes.ts';

const REASON = { reason: 'a complaint' };

/** What operators change of payouts and disputes, of what providers told us, and of files of banks. */
export const changesOfRails: OperatorChanges = {
  'POST /rails/{provider}/compare': async () => ({
    url: '/rails/simulator/compare',
    body: { date: '2026-01-31' },
    action: 'rail.compare',
    target: 'simulator',
  }),
  'POST /inbox/{id}/retry': async (server) => {
    const id = await unknownPayment(server);
    return { url: `/inbox/${id}/retry`, body: {}, action: 'inbox.retry', target: id, secrets: ['9000000000'] };
  },
  'POST /inbox/{id}/credit': async (server) => {
    const id = await unknownPayment(server);
    const { reference: walletReference } = await newWallet(server, await server.newPartner());
    const url = `/inbox/${id}/credit`;
    const body = { walletReference, ...REASON };
    const besides = ['payment.report'];
    return { url, body, action: 'inbox.credit', target: id, besides, secrets: ['9000000000'] };
  },
  'POST /inbox/{id}/dismiss': async (server) => {
    const id = await unknownPayment(server);
    return { url: `/inbox/${id}/dismiss`, body: REASON, action: 'inbox.dismiss', target: id, secrets: ['9000000000'] };
  },
  'POST /payouts/{id}/correct': async (server) => {
    const { id } = await unknownPayout(server);
    const body = { account: 'DIFFERENCE', ...REASON };
    return { url: `/payouts/${id}/correct`, body, action: 'approval.request', secrets: ['0123456789'] };
  },
  'POST /payouts/{id}/verify': async (server) => {
    const { id } = await unknownPayout(server);
    return { url: `/payouts/${id}/verify`, body: {}, action: 'payout.verify', target: id, secrets: ['0123456789'] };
  },
  'POST /disputes': async (server) => {
    const { partner } = await fundedWallet(server, 5);
    const evidence = [{ text: 'a letter of Ngozi Umeh' }];
    const about = { partnerId: partner.id, transactionReference: 'opening' };
    return {
      url: '/disputes',
      body: { ...REASON, ...about, evidence, respondBy: inDays(server, 7) },
      action: 'dispute.open',
      besides: ['wallet.lien.place'],
      secrets: ['Ngozi'],
    };
  },
  'POST /disputes/{id}/evidence': async (server) => {
    const { id } = await newDispute(server);
    const body = { text: 'Ngozi Umeh called' };
    return { url: `/disputes/${id}/evidence`, body, action: 'dispute.evidence', target: id, secrets: ['Ngozi'] };
  },
  'POST /disputes/{id}/decide': async (server) => {
    const { id } = await newDispute(server);
    return {
      url: `/disputes/${id}/decide`,
      body: { ...REASON, outcome: 'LOST' },
      action: 'dispute.decide',
      target: id,
      besides: ['wallet.lien.lift', 'transaction.refund'],
    };
  },
  'POST /reconciliation/imports': async (_server, unique) => ({
    url: '/reconciliation/imports',
    body: goodImport(unique),
    action: 'reconciliation.import',
    secrets: [unique],
  }),
  'POST /payouts/{id}/mark': async (server) => {
    const { id } = await unknownPayout(server);
    const body = { outcome: 'FAILED', ...REASON };
    return { url: `/payouts/${id}/mark`, body, action: 'approval.request', secrets: ['0123456789'] };
  },
  'POST /reconciliation/items/{id}/resolve': async (server) => {
    const { item } = await newImport(server, 'from Babatunde Fashola');
    return {
      url: `/reconciliation/items/${item}/resolve`,
      body: { ...REASON, action: 'POST', account: 'DIFFERENCE' },
      action: 'reconciliation.resolve',
      target: item,
      secrets: ['Fashola'],
    };
  },
};
