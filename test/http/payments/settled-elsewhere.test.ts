import { expect, it } from 'vitest';
import type { Tx } from '#lib/database.ts';
import { settlePendingTo } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { newReference, newWallet, paymentsOf, resolve } from '../../support/payments.ts';
import { changeWallet } from '../../support/wallets.ts';

const server = useApp();
const { gateway } = paymentsOf(server);

it('what another session has returned since it was found waiting is not told as credited', async () => {
  const partner = await server.newPartner();
  const wallet = await newWallet(server, partner);
  await changeWallet(server, wallet.reference, { status: 'PNC' });
  const park = async (reference: string) =>
    (await gateway(partner, { walletReference: wallet.reference, reference, amount: 50 })).json();
  const [kept, returned] = [await park('kept'), await park('returned')];
  const other = await server.owner.connect();
  await other.query('begin');
  const { rows } = await other.query(`update ledger.account set status = 'Enabled' where reference = $1 returning id`, [
    wallet.reference,
  ]);
  const told: number[] = [];
  const afterSettling = async (_tx: Tx, ids: readonly number[]) => void told.push(...ids);
  // Both are found waiting, and the first of them is kept waiting for its account.
  const settling = server.resources.transact((tx) => settlePendingTo(tx, Number(rows[0].id), { afterSettling }));
  await eventually(async () => {
    const { rowCount } = await server.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%settle_pending%'`,
    );
    expect(rowCount).toBe(1);
  });
  const back = await resolve(server, returned.ID, { to: 'return', reference: newReference() });
  expect(back.statusCode).toBe(200);
  await other.query('commit');
  other.release();
  await settling;
  expect(told).toEqual([kept.ID]);
});
