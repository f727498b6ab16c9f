import type { TestApp } from './app.ts';

export interface TestApplication {
  applicationId: string;
  namespace: string;
  client_id: string;
  client_secret: string;
}

/** A new application, through `POST /v1/applications`. */
export async function newApplication(server: TestApp, applicationName = 'Acme'): Promise<TestApplication> {
  const answer = await server.call('POST', '/api/v1/applications', { payload: { applicationName } });
  return answer.json<{ data: TestApplication }>().data;
}
