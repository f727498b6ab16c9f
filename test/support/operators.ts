import type { Answer, TestApp } from './app.ts';
import { another } from './tags.ts';

export interface TestOperator {
  id: string;
  name: string;
  token: string;
  /** As audit entries name them. */
  actor: string;
  operate: (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => Promise<Answer>;
}

/** Calls the operator API with a token. */
export const operateAs =
  (server: TestApp, token: string): TestOperator['operate'] =>
  (method, url, body) =>
    server.call(method, `/operator/v1${url}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: body }),
    });

/** A new operator, made by root. */
export async function newOperator(
  server: TestApp,
  role: 'viewer' | 'support' | 'finance' | 'admin',
): Promise<TestOperator> {
  const answer = await server.operate('POST', '/operators', { name: another(`${role} `), role });
  const { id, name, token } = answer.json<{ id: string; name: string; token: string }>();
  return { id, name, token, actor: `operator:${id} ${name}`, operate: operateAs(server, token) };
}
