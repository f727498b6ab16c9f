import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import {
  complete,
  createPayTag,
  customerToken,
  newCustomer,
  newPerson,
  validatedSession,
} from '../../support/onboarding.ts';

const server = useApp();
const walletOf = (headers: Record<string, string>, authorization?: string) =>
  server.call('GET', '/v2/sso/wallet', {
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
  });

describe('200', () => {
  it('answers every field of a Wallet, and Balance', async () => {
    const partner = await server.newPartner();
    const { paytag, phone, email } = await newCustomer(server, partner);
    const answer = await walletOf(partner.headers, `Bearer ${await customerToken(server, partner, paytag)}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      ID: expect.any(Number),
      CreatedAt: expect.any(String),
      UpdatedAt: expect.any(String),
      TotalAmount: 0,
      SuspendedAmount: 0,
      BlockedAmount: 0,
      AvailableAmount: 0,
      Amount: 0,
      Balance: 0,
      Currency: 'NGN',
      Status: 'Enabled',
      Nuban: expect.stringMatching(/^\d{10}$/),
      Type: { Name: 'PayTag' },
      PayTag: { Tag: paytag, Name: 'Ada Obi', Email: email, Phone: phone },
      Name: 'Ada Obi',
    });
  });

  it('shows the metadata that the partner keeps with the wallet', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const metadata = { branch: 'Ikeja' };
    const { paytag: tag, ...rest } = person;
    await server.call('POST', '/v2/partner/paytag', { headers: partner.headers, payload: { ...rest, tag, metadata } });
    await complete(server, partner, await validatedSession(server, partner, person), { paytag: tag });
    const answer = await walletOf(partner.headers, `Bearer ${await customerToken(server, partner, tag)}`);
    expect(answer.json().Metadata).toEqual(metadata);
  });

  it('shows each partner a wallet of its own, opened at the first login there', async () => {
    const [first, second] = [await server.newPartner({ float: 100 }), await server.newPartner()];
    const { paytag, bvn } = await newCustomer(server, first);
    const linked = await server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: first.headers });
    const { Reference } = linked.json<{ Reference: string }>();
    const payload = { amount: 25.5, reference: 'credit-1' };
    await server.call('POST', `/v2/partner/wallet/${Reference}/credit`, { headers: first.headers, payload });

    const atFirst = await walletOf(first.headers, `Bearer ${await customerToken(server, first, paytag)}`);
    const atSecond = await walletOf(second.headers, `Bearer ${await customerToken(server, second, paytag)}`);
    expect(atFirst.json()).toMatchObject({ Balance: 25.5, TotalAmount: 25.5 });
    expect(atSecond.json()).toMatchObject({ Balance: 0 });
    expect(atSecond.json<{ ID: number }>().ID).not.toBe(atFirst.json<{ ID: number }>().ID);
  });
});

describe('401', () => {
  const refused = { success: false, errorCode: 'INVALID_CUSTOMER_TOKEN' };

  it('refuses a missing token, a forged one and one without a signature', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const attempts = [undefined, 'Bearer', 'Bearer x.y.z', `Basic ${token}`, token, `Bearer ${unsigned}.${payload}.`];
    for (const attempt of [...attempts, `Bearer ${header}.${payload}.${flipped}`]) {
      const answer = await walletOf(partner.headers, attempt);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject(refused);
    }
  });

  it('refuses a token at another partner, even where the customer has a wallet too', async () => {
    const [first, second] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, first);
    const token = await customerToken(server, first, paytag);
    await customerToken(server, second, paytag);
    const answer = await walletOf(second.headers, `Bearer ${token}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject(refused);
  });

  it('refuses an expired token', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    server.clock.advance(1_801_000);
    expect((await walletOf(partner.headers, `Bearer ${token}`)).statusCode).toBe(401);
  });

  it('refuses an application token, though we signed it', async () => {
    const partner = await server.newPartner();
    const { client_id, client_secret } = await newApplication(server);
    const issued = await server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } });
    const { access_token } = issued.json<{ access_token: string }>();
    const answer = await walletOf(partner.headers, `Bearer ${access_token}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject(refused);
  });

  it('asks for the partner first, then for the customer', async () => {
    const partner = await server.newPartner();
    await createPayTag(server, partner, newPerson());
    const answer = await walletOf({}, 'Bearer x');
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ errorCode: 'INVALID_CREDENTIALS' });
  });
});
