import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createOperator } from '#modules/operators';
import type { Answer, TestApp } from './app.ts';
import { another } from './tags.ts';
import { newReference } from './wallets.ts';

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

/** What `fundFloat` moves, where APPROVAL_ABOVE is less. */
export const AMOUNT = 5000;

export interface PendingFunding {
  /** The request's. */
  id: string;
  partnerId: string;
  reference: string;
}

/** Has an operator ask for money on the float of a new partner, which waits for another's approval. */
export async function askedFunding(server: TestApp, by: Pick<TestOperator, 'operate'>): Promise<PendingFunding> {
  const { id: partnerId } = await server.newPartner();
  const reference = newReference();
  const answer = await by.operate('POST', `/partners/${partnerId}/float`, { amount: AMOUNT, reference });
  expect(answer.statusCode).toBe(202);
  return { id: answer.json<{ id: string }>().id, partnerId, reference };
}

/** What stands on a partner's float, in naira. */
export async function floatOf(server: TestApp, partnerId: string): Promise<number> {
  const { floats } = (await server.operate('GET', `/partners/${partnerId}`)).json();
  return floats.find(({ currency }: { currency: string }) => currency === 'NGN').balance;
}

export const approve = (by: Pick<TestOperator, 'operate'>, id: string): Promise<Answer> =>
  by.operate('POST', `/approvals/${id}/approve`, {});

export interface AuditEntry {
  actor: string;
  action: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
}

/** What the audit log says of a target, oldest first. */
export async function auditOf({ resources }: TestApp, target: string): Promise<AuditEntry[]> {
  const { rows } = await resources.pool.query<AuditEntry>(
    'select actor, action, before, after, reason from audit.entry where target = $1 order by id',
    [target],
  );
  return rows;
}

export interface WrittenEntry extends AuditEntry {
  id: number;
  at: Date;
  target: string;
}

/** What the audit log says since entry `after`, oldest first, whatever it is about. */
export async function auditSince({ resources }: TestApp, after: number): Promise<WrittenEntry[]> {
  const { rows } = await resources.pool.query<WrittenEntry>(
    'select id::int, at, actor, action, target, before, after, reason from audit.entry where id > $1 order by id',
    [after],
  );
  return rows;
}

/** An entry of what root did. */
export const byRoot = (
  action: string,
  { before = null, after = null, reason = null }: Partial<Pick<AuditEntry, 'before' | 'after' | 'reason'>> = {},
): AuditEntry => ({ actor: 'operator:root', action, before, after, reason });
