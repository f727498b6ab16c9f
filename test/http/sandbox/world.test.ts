import { beforeEach, describe, expect, it } from 'vitest';
import { bringForward as bringTransactionsForward } from '#modules/offers';
import { bringForward as bringSplitsForward } from '#modules/terminals';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { answerConsent, eventsFor, federate, newClaim, newSides } from '../../support/claims.ts';
import { answerDispute, disputeNow, newDispute } from '../../support/disputes.ts';
import {
  authCode,
  customerToken,
  exchange,
  newCustomer,
  newPerson,
  OTP,
  startSession,
  unreachableMessenger,
} from '../../support/onboarding.ts';
import { newSide, offer, see, walletTotals } from '../../support/switch.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';

describe('simulated providers', () => {
  const server = useApp();
  const second = useApp({}, server);
  const real = useApp(unreachableMessenger, server);

  const disturb = (
    { headers }: { headers: object },
    provider: string,
    payload: object,
    path = '/v2/sandbox/providers',
  ) => server.call('PUT', `${path}/${provider}`, { headers: { ...headers }, payload });
  const list = async ({ headers }: TestPartner) =>
    (await server.call('GET', '/v2/sandbox/providers', { headers })).json().disturbed;
  const onboard = ({ headers }: TestPartner, on = server) =>
    on.call('POST', '/v2/sso/create-tag', { headers, payload: newPerson() });
  const codeOf = ({ statusCode, json }: Awaited<ReturnType<typeof server.call>>) => [statusCode, json().errorCode];

  it('fails so often as asked, at every process, for its caller alone, and is as ever after that', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const told = { provider: 'bvn', answer: 'fail', delayMs: 0, timesLeft: 2 };
    expect((await onboard(partner, second)).statusCode).toBe(200); // it remembers that nothing is disturbed
    expect((await disturb(partner, 'bvn', { answer: 'fail', times: 2 })).json()).toEqual(told);
    expect(await list(partner)).toEqual([told]);
    expect(await list(other)).toEqual([]);
    expect((await onboard(other)).statusCode).toBe(200);
    expect(codeOf(await onboard(partner))).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
    expect(await list(partner)).toEqual([{ ...told, timesLeft: 1 }]);
    expect(codeOf(await onboard(partner, second))).toEqual([502, 'BVN_PROVIDER_UNAVAILABLE']);
    expect((await onboard(partner)).statusCode).toBe(200);
    expect(await list(partner)).toEqual([]);
  });

  it('of any number of calls at once, so many fail as asked', async () => {
    const partner = await server.newPartner();
    await disturb(partner, 'bvn', { answer: 'fail', times: 3 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => onboard(partner)));
    expect(answers.filter(({ statusCode }) => statusCode === 502)).toHaveLength(3);
  });

  it('does not answer, and is slow, by the delay: a bank, a phone and an e-mail address', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const headers = { ...partner.headers, authorization: `Bearer ${await customerToken(server, partner, paytag)}` };
    const link = () =>
      server.call('POST', '/v2/sso/wallet/bank-account', {
        headers,
        payload: { accountNumber: '0123456789', bankCode: '058' },
      });
    await disturb(partner, 'bank', { answer: 'timeout', delayMs: 20 });
    expect(codeOf(await link())).toEqual([502, 'BANK_PROVIDER_UNAVAILABLE']);
    await disturb(partner, 'bank', { answer: 'slow', delayMs: 400 });
    const answered: string[] = [];
    const linked = link().finally(() => answered.push('slow'));
    await list(partner).finally(() => answered.push('another'));
    expect((await linked).statusCode).toBe(200);
    expect(answered).toEqual(['another', 'slow']);

    const session = await startSession(server, partner, newPerson());
    const send = (channel: string) =>
      server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers: partner.headers });
    await disturb(partner, 'messaging', { answer: 'fail' });
    await disturb(partner, 'email', { answer: 'fail' });
    expect(codeOf(await send('sms'))).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
    expect(codeOf(await send('email'))).toEqual([502, 'MESSAGING_PROVIDER_UNAVAILABLE']);
    expect((await send('sms')).statusCode).toBe(200);
    expect((await send('email')).statusCode).toBe(200);
  });

  it('the latest word counts, and it can be taken back', async () => {
    const partner = await server.newPartner();
    await disturb(partner, 'bvn', { answer: 'slow', times: 9 });
    await disturb(partner, 'bvn', { answer: 'fail' });
    expect(await list(partner)).toEqual([{ provider: 'bvn', answer: 'fail', delayMs: 0, timesLeft: 1 }]);
    const clear = async () =>
      (await server.call('DELETE', '/v2/sandbox/providers/bvn', { headers: partner.headers })).json().cleared;
    expect([await clear(), await clear()]).toEqual([true, false]);
    expect((await onboard(partner)).statusCode).toBe(200);
  });

  it('an application has its own; 400 what is out of bounds; 409 a provider that is real here', async () => {
    const [application, partner] = [await newApplication(server), await server.newPartner()];
    const path = '/v2/sandbox/application/providers';
    expect((await disturb(application, 'messaging', { answer: 'fail' }, path)).statusCode).toBe(200);
    const { headers } = application;
    expect((await server.call('GET', path, { headers })).json().disturbed).toHaveLength(1);
    for (const [provider, asked] of [
      ['kms', { answer: 'fail' }],
      ['bvn', { answer: 'lie' }],
      ['bvn', { answer: 'fail', times: 0 }],
      ['bvn', { answer: 'fail', times: 101 }],
      ['bvn', { answer: 'slow', delayMs: 10_001 }],
    ] as const) {
      expect(codeOf(await disturb(partner, provider, asked))).toEqual([400, 'INVALID_PARAMETER']);
    }
    const answer = await real.call('PUT', '/v2/sandbox/providers/messaging', {
      headers: partner.headers,
      payload: { answer: 'fail' },
    });
    expect(codeOf(answer)).toEqual([409, 'PROVIDER_NOT_SIMULATED']);
  });
});

describe('the time', () => {
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
    await server.owner.query(
      "insert into installation.stamp (environment, master_key_fingerprint) values ('live', 'x')",
    );
    try {
      for (const bringForward of [bringSplitsForward, bringTransactionsForward]) {
        const asked = server.resources.transact((tx) => bringForward(tx, given));
        await expect(asked).rejects.toThrow('time is not brought forward in live');
      }
    } finally {
      await server.owner.query('delete from installation.stamp');
    }
  });
});

describe('GET /sandbox/otp', () => {
  const server = useApp();

  const read = ({ headers }: TestPartner, session: string) =>
    server.call('GET', `/v2/sandbox/otp?session=${encodeURIComponent(session)}`, { headers });
  const refusal = async (answer: ReturnType<typeof read>) => {
    const { statusCode, json } = await answer;
    return [statusCode, json().errorCode];
  };

  it('200: the code that was sent last, which the session then takes', async () => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const session = await startSession(server, partner, newPerson());
    await server.call('GET', `/v2/sso/${session}/otp`, { headers });
    const answer = await read(partner, session);
    expect(answer.json()).toEqual({
      otp: OTP,
      channel: 'sms',
      recipients: [expect.stringContaining('*')],
      expiresAt: expect.any(String),
    });
    const { otp, expiresAt } = answer.json();
    expect(Date.parse(expiresAt)).toBeGreaterThan(server.clock.now().getTime());
    expect((await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } })).json().validated).toBe(
      true,
    );
    expect(await refusal(read(partner, session))).toEqual([409, 'OTP_NOT_SENT']);
  });

  it('400, 404, 409 and 410: no session, another partner’s, one without a code, and one that has expired', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    expect(await refusal(read(partner, ''))).toEqual([400, 'INVALID_PARAMETER']);
    expect(await refusal(read(await server.newPartner(), session))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(await refusal(read(partner, session))).toEqual([409, 'OTP_NOT_SENT']);
    server.clock.advance(31 * 60_000);
    expect(await refusal(read(partner, session))).toEqual([410, 'SESSION_EXPIRED']);
  });
});
