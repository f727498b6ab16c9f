import { expireDisputes } from '../../src/modules/disputes/index.ts';
import { businessDay } from '../../src/modules/ledger/index.ts';
import { expireTransactions } from '../../src/modules/offers/index.ts';
import { correctPayout, sendPayouts } from '../../src/modules/payouts/index.ts';
import { maintain } from '../../src/worker/maintenance.ts';
import { type Answer, startApp, type TestApp, type TestPartner } from './app.ts';
import { importOf } from './bank-files.ts';
import { callEndpoints, endAll } from './deliveries.ts';
import { decideDispute, inDays, openDispute } from './disputes.ts';
import { ACCOUNT } from './payouts.ts';
import { decide, initiate, newSide, offer, shortOffer } from './switch.ts';
import { newSplit, newTerminal, payAt } from './terminals.ts';
import {
  changeWallet,
  kycWallet,
  loggedIn,
  moveMoney,
  newWallet,
  pay,
  paymentsOf,
  refund,
  resolve,
  reverse,
  waitingPayment,
} from './wallets.ts';

const CHARGES = {
  FEE_PARTNER_WALLET_CREDIT: '1',
  FEE_PARTNER_WALLET_DEBIT: '2',
  FEE_TRANSFER: '1%+5',
  FEE_PARTNER_GATEWAY: '1.5%',
  FEE_PARTNER_TERMINAL: '0.5%',
  FEE_COMMISSION: '0.2%',
  FEE_STAMP_DUTY: '50>=1000',
  FEE_SWITCH: '1%',
};
const DAY_MS = 24 * 60 * 60 * 1000;

/** What must have been done, so that nothing is missing from the books without anybody noticing. */
const done = async (answer: Promise<Answer>): Promise<Answer> => {
  const given = await answer;
  if (given.statusCode >= 300) throw new Error(`${given.statusCode} ${given.body}`);
  return given;
};

/** Fills a migrated database, by the operations of a server, with everything that can happen to money, and what follows from it. */
export async function fillRichBooks(databaseUrl: string): Promise<void> {
  const server = await startApp(databaseUrl, CHARGES);
  try {
    await payouts(server);
    await collections(server);
    await doneByTheOperator(server);
    await reconciled(server);
    await disputes(server);
    await partnersAndWallets(server);
    await paymentsAndSplits(server);
    await offersBetweenTags(server);
    await deliveries(server);
    await maintain(server.resources);
    const { partner, ada } = await customers(server); // after everything else, so that some movements wait for both kinds of upkeep
    await done(moveMoney(server, partner, ada, 'credit', { amount: 3, reference: 'last' }));
  } finally {
    await server.close();
  }
}

/** One payment that a provider collected. */
async function collections(server: TestApp): Promise<void> {
  const partner = await server.newPartner();
  const wallet = await kycWallet(server, partner);
  const url = `/v2/partner/wallet/${wallet}/account`;
  const account = await done(server.call('POST', url, { headers: partner.headers }));
  const payload = { nuban: account.json().AccountNumber, amount: 40, reference: 'collected', sender: { name: 'Ada' } };
  await done(server.call('POST', '/v2/sandbox/payment/inbound', { headers: partner.headers, payload }));
}

/** One that has left, one that failed and was paid all the same, and one that is on its way: they leave little in their wallet. */
async function payouts(server: TestApp): Promise<void> {
  const partner = await server.newPartner({ float: 701 });
  await told(server, partner, ['payout.sent', 'payout.successful', 'payout.failed']);
  const wallet = await kycWallet(server, partner);
  await done(moveMoney(server, partner, wallet, 'credit', { amount: 700, reference: 'to-pay-out' }));
  for (const [reference, amount] of Object.entries({ left: 300, failed: 1.01, leaves: 300 })) {
    const payload = { amount, reference, ...ACCOUNT };
    await done(server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers: partner.headers, payload }));
    if (reference !== 'leaves') await sendPayouts(server.resources);
  }
  const { items } = (await done(server.operate('GET', '/payouts?state=FAILED'))).json<{ items: { id: string }[] }>();
  const corrected = { account: 'WALLET', actor: 'two operators', reason: 'the bank says so' } as const;
  await correctPayout(server.resources, { id: String(items[0]?.id), ...corrected });
}

/** Has a partner told of what is told to those alone that name it. */
const told = (server: TestApp, partner: TestPartner, events: string[]): Promise<Answer> =>
  done(callEndpoints(server, partner, 'POST', '', { url: 'http://127.0.0.1:9/told', events }));

/** A file with a line that is matched, and one whose difference was posted. */
async function reconciled(server: TestApp): Promise<void> {
  const { nuban } = await newWallet(server, await server.newPartner());
  await done(paymentsOf(server).inbound(nuban, { amount: 640, reference: 'at-the-bank' }));
  const day = businessDay(new Date());
  const lines = [
    { day, amount: 64_000n, reference: 'at-the-bank' },
    { day, amount: -5_000n, reference: 'charge' },
  ];
  const { id } = (
    await done(server.operate('POST', '/reconciliation/imports', importOf('INBOUND', 'MT940', lines)))
  ).json();
  const { items } = (await server.operate('GET', `/reconciliation/items?importId=${id}&status=THEIRS_ALONE`)).json();
  const posted = { action: 'POST', account: 'FEE', reason: 'charge of the bank' };
  await done(server.operate('POST', `/reconciliation/items/${items[0].id}/resolve`, posted));
}

/** One of each state. */
async function disputes(server: TestApp): Promise<void> {
  const partner = await server.newPartner({ float: 1_000 });
  await told(server, partner, ['dispute.opened', 'dispute.expired', 'dispute.decided']);
  const wallet = await kycWallet(server, partner);
  for (const state of ['WON', 'LOST', 'OPEN', 'EXPIRED']) {
    const reference = `disputed-${state}`;
    await done(moveMoney(server, partner, wallet, 'credit', { amount: 200, reference }));
    const respondBy = inDays(server, state === 'EXPIRED' ? 1 : 7);
    const given = { amount: 150, transactionReference: reference, evidence: [{ text: 'a letter' }], respondBy };
    const { id } = (await done(openDispute(server, partner.id, given))).json();
    if (state === 'WON' || state === 'LOST') await done(decideDispute(server, id, state));
  }
  await expireDisputes(server.resources, 10, new Date(inDays(server, 2)));
}

async function customers(server: TestApp) {
  const partner = await server.newPartner({ float: 50_000, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const other = await server.newPartner({ float: 50_000 });
  const [ada, bola] = [await loggedIn(server, partner, 9_000), await loggedIn(server, other, 500)];
  const transfer = await done(
    pay(server, ada, { paytag: bola.paytag, amount: 1_200, reference: 'rent', comment: 'June' }),
  );
  await done(pay(server, bola, { paytag: ada.paytag, amount: 20, reference: 'lunch' }));
  const { Reference: original } = transfer.json<{ Reference: string }>();
  const given = { partnerId: partner.id, reference: `back-${partner.id}`, amount: 100, reason: 'a complaint' };
  await done(server.operate('POST', `/transactions/${original}/refund`, given));
  await pay(server, bola, { paytag: ada.paytag, amount: 9_999_999, reference: 'too-much' });
  return { partner, ada: ada.wallet };
}

async function doneByTheOperator(server: TestApp): Promise<void> {
  const partner = await server.newPartner({ float: 5_000 });
  const { id: partnerId } = partner;
  const { gateway, inbound } = paymentsOf(server);
  const target = await newWallet(server, partner);
  await done(changeWallet(server, target.reference, { tier: 2 }));
  await done(gateway(partner, { amount: 900, reference: 'mistaken' }));
  await done(reverse(server, 'mistaken', { partnerId, reference: 'taken-back' }));
  await done(inbound(target.nuban, { amount: 1_300, reference: 'kept' }));
  for (const resolution of [
    { to: 'wallet', walletReference: target.reference },
    { to: 'float' },
    { to: 'return', reference: 'sent-back' },
  ]) {
    await done(resolve(server, (await waitingPayment(server, partner)).id, resolution));
  }
  const march = { account: 'FEE', amount: 2, reference: 'march', reason: 'paid out' };
  await done(gateway(partner, { amount: 900 }));
  await done(server.operate('POST', '/remittances', march));
}

async function partnersAndWallets(server: TestApp): Promise<void> {
  const partner = await server.newPartner({ float: 20_000, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const settled = { amount: 500, reference: 'out', reason: 'paid out' };
  await done(server.operate('POST', `/partners/${partner.id}/settlement`, settled));
  const wallet = await kycWallet(server, partner);
  const move = (direction: 'credit' | 'debit', amount: number, reference: string, more: object = {}) =>
    done(moveMoney(server, partner, wallet, direction, { amount, reference, ...more }));
  await move('credit', 4_000, 'salary', { comment: 'Juné', externalReference: 'hr-7', metadata: { month: 6 } });
  for (const reference of ['rent', 'food', 'fuel']) await move('debit', 300, reference);
  await done(refund(server, partner, 'rent', { reference: 'rent-back' }));
  await done(refund(server, partner, 'food', { reference: 'food-back', amount: 100 }));
  await moveMoney(server, partner, wallet, 'debit', { amount: 1_000_000, reference: 'too-much' });

  await done(changeWallet(server, wallet, { status: 'PNC' }));
  await done(refund(server, partner, 'fuel', { reference: 'fuel-back', amount: 200 }));
  await done(changeWallet(server, wallet, { status: 'Enabled', dailyLimit: 750, tier: 2 }));
  const parked = await kycWallet(server, partner);
  await done(moveMoney(server, partner, parked, 'credit', { amount: 700, reference: 'in' }));
  await done(moveMoney(server, partner, parked, 'debit', { amount: 600, reference: 'out-again' }));
  await done(changeWallet(server, parked, { status: 'PNC' }));
  await done(refund(server, partner, 'out-again', { reference: 'waits' }));

  const lien = (amount: number) =>
    done(server.operate('POST', `/wallets/${wallet}/liens`, { amount, reason: 'court order' }));
  const { id } = (await lien(30)).json<{ id: number }>();
  await lien(40);
  await done(server.operate('POST', `/wallets/${wallet}/liens/${id}/lift`, { reason: 'court order' }));
  const revoked = await kycWallet(server, partner);
  await done(server.operate('POST', `/wallets/${revoked}/revoke`, { reason: 'opened by mistake' }));
  for (const currency of ['NGN', 'NGN', 'FP']) await kycWallet(server, partner, currency);
}

async function paymentsAndSplits(server: TestApp): Promise<void> {
  const partner = await server.newPartner({ float: 1_000 });
  const { gateway, atTerminal, inbound } = paymentsOf(server);
  const opened = await done(
    server.call('POST', '/v2/partner/wallet', {
      headers: partner.headers,
      payload: { kyc: { firstName: 'Chidi', lastName: 'Okafor' } },
    }),
  );
  const { Reference: wallet, Wallet } = opened.json<{ Reference: string; Wallet: { Nuban: string } }>();
  await done(gateway(partner, { amount: 1_000, comment: 'order 1' }));
  await done(gateway(partner, { amount: 2_000, walletReference: wallet }));
  await done(inbound(Wallet.Nuban, { amount: 5_000 }));
  const terminal = await newTerminal(server, partner, { merchant: 'Mama Put' });
  await done(atTerminal(terminal, { amount: 800 }));
  const [half, whole] = [await newSplit(server, terminal, 100), await newSplit(server, terminal, 60)];
  await newSplit(server, terminal, 70);
  await done(payAt(server, terminal, { amount: 40, split: half }));
  for (const amount of [20, 40, 7]) await done(payAt(server, terminal, { amount, split: whole }));

  await done(changeWallet(server, wallet, { status: 'PNC' }));
  await done(gateway(partner, { amount: 3_000, walletReference: wallet, reference: 'settles' }));
  await done(inbound(Wallet.Nuban, { amount: 1_100 }));
  await done(changeWallet(server, wallet, { status: 'Enabled' }));
  await done(changeWallet(server, wallet, { status: 'PND' }));
  await moveMoney(server, partner, wallet, 'debit', { amount: 1, reference: 'not-now' });
  await done(inbound(Wallet.Nuban, { amount: 70 }));
  await done(changeWallet(server, wallet, { status: 'Blocked' }));
  await done(gateway(partner, { amount: 90, walletReference: wallet }));
}

async function offersBetweenTags(server: TestApp): Promise<void> {
  const acme = await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/acme' });
  const market = await newSide(server, 'Market');
  for (const verb of ['accept', 'reject'] as const) {
    const { id } = await offer(server, acme, market, { narration: `to ${verb}` });
    await done(decide(server, market, id, verb));
  }
  await done(decide(server, acme, (await offer(server, acme, market)).id, 'cancel'));
  await shortOffer(server, acme, market);
  await offer(server, market, acme, { reference: 'waits' });
  await initiate(server, acme, { receiverTag: market.tag, amount: 99_000_000, reference: 'too-much' });
  const { partner } = await customers(server);
  const payee = await loggedIn(server, partner);
  await done(initiate(server, acme, { receiverTag: payee.paytag, amount: 1_500 }));
  const funding = { amount: 250, currency: 'NGN', reference: 'funds', reason: 'received' };
  await done(server.operate('POST', `/applications/${acme.applicationId}/fund`, funding));
  const settled = { ...funding, amount: 50, reference: 'paid-out' };
  await done(server.operate('POST', `/applications/${acme.applicationId}/settlement`, settled));
  const later = new Date(server.clock.now().getTime() + DAY_MS / 24);
  await expireTransactions(server.resources, 10, later); // last, since what moves there next is dated no earlier
}

/** Some are delivered, some have failed, and what is written after this waits. */
async function deliveries({ resources: { pool } }: TestApp): Promise<void> {
  await endAll(pool, null, 10);
  await endAll(pool, 'status 503', 6);
}
