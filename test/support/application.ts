import type { TestApp } from './app.ts';

export interface TestApplication {
  applicationId: string;
  namespace: string;
  client_id: string;
  client_secret: string;
  webhookSecret: string;
  /** Its token, ready to send. */
  headers: { authorization: string };
}

/** A new application, through `POST /v1/applications`, with a token from `POST /v1/auth/token`. */
export async function newApplication(
  server: TestApp,
  applicationName = 'Acme',
  given: { webhookUrl?: string } = {},
): Promise<TestApplication> {
  const answer = await server.call('POST', '/api/v1/applications', { payload: { applicationName, ...given } });
  const { data } = answer.json<{ data: Omit<TestApplication, 'headers'> }>();
  return { ...data, headers: await newToken(server, data) };
}

/** A fresh token of an application, ready to send: the time may have passed. */
export async function newToken(
  server: TestApp,
  { client_id, client_secret }: Pick<TestApplication, 'client_id' | 'client_secret'>,
): Promise<TestApplication['headers']> {
  const answer = await server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } });
  return { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` };
}
