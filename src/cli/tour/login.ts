import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { ada, bola, type Headers, handles, OTP_OF_THE_SIMULATOR, PASSWORD, type Partner, type Stage } from './cast.ts';

const NEW_PASSWORD = 'a rainy Tuesday in Jos';

/** Onboarding: Bola from nothing, Ada who has a PayTag and no password yet. */
export async function customersOnboard({ guide }: Stage, { headers }: Partner): Promise<void> {
  guide.chapter('Customers prove themselves by BVN and OTP, and choose a password');
  const free = await guide.call<{ available: boolean }>('GET', `/v2/sso/verify-tag?paytag=${handles.bola}`, {
    headers,
  });
  guide.tick(`${handles.bola} is free`, free.body.available);
  for (const [person, paytag] of [
    [bola, handles.bola],
    [ada, handles.ada],
  ] as const) {
    const started = await guide.call<{ session: string }>('POST', '/v2/sso/create-tag', { headers, json: person });
    const { session } = started.body;
    await guide.call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers });
    await guide.call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: OTP_OF_THE_SIMULATOR } });
    await guide.call('POST', `/v2/sso/create-tag/${session}/complete`, {
      headers,
      json: { paytag, password: PASSWORD },
    });
  }
  guide.tick('Ada, whom a partner created, has a password now', true);
}

/** Login: code, token, wallet. */
export async function customerLogsIn(stage: Stage, { headers }: Partner): Promise<Headers> {
  const { guide } = stage;
  guide.chapter('Ada logs in');
  const { customer, url, token } = await logIn(stage, headers, handles.ada, PASSWORD);
  guide.tick('the redirect keeps the partner’s own query', url.searchParams.get('shop') === '1');
  const jwks = await guide.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(token, createLocalJWKSet(jwks.body), { algorithms: ['ES256'] });
  guide.tick(`the customer token verifies by the published keys, for ${payload.exp! - payload.iat!} s`, true);
  const code = url.searchParams.get('auth-code');
  await guide.call('GET', `/v2/sso/token?auth-code=${code}`, { headers, expect: 401 });
  guide.tick('a code is good once', true);
  const wallet = await guide.call<{ Balance: number }>('GET', '/v2/sso/wallet', { headers: customer });
  guide.tick('her wallet answers with its Balance', wallet.body.Balance === 0);
  return customer;
}

/** A forgotten password ends what the old one had begun. */
export async function passwordIsForgotten(stage: Stage, { headers }: Partner, before: Headers): Promise<Headers> {
  const { guide } = stage;
  guide.chapter('Ada forgets her password and sets another by OTP');
  const started = await guide.call<{ session: string }>('POST', '/v2/sso/password', {
    headers,
    json: { paytag: handles.ada },
  });
  const { session } = started.body;
  await guide.call('GET', `/v2/sso/${session}/otp`, { headers });
  await guide.call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: OTP_OF_THE_SIMULATOR } });
  await guide.call('POST', `/v2/sso/password/${session}/complete`, { headers, json: { password: NEW_PASSWORD } });
  await guide.call('GET', '/v2/sso/wallet', { headers: before, expect: 401 });
  guide.tick('the token of the old password is dead', true);
  return (await logIn(stage, headers, handles.ada, NEW_PASSWORD)).customer;
}

/** From the password to the token and the headers of her calls. */
async function logIn({ guide }: Stage, headers: Headers, paytag: string, password: string) {
  const redirect = await guide.call('POST', '/v2/sso/auth-code?scope=profile', { headers, json: { paytag, password } });
  const url = new URL(redirect.text);
  const code = url.searchParams.get('auth-code');
  const { text: token } = await guide.call('GET', `/v2/sso/token?auth-code=${code}`, { headers });
  return { url, token, customer: { ...headers, authorization: `Bearer ${token}` } };
}
