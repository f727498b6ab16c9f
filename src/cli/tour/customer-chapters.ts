import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type { PayTag, PayTagCustomer } from 'paytag/client';
import { ada, bola, handles, PASSWORD, type Partner, SIMULATOR_OTP, type TourContext } from './tools.ts';

const NEW_PASSWORD = 'a rainy Tuesday in Jos';

/** Onboards Bola, who is new, and Ada, who has a PayTag but no password yet. */
export async function onboardCustomers({ tour }: TourContext, { paytag }: Partner): Promise<void> {
  tour.chapter('Customers identify themselves by BVN and OTP, and choose a password');
  const { available } = await paytag.get('/sso/verify-tag', { params: { query: { paytag: handles.bola } } });
  tour.check(`${handles.bola} is free`, available);
  for (const [person, handle] of [
    [bola, handles.bola],
    [ada, handles.ada],
  ] as const) {
    const { session } = await paytag.post('/sso/create-tag', { body: person });
    const path = { session };
    await paytag.get('/sso/{session}/otp', { params: { path, query: { channel: 'sms' } } });
    await paytag.post('/sso/{session}/otp', { params: { path }, body: { otp: SIMULATOR_OTP } });
    await paytag.post('/sso/create-tag/{session}/complete', {
      params: { path },
      body: { paytag: handle, password: PASSWORD },
    });
  }
  tour.check('Ada, who was created by a partner, has a password now', true);
}

/** Logs Ada in by code and token, and reads the wallet. */
export async function logInCustomer({ tour }: TourContext, { paytag }: Partner): Promise<PayTagCustomer> {
  tour.chapter('Ada logs in');
  const { url, token } = await logIn(paytag, handles.ada, PASSWORD);
  tour.check('the redirect URL keeps the partner’s own query', url.searchParams.get('shop') === '1');
  const jwks = await tour.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks.body), { algorithms: ['ES256'] });
  tour.check(
    `the customer token verifies with the published keys and is valid for ${payload.exp! - payload.iat!} s`,
    true,
  );
  await tour.refused(401, paytag.get('/sso/token', { params: { query: { 'auth-code': codeIn(url) } } }));
  tour.check('a code works once', true);
  const customer = paytag.customer(token);
  const { Balance } = await customer.get('/sso/wallet');
  tour.check('the wallet has a balance of 0', Balance === 0);
  return customer;
}

/** Sets a new password by OTP, which ends the logins of the old one. */
export async function resetPassword(
  { tour }: TourContext,
  { paytag }: Partner,
  before: PayTagCustomer,
): Promise<PayTagCustomer> {
  tour.chapter('Ada forgets the password and sets a new one by OTP');
  const { session } = await paytag.post('/sso/password', { body: { paytag: handles.ada } });
  const params = { path: { session } };
  await paytag.get('/sso/{session}/otp', { params });
  await paytag.post('/sso/{session}/otp', { params, body: { otp: SIMULATOR_OTP } });
  await paytag.post('/sso/password/{session}/complete', { params, body: { password: NEW_PASSWORD } });
  await tour.refused(401, before.get('/sso/wallet'));
  tour.check('a token of the old password is refused', true);
  const { token } = await logIn(paytag, handles.ada, NEW_PASSWORD);
  return paytag.customer(token);
}

/** From the password to the token. */
async function logIn(paytag: PayTag, handle: string, password: string): Promise<{ url: URL; token: string }> {
  const params = { query: { scope: 'profile' } } as const;
  const url = new URL(await paytag.post('/sso/auth-code', { params, body: { paytag: handle, password } }));
  return { url, token: await paytag.get('/sso/token', { params: { query: { 'auth-code': codeIn(url) } } }) };
}

const codeIn = (url: URL): string => url.searchParams.get('auth-code') ?? '';

/** A customer's bank account, statement and QR code. */
export async function manageAccount({ tour }: TourContext, customer: PayTagCustomer): Promise<void> {
  tour.chapter('Ada links a bank account and downloads a statement and a QR code');
  const account = { accountNumber: '0123456789', bankCode: '058' };
  const { accountName } = await customer.post('/sso/wallet/bank-account', { body: account });
  tour.check(`the bank account is in the name of ${accountName}`, /obi/i.test(accountName));
  const unknown = { ...account, accountNumber: '0123456781' };
  await tour.refused(400, customer.post('/sso/wallet/bank-account', { body: unknown }));

  const statement = async (format: 'pdf' | 'csv') => {
    const answer = await customer.post('/sso/transaction/statement', { params: { query: { format } } });
    if (!('url' in answer)) throw new Error('the statement is not made at once');
    return (await tour.call('GET', answer.url)).text;
  };
  tour.check('the statement is a PDF', (await statement('pdf')).startsWith('%PDF-'));
  tour.check('as CSV, it lists the lunch', (await statement('csv')).includes('Lunch'));

  const qr = await customer.get('/sso/qr');
  const isPng = Buffer.from(qr, 'base64').subarray(1, 4).toString() === 'PNG';
  tour.check(`the QR code of ${handles.ada} is a PNG`, isPng);
}
