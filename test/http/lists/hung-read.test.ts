import { expect, it } from 'vitest';
import { holdTable } from '../../faults/held-table.ts';
import { useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { fundedWallet, moveMoney } from '../../support/wallets.ts';

const server = useApp();

it('twenty lists of one partner that hang keep neither the money nor the lists of another waiting', async () => {
  const slow = await fundedWallet(server, 100);
  const terminal = await newTerminal(server, slow.partner);
  await newSplit(server, terminal, 10);
  const { partner, wallet } = await fundedWallet(server, 100);
  await moveMoney(server, partner, wallet, 'debit', { amount: 100, reference: 'back' });

  const held = await holdTable(server.owner, 'terminals.split', 'access exclusive');
  const hung = Array.from({ length: 20 }, async () =>
    server.call('GET', '/v2/partner/terminal/splits', { headers: { ...slow.partner.headers, 'x-terminal': terminal } }),
  );
  try {
    await held.waitedForBy('terminals');
    for (let n = 0; n < 10; n++) {
      const credited = await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference: `c${n}` });
      expect(credited.statusCode).toBe(200);
      const { headers } = partner;
      for (const path of ['wallet', 'webhook', 'webhook/deliveries?event=wallet.credited']) {
        expect((await server.call('GET', `/v2/partner/${path}`, { headers })).statusCode).toBe(200);
      }
    }
    await eventually(async () => {
      const { rows } = await server.owner.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    });
  } finally {
    await held.release();
  }
  for (const answer of await Promise.all(hung)) expect(answer.json()).toMatchObject({ count: 1 });
});
