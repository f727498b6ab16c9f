import { expect, it } from 'vitest';
import { expireClaims, expireLinks } from '#modules/consent';
import { expireDisputes } from '#modules/disputes';
import { expireTransactions } from '#modules/offers';
import { sendPayouts } from '#modules/payouts';
import { watchReceivers } from '#modules/webhooks';
import { eventBodies } from '#wire/events.ts';
import { type TestPartner, useApp } from '../../support/app.ts';
import {
  after,
  answerConsent,
  codeFor,
  consentInPerson,
  DAY_MS,
  endClaim,
  METHODS,
  newClaim,
  newEnds,
  newLink,
  newSides,
  otherThan,
  reject,
  remove,
  verify,
  verifyRightly,
} from '../../support/claims.ts';
import { endAll, newEndpoint } from '../../support/deliveries.ts';
import { decideDispute, inDays, openDispute } from '../../support/disputes.ts';
import { ACCOUNT } from '../../support/payouts.ts';
import { decide, newSide, offer, shortOffer } from '../../support/switch.ts';
import { newTerminal, payAt } from '../../support/terminals.ts';
import { fundedWallet, kycWallet, moveMoney, paymentsOf, refund } from '../../support/wallets.ts';

type Kind = 'string' | 'number' | 'date' | 'object' | 'array';

const named = <K extends Kind>(kind: K, paths: string): Record<string, K> =>
  Object.fromEntries(paths.split(', ').map((path) => [path, kind]));

/** What the contract says of `data` of transaction.status, member by member. */
const transactionStatus: Record<string, Kind> = {
  ...named('number', 'Amount, Fee, Commission, Net'),
  ...named('string', 'Reference, Sender, Recipient, Status, Comment'),
  ...named('string', 'SenderDetails.Name, SenderDetails.Paytag, SenderDetails.Type, SenderDetails.Currency'),
  ...named('number', 'SenderDetails.Amount, SenderDetails.Fee'),
  ...named('date', 'Date, CompletedAt'),
  ...named('object', 'Metadata'),
  ...named('string', 'Terminal.SerialNumber, Terminal.TerminalID, Terminal.Merchant, Terminal.Email'),
  ...named('string', 'Terminal.PhoneNumber, Terminal.Status, Terminal.PayTag, Terminal.Qr'),
  ...named('date', 'Terminal.CreatedAt'),
  ...named('object', 'Terminal.Metadata'),
  ...named('number', 'Terminal.Balance'),
};

/** Of wallet.debited and wallet.credited. */
const walletEvent: Record<string, Kind> = {
  ...named('number', 'Amount, Transaction.Amount, Transaction.Fee, OpeningBalance, ClosingBalance'),
  ...named('string', 'Operation, Transaction.Status, Transaction.Reference, Transaction.ExternalReference'),
  ...named('string', 'Transaction.Comment'),
  ...named('date', 'CreatedAt'),
};

/** Of a Claim. */
const claim: Record<string, Kind> = {
  ...named('string', 'id, tagId, tagString, subjectId, subjectExternalId, requestedByAppId, requestedByAppName, state'),
  ...named('date', 'requestedAt, approvedAt, revokedAt, tokenExpiresAt'),
  ...named('string', 'consentToken, approvalUrl'),
};

/** Of a Switch transaction. */
const switchTransaction: Record<string, Kind> = {
  ...named(
    'string',
    'id, reference, senderTag, senderAppName, senderAppId, receiverTag, receiverAppName, receiverAppId',
  ),
  ...named('number', 'amount, fee'),
  ...named('string', 'currency, status, narration, rejectionReason'),
  ...named('date', 'expiresAt, acceptedAt, rejectedAt, createdAt, updatedAt'),
  ...named('array', 'webhooks'),
};

/** The members of an event's `data` in the contract, by their paths; undefined for an event that the contract does not have. */
function contractMembers(event: string): Record<string, Kind> | undefined {
  if (event === 'transaction.status') return transactionStatus;
  if (event.startsWith('wallet.')) return walletEvent;
  if (event.startsWith('CONSENT_')) return claim;
  return event.startsWith('TRANSACTION_') ? switchTransaction : undefined;
}

/** Free-form: what is in it is the sender's. */
const isFreeForm = (path: string): boolean => /(^|\.)Metadata$/.test(path);
const isMoment = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

/** Of each member of an event's data: what kind of value it has, by its path. */
function kindsOf(data: object, prefix = ''): Record<string, string> {
  const kinds = Object.entries(data).flatMap(([member, value]: [string, unknown]) => {
    const path = prefix + member;
    if (Array.isArray(value)) return [[path, 'array']];
    if (isMoment(value)) return [[path, 'date']];
    if (typeof value !== 'object' || value === null || isFreeForm(path)) return [[path, typeof value]];
    return Object.entries(kindsOf(value, `${path}.`));
  });
  return Object.fromEntries(kinds);
}

const server = useApp();

/** Every body that was written so far, as text. */
async function bodies(): Promise<{ event: string; body: string }[]> {
  const { rows } = await server.owner.query<{ event: string; body: string }>(
    'select event, body from outbox.event order by id',
  );
  return rows;
}

/** Makes every event that partners are sent, with a value for every member and with as few as there can be. */
async function ofPartners(): Promise<void> {
  const partner = await server.newPartner({ float: 10_000, webhookUrl: 'https://partner.example/hooks' });
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 500.25, reference: 'c-1', comment: 'Salary ₦' });
  await moveMoney(server, partner, wallet, 'debit', { amount: 0.5, reference: 'd-1', externalReference: 'theirs' });
  await refund(server, partner, 'c-1', { reference: 'back-1', amount: 1 });
  const { gateway } = paymentsOf(server);
  await gateway(partner, { comment: 'Order 7', metadata: { order: 7 } });
  await gateway(partner, { sender: { name: 'Bola Ade' } });
  const full = { terminalId: '2044AB12', merchant: 'Mama Put', email: 'put@example.com', phoneNumber: '08031234567' };
  const terminals = [
    await newTerminal(server, partner, { ...full, paytag: 'nkechi', metadata: { shelf: 4 } }),
    await newTerminal(server, partner),
  ];
  for (const terminal of terminals) await payAt(server, terminal, { amount: 1000, sender: {} });
  await server.call('POST', '/v2/partner/webhook/test', { headers: partner.headers });
  await ofEndpoints(partner);
  await ofDisputes();
  await ofPayouts();
}

/** Makes every event of disputes. */
async function ofDisputes(): Promise<void> {
  const { partner } = await fundedWallet(server, 500);
  await newEndpoint(server, partner, { events: ['dispute.opened', 'dispute.expired', 'dispute.decided'] });
  for (const outcome of ['WON', 'LOST']) {
    const { id } = (await openDispute(server, partner.id)).json();
    await expireDisputes(server.resources, 10, new Date(inDays(server, 8)));
    await decideDispute(server, id, outcome);
  }
}

/** Makes every event of payouts. */
async function ofPayouts(): Promise<void> {
  const { partner, wallet } = await fundedWallet(server, 1_000);
  const events = ['payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed'];
  await newEndpoint(server, partner, { events });
  for (const amount of [100, 100.01, 100.04]) {
    const payload = { amount, reference: `p-${amount}`, ...ACCOUNT };
    await server.call('POST', `/v2/partner/wallet/${wallet}/payout`, { headers: partner.headers, payload });
  }
  for (let runs = 0; runs < 2; runs++) {
    server.clock.advance(60_000);
    await sendPayouts(server.resources);
  }
}

/** Makes every event that tells of endpoints. */
async function ofEndpoints(partner: TestPartner): Promise<void> {
  await newEndpoint(server, partner, { events: ['endpoint.paused', 'endpoint.recovered', 'delivery.failed'] });
  await endAll(server.resources.pool, 'status 503');
  await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'a storm of 500s' });
  await watchReceivers(server.resources);
  await server.operate('POST', `/receivers/${partner.id}/resume`);
  await watchReceivers(server.resources);
}

/** Makes every event of claims. */
async function ofClaims(): Promise<void> {
  const sides = await newSides(server);
  const [first, second, third] = [await newClaim(server, sides), await newSides(server), await newSides(server)];
  await answerConsent(server, sides.owner, first.consentToken, 'approve');
  await endClaim(server, sides.requester, first, 'revoke');
  await answerConsent(server, second.owner, (await newClaim(server, second)).consentToken, 'reject');
  await endClaim(server, third.requester, await newClaim(server, third), 'cancel');
  const left = await newClaim(server, third);
  await consentInPerson(server, left);
  await after(server, DAY_MS, third);
}

/** Makes every event of links, by every method. */
async function ofLinks(): Promise<void> {
  const ends = await newEnds(server);
  for (const method of METHODS) {
    const link = await newLink(server, ends, method);
    await verifyRightly(server, ends, link, method);
    await remove(server, ends.secondary, link);
  }
  await reject(server, ends.secondary, await newLink(server, ends, 'CONSENT'));
  const failing = await newLink(server, ends);
  const wrong = otherThan(await codeFor(server, ends.secondary, failing));
  for (let attempt = 0; attempt < 5; attempt += 1) await verify(server, ends.primary, failing, wrong);
  await newLink(server, ends);
}

/** Makes every event of Switch transactions. */
async function ofTransactions(): Promise<void> {
  const [from, to] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
  await decide(server, to, (await offer(server, from, to, { narration: 'Two baskets' })).id, 'accept');
  await decide(server, to, (await offer(server, from, to)).id, 'reject');
  await decide(server, from, (await offer(server, from, to, { reference: 'order-7' })).id, 'cancel');
  await shortOffer(server, from, to);
}

it('every event has all members of its shape, and of the contract, and no other; every shape is of an event', async () => {
  await ofPartners();
  await ofLinks();
  await ofTransactions();
  await ofClaims();
  const now = server.clock.now();
  await expireClaims(server.resources, 100, now);
  await expireLinks(server.resources, 100, now);
  await expireTransactions(server.resources, 100, now);
  const shapes: Record<string, { parse: (body: unknown) => unknown }> = eventBodies;
  const written = await bodies();
  for (const { event, body } of written) expect(shapes[event]?.parse(JSON.parse(body))).toEqual(JSON.parse(body));
  expect(new Set(written.map(({ event }) => event))).toEqual(new Set(Object.keys(eventBodies)));

  for (const { event, body } of written) {
    const found = kindsOf(JSON.parse(body).data);
    const members = Object.entries(contractMembers(event) ?? found);
    const expected = members.filter(([path, kind]) => kind !== 'date' || path in found);
    expect({ event, ...found }).toEqual({ event, ...Object.fromEntries(expected) });
  }
});
