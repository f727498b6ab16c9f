import type { Client, RemotePartner } from './client.ts';

const PASSWORD = 'correct horse battery staple';
const OTP_OF_THE_SIMULATOR = '123456';

export interface RemoteCustomer {
  paytag: string;
  /** Her wallet's reference at the partner. */
  wallet: string;
  /** Credentials of the partner and her token. */
  headers: Record<string, string>;
}

type Caller = Pick<RemotePartner, 'clientId'> & { headers: Record<string, string> };

/** Somebody who onboards at a partner and logs in there, all over HTTP. */
export async function remoteCustomer(
  call: Client,
  { headers }: Caller,
  given: { paytag: string; bvn: string; firstName: string; phone: string },
): Promise<RemoteCustomer> {
  const { paytag, ...names } = given;
  const person = { ...names, lastName: 'Obi', dateOfBirth: '1994-05-17' };
  const started = await call<{ session: string }>('POST', '/v2/sso/create-tag', { headers, json: person });
  const { session } = started.body;
  await call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers });
  await call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: OTP_OF_THE_SIMULATOR } });
  const login = { paytag, password: PASSWORD };
  await call('POST', `/v2/sso/create-tag/${session}/complete`, { headers, json: login });

  const redirect = await call<string>('POST', '/v2/sso/auth-code?scope=profile', { headers, json: login });
  const code = new URL(redirect.text).searchParams.get('auth-code');
  const token = await call<string>('GET', `/v2/sso/token?auth-code=${code}`, { headers });
  const linked = await call<{ Reference: string }>('POST', `/v2/partner/paytag/bvn/${given.bvn}`, { headers });
  return {
    paytag,
    wallet: linked.body.Reference,
    headers: { ...headers, authorization: `Bearer ${token.text}` },
  };
}
