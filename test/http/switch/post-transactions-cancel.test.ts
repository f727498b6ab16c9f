import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { decide, newSide, offer, setTagStatus, transactionEvents, walletTotals } from '../../support/switch.ts';
import { refusesAsAllDecisions } from './switch-refusals.ts';

const server = useApp();

it('200: returns the held amount to the sender, and notifies the receiver', async () => {
  const [acme, market] = [await newSide(server), await newSide(server)];
  const { webhooks: _none, ...waiting } = await offer(server, acme, market);
  const answer = await decide(server, acme, waiting.id, 'cancel');
  expect(answer.statusCode).toBe(200);
  const { webhooks, ...cancelled } = answer.json().data;
  expect(cancelled).toEqual({ ...waiting, status: 'CANCELLED', updatedAt: expect.any(String) });
  expect(webhooks).toEqual([]);
  expect(await walletTotals(server, acme)).toEqual({ total: 100_000_000, held: 0 });
  expect((await transactionEvents(server, market)).map(({ event, data }) => [event, data.status])).toEqual([
    ['TRANSACTION_INITIATED', 'AWAITING_ACCEPTANCE'],
    ['TRANSACTION_CANCELLED', 'CANCELLED'],
  ]);
});

it('200: a tag that was suspended meanwhile does not keep its money held', async () => {
  const [acme, market] = [await newSide(server), await newSide(server)];
  const { id } = await offer(server, acme, market);
  await setTagStatus(server, acme.tag, 'SUSPENDED');
  const headers = { ...acme.headers, 'content-type': 'text/plain' };
  const answer = await server.call('POST', `/api/v1/transactions/${id}/cancel`, { headers });
  expect(answer.statusCode).toBe(200);
});

describe('refusals', () => {
  refusesAsAllDecisions(server, 'cancel', 'sender');
});
