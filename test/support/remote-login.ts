import type { Client, RemotePartner } from './client.ts';

export const PASSWORD = 'correct horse battery staple';
/** What the simulated messenger always sends. */
export const OTP_OF_THE_SIMULATOR = '123456';

export type RemoteCaller = Pick<RemotePartner, 'clientId'> & { headers: Record<string, string> };

/** What a partner's app calls while somebody onboards, logs in, or has forgotten her password. */
export function ssoOf(call: Client, { headers }: Pick<RemoteCaller, 'headers'>) {
  const sso = {
    /** `POST /sso/create-tag`. */
    start: (json: object) => call<{ session: string }>('POST', '/v2/sso/create-tag', { headers, json }),
    /** `POST /sso/password`. */
    forget: (paytag: string) => call<{ session: string }>('POST', '/v2/sso/password', { headers, json: { paytag } }),
    sendOtp: (session: string, channel = 'sms') =>
      call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers }),
    giveOtp: (session: string, otp: string) => call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp } }),
    read: (session: string) => call('GET', `/v2/sso?session=${session}`, { headers }),
    complete: (session: string, json: { paytag: string; password: string }) =>
      call('POST', `/v2/sso/create-tag/${session}/complete`, { headers, json }),
    completeReset: (session: string, password: string) =>
      call('POST', `/v2/sso/password/${session}/complete`, { headers, json: { password } }),
    /** `POST /sso/auth-code`. */
    logIn: (paytag: string, password = PASSWORD) =>
      call<string>('POST', '/v2/sso/auth-code?scope=profile', { headers, json: { paytag, password } }),
    /** The authorization code of a login. */
    code: async (paytag: string, password = PASSWORD) =>
      new URL((await sso.logIn(paytag, password)).text).searchParams.get('auth-code') ?? '',
    /** `GET /sso/token`. */
    exchange: (code: string) => call<string>('GET', `/v2/sso/token?auth-code=${code}`, { headers }),
    /** From password to the headers of a customer's calls. */
    customer: async (paytag: string, password = PASSWORD) => {
      const token = (await sso.exchange(await sso.code(paytag, password))).text;
      return { ...headers, authorization: `Bearer ${token}` };
    },
  };
  return sso;
}
