import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();

it('in a month that has no part of the entries a movement is refused for now, moves nothing, and is made once there is one', async () => {
  const { partner, wallet } = await fundedWallet(server, 500);
  const { rows } = await server.owner.query<{ part: string }>(
    'select part from ledger.entry_parts() where ends_at > now()',
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { part } of rows) await server.owner.query(`drop table ledger.${part}`);
  const payload = { amount: 100, reference: 'in-no-month' };
  const debit = () => moveMoney(server, partner, wallet, 'debit', payload);

  const refused = await debit();
  expect(refused.statusCode).toBe(503);
  expect(refused.json()).toMatchObject({ errorCode: 'STORE_UNAVAILABLE' });
  expect(refused.headers['retry-after']).toBe('1');
  expect(server.logged).toContain('entries, events or deliveries have no part for this month');

  await server.owner.query('select ledger.make_months()');
  expect((await debit()).statusCode).toBe(200);
  const found = await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers });
  expect(found.json().Wallet.TotalAmount).toBe(400);
});
