import { expect } from 'vitest';
import type { Answer, TestApp } from './app.ts';
import type { TestOperator } from './operators.ts';
import { newReference } from './payments.ts';

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
