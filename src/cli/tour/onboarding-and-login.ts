import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  ada,
  bola,
  type Headers,
  handles,
  PASSWORD,
  type Partner,
  SIMULATOR_OTP,
  type TourContext,
} from './context.ts';

const NEW_PASSWORD = 'a rainy Tuesday in Jos';

/** Onboards Bola, who is new, and Ada, who has a PayTag but no password yet. */
export async function onboardCustomers({ tour }: TourContext, { headers }: Partner): Promise<void> {
  tour.chapter('Customers identify themselves by BVN and OTP, and choose a password');
  const free = await tour.call<{ available: boolean }>('GET', `/v2/sso/verify-tag?paytag=${handles.bola}`, {
    headers,
  });
  tour.check(`${handles.bola} is free`, free.body.available);
  for (const [person, paytag] of [
    [bola, handles.bola],
    [ada, handles.ada],
  ] as const) {
    const started = await tour.call<{ session: string }>('POST', '/v2/sso/create-tag', { headers, json: person });
    const { session } = started.body;
    await tour.call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers });
    await tour.call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: SIMULATOR_OTP } });
    await tour.call('POST', `/v2/sso/create-tag/${session}/complete`, {
      headers,
      json: { paytag, password: PASSWORD },
    });
  }
  tour.check('Ada, who was created by a partner, has a password now', true);
}

/** Logs Ada in by code and token, and reads the wallet. Returns the headers of Ada's calls. */
export async function logInCustomer(context: TourContext, { headers }: Partner): Promise<Headers> {
  const { tour } = context;
  tour.chapter('Ada logs in');
  const { customer, url, token } = await logIn(context, headers, handles.ada, PASSWORD);
  tour.check('the redirect URL keeps the partner’s own query', url.searchParams.get('shop') === '1');
  const jwks = await tour.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks.body), { algorithms: ['ES256'] });
  tour.check(
    `the customer token verifies with the published keys and is valid for ${payload.exp! - payload.iat!} s`,
    true,
  );
  const code = url.searchParams.get('auth-code');
  await tour.call('GET', `/v2/sso/token?auth-code=${code}`, { headers, expect: 401 });
  tour.check('a code works once', true);
  const wallet = await tour.call<{ Balance: number }>('GET', '/v2/sso/wallet', { headers: customer });
  tour.check('the wallet has a balance of 0', wallet.body.Balance === 0);
  return customer;
}

/** Sets a new password by OTP, which ends the logins of the old one. Returns the headers of Ada's new calls. */
export async function resetPassword(context: TourContext, { headers }: Partner, before: Headers): Promise<Headers> {
  const { tour } = context;
  tour.chapter('Ada forgets the password and sets a new one by OTP');
  const started = await tour.call<{ session: string }>('POST', '/v2/sso/password', {
    headers,
    json: { paytag: handles.ada },
  });
  const { session } = started.body;
  await tour.call('GET', `/v2/sso/${session}/otp`, { headers });
  await tour.call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: SIMULATOR_OTP } });
  await tour.call('POST', `/v2/sso/password/${session}/complete`, { headers, json: { password: NEW_PASSWORD } });
  await tour.call('GET', '/v2/sso/wallet', { headers: before, expect: 401 });
  tour.check('a token of the old password is refused', true);
  return (await logIn(context, headers, handles.ada, NEW_PASSWORD)).customer;
}

/** From the password to the token, and the headers of the customer's calls. */
async function logIn({ tour }: TourContext, headers: Headers, paytag: string, password: string) {
  const redirect = await tour.call('POST', '/v2/sso/auth-code?scope=profile', { headers, json: { paytag, password } });
  const url = new URL(redirect.text);
  const code = url.searchParams.get('auth-code');
  const { text: token } = await tour.call('GET', `/v2/sso/token?auth-code=${code}`, { headers });
  return { url, token, customer: { ...headers, authorization: `Bearer ${token}` } };
}
