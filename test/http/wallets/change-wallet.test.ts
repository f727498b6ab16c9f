import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { eventsOf } from '../../support/books.ts';
import { changeWallet, fundedWallet, moveMoney, refund } from '../../support/wallets.ts';

const server = useSharedApp();

it('changing a wallet’s status brings every refund that waited when the wallet takes money again, and none while it does not', async () => {
  const { partner, wallet } = await fundedWallet(server, 100);
  for (const reference of ['a', 'b']) {
    await moveMoney(server, partner, wallet, 'debit', { amount: 30, reference });
  }
  await changeWallet(server, wallet, { status: 'Blocked' });
  for (const reference of ['a', 'b']) await refund(server, partner, reference, { reference: `back-${reference}` });
  expect((await changeWallet(server, wallet, { status: 'PNC' })).json()).toMatchObject({ totalAmount: 40 });
  expect((await changeWallet(server, wallet, { status: 'PND' })).json()).toMatchObject({ totalAmount: 100 });
  const events = await eventsOf(server, wallet);
  expect(events.map(({ data }) => (data as { Amount: number }).Amount)).toEqual([100, -30, -30, 30, 30]);
});
