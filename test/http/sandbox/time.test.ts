import { beforeEach, expect, it } from 'vitest';
import { bringForward as bringTransactionsForward } from '#modules/tag-transactions';
import { bringForward as bringSplitsForward } from '#modules/terminals';
import { type TestPartner, useApp } from '../../support/app.ts';
import type { TestApplication } from '../../support/application.ts';
import { answerConsent, eventsFor, newClaim, newSides } from '../../support/claims.ts';
import { answerDispute, disputeNow, newDispute } from '../../support/disputes.ts';
import { federate } from '../../support/federations.ts';
import {
  authCode,
  customerToken,
  exchange,
  newCustomer,
  newPerson,
  OTP,
  startSession,
} from '../../support/onboarding.ts';
import { newSide, offer, see, walletTotals } from '../../support/switch.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';

const server = useApp();
const HOUR_S = 3600;

const forward = async ({ headers }: { headers: object }, seconds: number, path = '/v2/sandbox/time') =>
  (await server.call('POST', path, { headers: { ...headers }, payload: { seconds } })).json();
const forwardApplication = (application: TestApplication, seconds: number) =>
  forward(application, seconds, '/v2/sandbox/application/time');
const codeOf = ({ statusCode, json }: Awaited<ReturnType<typeof server.call>>) => [statusCode, json().errorCode];
const give = (partner: TestPartner, session: string) =>
  server.call('POST', `/v2/sso/${session}/otp`, { headers: partner.headers, payload: { otp: OTP } });
const send = (partner: TestPartner, session: string) =>
  server.call('GET', `/v2/sso/${session}/otp`, { headers: partner.headers });

let [partner, other] = [{} as TestPartner, {} as TestPartner];
beforeEach(async () => {
  [partner, other] = [await server.newPartner(), await server.newPartner()];
});

it('expires a partner’s codes and sessions of onboarding, and lets a code be sent again, and no other partner’s', async () => {
  const session = await startSession(server, partner, newPerson());
  const theirs = await startSession(server, other, newPerson());
  await send(partner, session);
  await send(other, theirs);
  expect(codeOf(await send(partner, session))).toEqual([429, 'OTP_COOLDOWN']);
  const { seconds, moved } = await forward(partner, 301);
  expect([seconds, moved]).toEqual([301, expect.objectContaining({ onboardingSessions: 1, otps: 1, authCodes: 0 })]);
  expect(codeOf(await give(partner, session))).toEqual([400, 'OTP_EXPIRED']);
  expect((await send(partner, session)).statusCode).toBe(200);
  await forward(partner, 1800);
  expect(codeOf(await give(partner, session))).toEqual([410, 'SESSION_EXPIRED']);
  expect((await give(other, theirs)).statusCode).toBe(200);
});

it('expires authorization codes and customers’ tokens', async () => {
  const { paytag } = await newCustomer(server, partner);
  const token = await customerToken(server, partner, paytag);
  const code = await authCode(server, partner, paytag);
  const headers = { ...partner.headers, authorization: `Bearer ${token}` };
  const look = () => server.call('GET', '/v2/sso/wallet', { headers });
  expect((await look()).statusCode).toBe(200);
  expect((await forward(partner, 121)).moved).toMatchObject({ authCodes: 1, customerSessions: 1 });
  expect(codeOf(await exchange(server, partner, code))).toEqual([401, 'INVALID_AUTH_CODE']);
  expect((await look()).statusCode).toBe(200);
  await forward(partner, 1800);
  expect(codeOf(await look())).toEqual([401, 'INVALID_CUSTOMER_TOKEN']);
});

it('expires the disputes about a partner’s wallets at their deadline, and no other partner’s', async () => {
  const [mine, theirs] = [await newDispute(server), await newDispute(server)];
  expect((await forward(mine.partner, 6 * 24 * HOUR_S)).moved).toMatchObject({ disputes: 1 });
  expect((await answerDispute(server, mine.partner, mine.id)).statusCode).toBe(200);
  await forward(mine.partner, 24 * HOUR_S);
  expect(await disputeNow(server, mine.id)).toMatchObject({ state: 'EXPIRED', covered: 300 });
  expect(codeOf(await answerDispute(server, mine.partner, mine.id))).toEqual([410, 'DISPUTE_EXPIRED']);
  expect(await disputeNow(server, theirs.id)).toMatchObject({ state: 'OPEN' });
});

it('expires splits of which nothing is paid, and statements stay a shorter time', async () => {
  const terminal = await newTerminal(server, partner);
  const expiresAt = new Date(server.clock.now().getTime() + HOUR_S * 1000).toISOString();
  const split = await newSplit(server, terminal, 100, { expiresAt });
  const endless = await newSplit(server, terminal, 100);
  const { paytag } = await newCustomer(server, partner);
  const bearer = { authorization: `Bearer ${await customerToken(server, partner, paytag)}` };
  const headers = { ...partner.headers, ...bearer, prefer: 'respond-async' };
  await server.call('POST', '/v2/sso/transaction/statement', { headers });
  expect((await forward(partner, HOUR_S)).moved).toMatchObject({ splits: 1, statements: 1 });
  expect((await seeSplit(server, partner, terminal, split)).Status).toBe('Expired');
  expect((await seeSplit(server, partner, terminal, endless)).Status).toBe('Pending');
  expect((await forward(partner, HOUR_S)).moved.splits).toBe(0);
});

it('expires an application’s claims and links, and tells both sides at once; another’s stay', async () => {
  const sides = await newSides(server);
  const { requester, owner, tag } = sides;
  const claim = await newClaim(server, sides);
  const primary = await newSide(server, 'Primary');
  await federate(server, primary, primary.tag, { secondaryTag: tag, verificationMethod: 'OTP' });
  expect((await forwardApplication(requester, 25 * HOUR_S)).moved).toEqual({
    claims: 1,
    links: 0,
    ownerCodes: 0,
    transactions: 0,
  });
  expect(codeOf(await answerConsent(server, owner, claim.consentToken, 'approve'))).toEqual([410, 'CONSENT_EXPIRED']);
  expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual(['CONSENT_EXPIRED']);
  expect((await eventsFor(server, owner)).map(({ event }) => event)).not.toContain('FEDERATION_EXPIRED');
  expect((await forwardApplication(primary, 601)).moved).toMatchObject({ claims: 0, links: 1 });
  expect((await eventsFor(server, owner)).map(({ event }) => event)).toContain('FEDERATION_EXPIRED');
});

it('expires what an application offers, gives the money back and tells both sides; the receiver’s time moves nothing', async () => {
  const [sender, receiver] = [await newSide(server, 'Sender'), await newSide(server, 'Receiver')];
  const { id } = await offer(server, sender, receiver);
  expect((await forwardApplication(receiver, 73 * HOUR_S)).moved.transactions).toBe(0);
  expect((await walletTotals(server, sender)).held).toBe(10_000);
  expect((await forwardApplication(sender, 73 * HOUR_S)).moved.transactions).toBe(1);
  expect((await see(server, sender, id)).json().data.status).toBe('EXPIRED');
  expect((await walletTotals(server, sender)).held).toBe(0);
  expect((await eventsFor(server, receiver)).map(({ event }) => event)).toEqual([
    'TRANSACTION_INITIATED',
    'TRANSACTION_EXPIRED',
  ]);
});

it('a database that is stamped live refuses to bring offers and splits forward, whoever asks it', async () => {
  const given = { partnerId: partner.id, applicationId: partner.id, counterpartId: null, seconds: 1 };
  await server.owner.query("insert into installation.stamp (environment, master_key_fingerprint) values ('live', 'x')");
  try {
    for (const bringForward of [bringSplitsForward, bringTransactionsForward]) {
      const asked = server.resources.transact((tx) => bringForward(tx, given));
      await expect(asked).rejects.toThrow('time is not brought forward in live');
    }
  } finally {
    await server.owner.query('delete from installation.stamp');
  }
});
