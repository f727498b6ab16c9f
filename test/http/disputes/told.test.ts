import { expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';
import { callEndpoints, newEndpoint } from '../../support/deliveries.ts';
import { decideDispute, disputeNow, newDispute, openDispute, walletNow } from '../../support/disputes.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();
const OF_DISPUTES = ['dispute.opened', 'dispute.expired', 'dispute.decided'];
const WEEK_MS = 7 * 86_400_000;

/** What was told of disputes to the endpoints of a partner, in order, and whether it can be sent now. */
async function told({ id }: TestPartner) {
  const { rows } = await server.owner.query<{ to: string; due: boolean; body: string }>(
    `select d.receiver_id as to, d.due_at is not null as due, e.body
      from webhooks.delivery d join outbox.event e on e.id = d.event_id
      join outbox.receiver r on r.id = d.receiver_id
      join outbox.receiver o on o.id = coalesce(r.default_id, r.id)
      where o.owner_id = $1 and e.event like 'dispute.%' order by d.id`,
    [id],
  );
  return rows.map(({ to, due, body }) => ({ to, due, ...JSON.parse(body) }));
}

it('endpoints that name the events are told what becomes of a dispute, and no others, and none of what was said', async () => {
  const { partner, wallet } = await fundedWallet(server, 500);
  const to = await newEndpoint(server, partner, { events: OF_DISPUTES });
  await newEndpoint(server, partner, { events: ['wallet.debited'] });
  await newEndpoint(server, partner);
  await server.call('PUT', '/v2/partner/webhook', {
    headers: partner.headers,
    payload: { url: 'http://127.0.0.1:9/' },
  });
  const { id } = (await openDispute(server, partner.id, { amount: 300, evidence: [{ text: 'Ngozi wrote' }] })).json();
  server.clock.advance(WEEK_MS);
  await maintain(server.resources);
  await decideDispute(server, id, 'LOST');

  const events = await told(partner);
  const about = { ID: id, TransactionReference: 'opening', Wallet: wallet, Amount: 300, Currency: 'NGN' };
  expect(events).toMatchObject([
    { to, event: 'dispute.opened', reference: id, data: { ...about, State: 'OPEN', Refunded: 0, RefundReference: '' } },
    { to, event: 'dispute.expired', reference: id, data: { ...about, State: 'EXPIRED' } },
    {
      to,
      event: 'dispute.decided',
      reference: id,
      data: { ...about, State: 'LOST', Refunded: 300, RefundReference: `DSP-${id}` },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/Ngozi|not they|papers/);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('what is told while an endpoint has no URL is kept, and sent once it has one', async () => {
  const { partner } = await fundedWallet(server, 500);
  const [byDefault] = (await callEndpoints(server, partner, 'GET')).json().items;
  await callEndpoints(server, partner, 'PATCH', `/${byDefault?.id}`, { events: OF_DISPUTES });
  await server.call('PUT', '/v2/partner/webhook', { headers: partner.headers, payload: { url: null } });
  await openDispute(server, partner.id);
  expect(await told(partner)).toMatchObject([{ to: byDefault?.id, event: 'dispute.opened' }]);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('an endpoint that is paused is told once it is resumed', async () => {
  const { partner } = await fundedWallet(server, 500);
  const endpoint = await newEndpoint(server, partner, { events: OF_DISPUTES });
  await callEndpoints(server, partner, 'POST', `/${endpoint}/pause`, { reason: 'repairs' });
  await openDispute(server, partner.id);
  expect(await told(partner)).toMatchObject([{ to: endpoint, event: 'dispute.opened', due: false }]);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('a deadline that passes shows, moves no money and lets none go', async () => {
  const { id, partner, wallet } = await newDispute(server);
  server.clock.advance(WEEK_MS - 60_000);
  await maintain(server.resources);
  expect(await disputeNow(server, id)).toMatchObject({ state: 'OPEN' });
  server.clock.advance(60_000);
  await maintain(server.resources);
  await maintain(server.resources);
  expect(await disputeNow(server, id)).toMatchObject({ state: 'EXPIRED', covered: 300, expiredAt: expect.any(String) });
  expect(await walletNow(server, wallet)).toMatchObject({ totalAmount: 500, blockedAmount: 300 });
  const spent = await moveMoney(server, partner, wallet, 'debit', { amount: 200.01, reference: 'over' });
  expect(spent.json().errorCode).toBe('INSUFFICIENT_FUNDS');
  const listed = await server.operate('GET', `/disputes?state=EXPIRED&partnerId=${partner.id}`);
  expect(listed.json().items).toMatchObject([{ id }]);
  expect((await auditOf(server, id)).map(({ actor, action }) => [actor, action])).toEqual([
    ['operator:root', 'dispute.open'],
    ['system', 'dispute.expire'],
  ]);
  expect((await openDispute(server, partner.id, { amount: 1 })).json().errorCode).toBe('DISPUTE_OPEN');
});

it('a wallet with a dispute is not revoked, even when nothing is left in it', async () => {
  const { partner, wallet } = await fundedWallet(server, 500);
  await moveMoney(server, partner, wallet, 'debit', { amount: 500, reference: 'gone' });
  const { id } = (await openDispute(server, partner.id)).json();
  const revoke = () => server.operate('POST', `/wallets/${wallet}/revoke`, { reason: 'they left' });
  expect((await revoke()).json().errorCode).toBe('WALLET_NOT_EMPTY');
  await decideDispute(server, id, 'WON');
  expect((await revoke()).statusCode).toBe(200);
});
