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
