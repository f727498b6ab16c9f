import { randomUUID } from 'node:crypto';
import { createOperator } from '#modules/operators';
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

/** A new operator, made by an admin who does nothing else, so that they are anybody's second. */
export async function newOperator(
  server: TestApp,
  role: 'viewer' | 'support' | 'finance' | 'admin',
): Promise<TestOperator> {
  const actor = `operator:${randomUUID()} ${another('admin ')}`;
  const made = await createOperator(server.resources, { actor, name: another(`${role} `), role });
  const { id, name, token } = made;
  return { id, name, token, actor: `operator:${id} ${name}`, operate: operateAs(server, token) };
}
