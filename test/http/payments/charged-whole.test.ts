import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { paymentsOf } from '../../support/payments.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';

const server = useApp({ FEE_PARTNER_TERMINAL: '100%' });
const { atTerminal } = paymentsOf(server);

it('an instalment that its split refuses and charges would take whole waits whole, without charges', async () => {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner);
  const split = await newSplit(server, terminal, 100);
  const answer = await atTerminal(terminal, { split, amount: 101 });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    expect.objectContaining({ Status: 'Pending', Fee: 0, Net: 101 }),
  ]);
  expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 0, Status: 'Pending' });
  expect(await brokenInvariants(server)).toEqual([]);
});
