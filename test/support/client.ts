import { request } from 'undici';
import { OPERATOR_TOKEN } from './process.ts';

export interface ClientAnswer<Body> {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The parsed body; of a text answer, the text. */
  readonly body: Body;
}

export interface ClientCall {
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Client = <Body = Record<string, unknown>>(
  method: Method,
  path: string,
  call?: ClientCall,
) => Promise<ClientAnswer<Body>>;

/** Calls a server over real HTTP. */
export const clientOf = (origin: string): Client => {
  return async <Body>(method: Method, path: string, { headers = {}, json, form }: ClientCall = {}) => {
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const text = json === undefined ? undefined : JSON.stringify(json);
    const payload = form === undefined ? text : new URLSearchParams(form).toString();
    const answer = await request(origin + path, {
      method,
      headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': type }) },
      body: payload ?? null,
    });
    const received = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: received,
      body: (isJson ? JSON.parse(received) : received) as Body,
    };
  };
};

export interface RemotePartner {
  id: string;
  clientId: string;
  apiKey: string;
  webhookSecret: string;
}

/** A partner created and funded over HTTP, and the headers it calls with. */
export async function remotePartner(
  client: Client,
  given: { name: string; redirectUrl?: string; webhookUrl?: string; float?: number; operatorToken?: string },
): Promise<RemotePartner & { headers: Record<string, string> }> {
  const {
    float = 0,
    redirectUrl = 'https://partner.example/callback',
    operatorToken = OPERATOR_TOKEN,
    ...rest
  } = given;
  const operator = { authorization: `Bearer ${operatorToken}` };
  const { body } = await client<RemotePartner>('POST', '/operator/v1/partners', {
    headers: operator,
    json: { ...rest, redirectUrl },
  });
  if (float > 0) {
    const funding = { amount: float, reference: `opening-${body.id}` };
    await client('POST', `/operator/v1/partners/${body.id}/float`, { headers: operator, json: funding });
  }
  return { ...body, headers: { 'x-client-id': body.clientId, 'x-api-key': body.apiKey } };
}

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

export interface RemoteCustomer {
  paytag: string;
  /** Her wallet's reference at the partner. */
  wallet: string;
  /** Credentials of the partner and her token. */
  headers: Record<string, string>;
}

/** Somebody who onboards at a partner and logs in there, all over HTTP. */
export async function remoteCustomer(
  call: Client,
  partner: RemoteCaller,
  given: { paytag: string; bvn: string; firstName: string; phone: string },
): Promise<RemoteCustomer> {
  const { paytag, ...names } = given;
  const sso = ssoOf(call, partner);
  const { session } = (await sso.start({ ...names, lastName: 'Obi', dateOfBirth: '1994-05-17' })).body;
  await sso.sendOtp(session);
  await sso.giveOtp(session, OTP_OF_THE_SIMULATOR);
  await sso.complete(session, { paytag, password: PASSWORD });

  const headers = await sso.customer(paytag);
  const path = `/v2/partner/paytag/bvn/${given.bvn}`;
  const linked = await call<{ Reference: string }>('POST', path, { headers: partner.headers });
  return { paytag, wallet: linked.body.Reference, headers };
}
