import { createPayTag, createPayTagApplication, type PayTag, PayTagError } from 'paytag/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication, operateApplication } from '../../support/application.ts';
import { newCustomer, PASSWORD, type Person } from '../../support/onboarding.ts';

const server = useApp();
let origin: string;
let partner: TestPartner;
let paytag: PayTag;
beforeAll(async () => {
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  partner = await server.newPartner({ float: 1000 });
  paytag = createPayTag({ ...partner, baseUrl: `${origin}/v2` });
});

const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
/** The refusal of a call that must not succeed. */
async function refusal(call: Promise<unknown>): Promise<PayTagError> {
  const error = await call.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(PayTagError);
  return error as PayTagError;
}

describe('a partner', () => {
  it('calls operations by their path, and is given what they answer', async () => {
    const { Reference: reference, Wallet } = await paytag.post('/partner/wallet', { body: { kyc } });
    expect(Wallet.TotalAmount).toBe(0);
    const path = { reference };
    const body = { amount: 70.25, reference: 'salary' };
    const credited = await paytag.post('/partner/wallet/{reference}/credit', { params: { path }, body });
    expect(credited).toMatchObject({ Type: 'PARTNER_WALLET_CREDIT', Amount: 70.25, ClosingBalance: 70.25 });
    const { items, count } = await paytag.get('/partner/wallet/{reference}/history', {
      params: { path, query: { limit: 1 } },
    });
    expect([items.length, count]).toEqual([1, 1]);
    const url = 'https://acme.example/hooks';
    expect(await paytag.put('/partner/webhook', { body: { url } })).toMatchObject({ url });
  });

  it('is thrown a refusal with its code, its status, what is wrong, and the id to look for in the log', async () => {
    const params = { path: { reference: 'PW-none' } };
    const unknown = await refusal(paytag.get('/partner/wallet/{reference}', { params }));
    expect(unknown).toMatchObject({ name: 'PayTagError', status: 404, errorCode: 'WALLET_NOT_FOUND' });
    expect(server.logged).toContain(unknown.requestId);
    const invalid = await refusal(paytag.post('/partner/wallet', { body: { kyc: { ...kyc, firstName: '7' } } }));
    expect(invalid).toMatchObject({ status: 400, errorCode: 'INVALID_PARAMETER' });
    expect(invalid.errors.join()).toContain('firstName');
    const stranger = createPayTag({ ...partner, baseUrl: `${origin}/v2`, apiKey: 'sk_sandbox_wrong' });
    expect(await refusal(stranger.get('/partner/float'))).toMatchObject({ status: 401 });
  });

  it('gives an Idempotency-Key of its own, and gets the answer of the first call under it', async () => {
    const options = { params: { header: { 'idempotency-key': 'wallet-of-chidi' } }, body: { kyc } };
    const first = await paytag.post('/partner/wallet', options);
    expect(await paytag.post('/partner/wallet', options)).toEqual(first);
    expect((await paytag.post('/partner/wallet', { body: { kyc } })).Reference).not.toBe(first.Reference);
  });
});

describe('a customer', () => {
  let ada: Person;
  beforeAll(async () => {
    ada = await newCustomer(server, partner);
  });

  it('logs in by code and token, and the partner acts for them with it', async () => {
    const body = { paytag: ada.paytag, password: PASSWORD };
    const redirect = await paytag.post('/sso/auth-code', { params: { query: { scope: 'profile' } }, body });
    const code = new URL(redirect).searchParams.get('auth-code') ?? '';
    const token = await paytag.get('/sso/token', { params: { query: { 'auth-code': code } } });
    const customer = paytag.customer(token);

    expect((await customer.get('/sso/wallet')).Balance).toBe(0);
    expect(
      Buffer.from(await customer.get('/sso/qr'), 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(await customer.delete('/sso/beneficiary', { body: { paytag: 'bola' } })).toBe(false);
    await customer.delete('/sso/token');
    expect(await refusal(customer.get('/sso/wallet'))).toMatchObject({ status: 401 });
  });
});

describe('an application', () => {
  const applicationAt = (given: { client_id: string; client_secret: string }, asked: string[] = []) =>
    createPayTagApplication({
      baseUrl: `${origin}/api`,
      clientId: given.client_id,
      clientSecret: given.client_secret,
      fetch: (request) => {
        asked.push(new URL(request.url).pathname);
        return fetch(request);
      },
    });
  const tokensIn = (asked: string[]) => asked.filter((path) => path === '/api/v1/auth/token').length;

  it('gets one token for many calls, and is given what stands in the Envelope', async () => {
    const asked: string[] = [];
    const application = applicationAt(await newApplication(server), asked);
    const wallets = await Promise.all([1, 2, 3].map(() => application.get('/v1/wallet')));
    expect(wallets.map(({ totalAmount }) => totalAmount)).toEqual([1_000_000, 1_000_000, 1_000_000]);
    expect(tokensIn(asked)).toBe(1);
    const subject = await application.post('/v1/subjects', { body: { externalId: 'till-1' } });
    const body = { tagString: 'market-till', subjectId: subject.id };
    expect((await application.post('/v1/tags', { body })).canonicalOwner?.externalId).toBe('till-1');
  });

  it('gets a new token when the one it has is not taken any more, and calls again', async () => {
    const asked: string[] = [];
    const application = applicationAt(await newApplication(server), asked);
    await application.post('/v1/subjects', { body: { externalId: 'till-2' } });
    server.clock.advance(2 * 3600 * 1000);
    const tag = { body: { tagString: 'late-till', externalId: 'till-2' } };
    expect((await application.post('/v1/tags', tag)).tagString).toBe('late-till');
    server.clock.advance(2 * 3600 * 1000);
    const read = await application.get('/v1/tags/{tag}', { params: { path: { tag: 'late-till' } } });
    expect(read.canonicalOwner?.externalId).toBe('till-2');
    expect(tokensIn(asked)).toBe(3);
  });

  it('is thrown what the token endpoint says, and asks it again for the next call', async () => {
    const made = await newApplication(server);
    const wrong = applicationAt({ ...made, client_secret: 'as_sandbox_wrong' });
    expect(await refusal(wrong.get('/v1/wallet'))).toMatchObject({ status: 401 });

    const application = applicationAt(made);
    await operateApplication(server, made.applicationId, 'suspend');
    expect((await refusal(application.get('/v1/wallet'))).status).toBeGreaterThanOrEqual(401);
    await operateApplication(server, made.applicationId, 'restore');
    expect((await application.get('/v1/wallet')).totalAmount).toBe(1_000_000);
  });
});
