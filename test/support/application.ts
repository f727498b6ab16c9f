import type { Answer, TestApp } from './app.ts';

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
  given: { email?: string; imageUrl?: string; webhookUrl?: string } = {},
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
  const answer = await askForToken(server, { client_id, client_secret });
  return { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` };
}

/** `POST /v1/auth/token`, with the secret that an application was made with or another. */
export const askForToken = (
  server: TestApp,
  { client_id, client_secret }: Pick<TestApplication, 'client_id' | 'client_secret'>,
  another = client_secret,
): Promise<Answer> => server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret: another } });

/** `POST /operator/v1/applications/{id}/approve`, `/suspend` or `/restore`. */
export const operateApplication = (
  server: TestApp,
  id: string,
  what: 'approve' | 'suspend' | 'restore',
  body: object = { reason: 'a test asks for it' },
): Promise<Answer> => server.operate('POST', `/applications/${id}/${what}`, body);

/** A new application where they wait for approval, approved. */
export async function approvedApplication(server: TestApp): Promise<TestApplication> {
  const application = await newApplication(server);
  await operateApplication(server, application.applicationId, 'approve');
  return { ...application, headers: await newToken(server, application) };
}
