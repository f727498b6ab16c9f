import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { decide, newSide, offer, transactionEvents, walletTotals } from '../../support/switch.ts';
import { refusesAsAllDecisions } from './switch-refusals.ts';

const server = useApp();

it('200: returns the held amount to the sender, with the reason', async () => {
  const [acme, market] = [await newSide(server), await newSide(server)];
  const { webhooks: _none, ...waiting } = await offer(server, acme, market);
  const answer = await decide(server, market, waiting.id, 'reject');
  expect(answer.statusCode).toBe(200);
  const { webhooks: _own, ...rejected } = answer.json().data;
  expect(rejected).toEqual({
    ...waiting,
    status: 'REJECTED',
    rejectedAt: rejected.updatedAt,
    rejectionReason: 'not today',
    updatedAt: expect.any(String),
  });
  expect(await walletTotals(server, acme)).toEqual({ total: 100_000_000, held: 0 });
  expect(await walletTotals(server, market)).toEqual({ total: 100_000_000, held: 0 });
  expect(await transactionEvents(server, acme)).toEqual([
    { event: 'TRANSACTION_REJECTED', reference: waiting.reference, data: { ...rejected, narration: '', webhooks: [] } },
  ]);
});

describe('refusals', () => {
  refusesAsAllDecisions(server, 'reject', 'receiver');
});
