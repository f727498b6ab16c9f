import { expect, it } from 'vitest';
import { carryPayouts } from '#modules/payouts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { callEndpoints, newEndpoint } from '../../support/deliveries.ts';
import { ACCOUNT, scriptedProvider } from '../../support/payouts.ts';
import { changeWallet, fundedWallet, loggedIn } from '../../support/wallets.ts';

const server = useApp({ FEE_PAYOUT: '10' });
const OF_PAYOUTS = ['payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed'];

/** What was told of payouts to the endpoints of a partner, in order, and whether it can be sent now. */
async function told({ id }: TestPartner) {
  const { rows } = await server.owner.query<{ to: string; due: boolean; body: string }>(
    `select d.receiver_id as to, d.due_at is not null as due, e.body
      from webhooks.delivery d join outbox.event e on e.id = d.event_id
      join outbox.receiver r on r.id = d.receiver_id
      join outbox.receiver o on o.id = coalesce(r.default_id, r.id)
      where o.owner_id = $1 and e.event like 'payout.%' order by d.id`,
    [id],
  );
  return rows.map(({ to, due, body }) => ({ to, due, ...JSON.parse(body) }));
}

const payOut = (partner: TestPartner, wallet: string, payload: object) =>
  server.call('POST', `/v2/partner/wallet/${wallet}/payout`, {
    headers: partner.headers,
    payload: { ...ACCOUNT, ...payload },
  });

async function carry(provider = server.resources.payoutProvider): Promise<void> {
  server.clock.advance(60_000);
  await carryPayouts({ ...server.resources, payoutProvider: provider });
}

it('endpoints that name the events are told what becomes of a payout, and no others', async () => {
  const { partner, wallet } = await fundedWallet(server, 1_000);
  const to = await newEndpoint(server, partner, { events: OF_PAYOUTS });
  await newEndpoint(server, partner, { events: ['wallet.debited'] });
  await newEndpoint(server, partner);
  await payOut(partner, wallet, { amount: 100.01, reference: 'refused', comment: 'Invoice 17' });
  await carry();
  const transaction = { Amount: 100.01, Fee: 10, Reference: 'refused', ExternalReference: '', Comment: 'Invoice 17' };
  const about = { Wallet: wallet, BankName: expect.any(String), SentAt: expect.any(String) };
  expect(await told(partner)).toMatchObject([
    {
      to,
      event: 'payout.sent',
      reference: 'refused',
      data: { ...about, FailureReason: '', Transaction: { ...transaction, Status: 'Pending' } },
    },
    {
      to,
      event: 'payout.failed',
      reference: 'refused',
      data: { ...about, FailureReason: 'PAYOUT_REFUSED', Transaction: { ...transaction, Status: 'Failed' } },
    },
  ]);
  expect(JSON.stringify(await told(partner))).not.toContain(ACCOUNT.accountNumber);
  const read = await server.call('GET', '/v2/partner/transaction/refused', { headers: partner.headers });
  expect(read.json()).toMatchObject({ Status: 'Failed', FailureReason: 'PAYOUT_REFUSED' });
  expect(await brokenInvariants(server)).toEqual([]);
});

it.each([
  ['paid', { sends: ['SUCCESSFUL'] }, ['payout.sent', 'payout.successful']],
  ['refused', { sends: ['FAILED'] }, ['payout.sent', 'payout.failed']],
  ['of unknown end, then paid', { sends: ['UNKNOWN'], verifies: ['SUCCESSFUL'] }, ['payout.sent', 'payout.successful']],
  ['of unknown end, then refused', { sends: ['UNKNOWN'], verifies: ['FAILED'] }, ['payout.sent', 'payout.failed']],
  [
    'sent back before it was known to be paid',
    { sends: ['PENDING'], verifies: ['REVERSED'] },
    ['payout.sent', 'payout.successful', 'payout.reversed'],
  ],
  [
    'sent back after it was paid',
    { sends: ['SUCCESSFUL'], verifies: ['REVERSED'], recheckAfterMs: 1 },
    ['payout.sent', 'payout.successful', 'payout.reversed'],
  ],
  ['not reached at first', { sends: ['NOT_SENT'] }, ['payout.sent', 'payout.sent', 'payout.successful']],
] as const)('of one that is %s: each once', async (_what, { sends, ...script }, events) => {
  const { partner, wallet } = await fundedWallet(server, 1_000);
  await newEndpoint(server, partner, { events: OF_PAYOUTS });
  const verifies = 'verifies' in script ? [...script.verifies] : [];
  const { provider } = scriptedProvider({ ...script, sends: [...sends], verifies });
  await payOut(partner, wallet, { amount: 100, reference: 'one' });
  for (let run = 0; run < 4; run++) await carry(provider);
  expect((await told(partner)).map(({ event }) => event)).toEqual(events);
});

it('of one that was never sent: that it failed, and why', async () => {
  const { partner, wallet } = await fundedWallet(server, 1_000);
  await newEndpoint(server, partner, { events: OF_PAYOUTS });
  await payOut(partner, wallet, { amount: 100, reference: 'frozen' });
  await changeWallet(server, wallet, { status: 'PND' });
  await carry();
  const [only, ...others] = await told(partner);
  expect(only).toMatchObject({ event: 'payout.failed', data: { FailureReason: 'WALLET_PND' } });
  expect(only?.data).not.toHaveProperty('SentAt');
  expect(others).toEqual([]);
});

it('of a customer’s payout their own reference is told beside ours, at the wallet’s partner', async () => {
  const partner = await server.newPartner({ float: 1_000 });
  const ada = await loggedIn(server, partner, 1_000);
  await newEndpoint(server, partner, { events: ['payout.successful'] });
  const { headers } = ada;
  await server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload: ACCOUNT });
  const ordered = await server.call('POST', '/v2/sso/payout', { headers, payload: { amount: 100, reference: 'rent' } });
  await carry();
  const { Reference } = ordered.json<{ Reference: string }>();
  expect(await told(partner)).toMatchObject([
    { reference: Reference, data: { Wallet: ada.wallet, Transaction: { Reference, ExternalReference: 'rent' } } },
  ]);
});

it('what is told while an endpoint has no URL is kept, and sent once it has one', async () => {
  const { partner, wallet } = await fundedWallet(server, 1_000);
  const [byDefault] = (await callEndpoints(server, partner, 'GET')).json().items;
  await callEndpoints(server, partner, 'PATCH', `/${byDefault?.id}`, { events: ['wallet.debited', 'payout.failed'] });
  await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload: { url: null } });
  await payOut(partner, wallet, { amount: 100.01, reference: 'refused' });
  await carry();
  expect(await told(partner)).toMatchObject([{ to: byDefault?.id, event: 'payout.failed' }]);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('an endpoint that is paused is told once it is resumed', async () => {
  const { partner, wallet } = await fundedWallet(server, 1_000);
  const endpoint = await newEndpoint(server, partner, { events: ['payout.failed'] });
  await callEndpoints(server, partner, 'POST', `/${endpoint}/pause`, { reason: 'repairs' });
  await payOut(partner, wallet, { amount: 100.01, reference: 'refused' });
  await carry();
  expect(await told(partner)).toMatchObject([{ to: endpoint, event: 'payout.failed', due: false }]);
  expect(await brokenInvariants(server)).toEqual([]);
});
