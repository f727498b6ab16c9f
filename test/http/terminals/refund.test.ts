import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newSplit, newTerminal, payAt, seeSplit } from '../../support/terminals.ts';
import { refund } from '../../support/wallets.ts';

const server = useSharedApp();

it('the refund of an instalment leaves its split as it was paid: a new debt is another split', async () => {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner);
  const split = await newSplit(server, terminal, 300);
  await payAt(server, terminal, { split, amount: 100, reference: 'first' });
  expect((await refund(server, partner, 'first', { reference: 'first-back' })).json().Amount).toBe(100);
  const standing = { Amount: 300, TotalPaid: 100, Remaining: 200, Status: 'Pending' };
  expect(await seeSplit(server, partner, terminal, split)).toMatchObject(standing);
  await payAt(server, terminal, { split, amount: 200, reference: 'second' });
  expect((await refund(server, partner, 'second', { reference: 'second-back' })).json().Amount).toBe(200);
  const paid = { Amount: 300, TotalPaid: 300, Remaining: 0, Status: 'Paid' };
  expect(await seeSplit(server, partner, terminal, split)).toMatchObject(paid);
  expect((await payAt(server, terminal, { split, amount: 1 })).json().PendingReason).toBe('SPLIT_NOT_PAYABLE');
});
