import { expect, it } from 'vitest';
import { asMinor, placeHold } from '#modules/ledger';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { changeWallet, fundedWallet, moveMoney, refund } from '../../support/wallets.ts';

const server = useApp({ FEE_PARTNER_WALLET_DEBIT: '2' });
const HOUR_MS = 60 * 60 * 1000;

const accountOf = async (reference: string): Promise<{ id: number; suspended: number; posted: number }> => {
  const { rows } = await server.owner.query(
    'select id::int, suspended::int, posted::int from ledger.account where reference = $1 and currency = $2',
    [reference, 'NGN'],
  );
  return rows[0];
};

it('an overdue hold is released, another one stays until it is overdue', async () => {
  const { partner, wallet } = await fundedWallet(server, 100);
  const { id } = await accountOf(wallet);
  const now = server.clock.now().getTime();
  for (const [reference, hours] of [
    ['short', 1],
    ['long', 5],
  ] as const) {
    const expiresAt = new Date(now + hours * HOUR_MS);
    const hold = { owner: partner.id, reference, account: id, amount: asMinor(1_000n), expiresAt };
    await placeHold(server.resources.db, hold);
  }
  await maintain(server.resources);
  expect(await accountOf(wallet)).toMatchObject({ suspended: 2_000 });
  for (const [reference, suspended] of [
    ['short', 1_000],
    ['long', 0],
  ] as const) {
    await server.owner.query(`update ledger.hold set expires_at = now() where owner_id = $1 and reference = $2`, [
      partner.id,
      reference,
    ]);
    await maintain(server.resources);
    expect(await accountOf(wallet)).toMatchObject({ suspended });
  }
});

it('what postings left to be added to our own accounts is added, once, also by several processes at a time', async () => {
  const { partner, wallet } = await fundedWallet(server, 100);
  await maintain(server.resources);
  const before = await accountOf('fee');
  for (let turn = 0; turn < 20; turn++) {
    await moveMoney(server, partner, wallet, 'debit', { amount: 3, reference: `r${turn}` });
  }
  expect(await accountOf('fee')).toEqual(before);
  await Promise.all(Array.from({ length: 4 }, () => maintain(server.resources)));
  expect(await accountOf('fee')).toMatchObject({ posted: before.posted + 20 * 200 });
  const { rows } = await server.owner.query('select count(*)::int as waiting from ledger.deferred_delta');
  expect(rows).toEqual([{ waiting: 0 }]);
});

it('a pending refund comes to a wallet that takes it again, once, also by several processes at a time', async () => {
  const { partner, wallet } = await fundedWallet(server, 100);
  await moveMoney(server, partner, wallet, 'debit', { amount: 40, reference: 'order' });
  await changeWallet(server, wallet, { status: 'Blocked' });
  await refund(server, partner, 'order', { reference: 'waits', amount: 30 });
  await maintain(server.resources);
  expect(await accountOf(wallet)).toMatchObject({ posted: 6_000 });

  // As if the process had died between the change and what follows from it.
  await server.owner.query(
    `with enabled as (update ledger.account set status = 'Enabled' where reference = $1 returning reference)
     insert into audit.entry (actor, action, target, after)
       select 'operator', 'wallet.change', reference, '{"status": "Enabled", "dailyLimit": null, "tier": 1}' from enabled`,
    [wallet],
  );
  await Promise.all(Array.from({ length: 4 }, () => maintain(server.resources)));
  await maintain(server.resources);
  expect(await accountOf(wallet)).toMatchObject({ posted: 9_000 });
  expect(await eventsOf(server, wallet)).toHaveLength(3);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('refunds, an operator who blocks and enables the wallet, and maintenance at the same time lose nothing and never deadlock', async () => {
  const { partner, wallet } = await fundedWallet(server, 100);
  await server.operate('POST', `/partners/${partner.id}/float`, { amount: 100, reference: `more-${partner.id}` });
  await moveMoney(server, partner, wallet, 'debit', { amount: 60, reference: 'order' });
  const times = <T>(count: number, work: (turn: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
  const [refunds, changes] = await Promise.all([
    times(60, (turn) => refund(server, partner, 'order', { reference: `r${turn}`, amount: 1 })),
    times(30, (turn) => changeWallet(server, wallet, { status: turn % 2 === 0 ? 'Blocked' : 'Enabled' })),
    times(10, () => maintain(server.resources)),
  ]);
  expect(new Set([...refunds, ...changes].map(({ statusCode }) => statusCode))).toEqual(new Set([200]));

  await changeWallet(server, wallet, { status: 'Enabled' });
  await maintain(server.resources);
  expect(await accountOf(wallet)).toMatchObject({ posted: 10_000 });
  expect(await eventsOf(server, wallet)).toHaveLength(2 + 60);
  expect(await brokenInvariants(server)).toEqual([]);
});
