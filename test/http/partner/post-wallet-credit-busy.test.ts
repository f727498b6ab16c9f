import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { postingBetween } from '../../support/post.ts';
import { openLocker } from '../../support/row-locks.ts';

/** Two calls of as many as one takes, and what may wait behind them. */
const ACCEPTED = 2 * 64 + 1_024;

const server = useApp();

it('a credit beyond what may wait is 503 with Retry-After at once, and moves its money when it is sent again', async () => {
  const { id, headers } = await server.newPartner({ float: 100 });
  const payload = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  const wallet = (await server.call('POST', '/v2/partner/wallet', { headers, payload })).json().Reference;
  const { pool, poster } = server.resources;
  const { rows } = await pool.query(
    `select (select id from ledger.account where kind = 'FLOAT' and partner_id = $1 and currency = 'NGN') as float,
            (select id from ledger.account where kind = 'WALLET' and partner_id = $1) as wallet`,
    [id],
  );
  const accounts = { float: Number(rows[0].float), wallet: Number(rows[0].wallet) };
  const locker = await openLocker(pool);
  await locker.lock('ledger.account', [accounts.float]);
  const accepted = Array.from({ length: ACCEPTED }, (_, at) =>
    poster.post(postingBetween(accounts.float, accounts.wallet, 1n, { owner: id, partner: id, reference: `w-${at}` })),
  );
  const credit = () =>
    server.call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers, payload: { amount: 1, reference: 'late' } });
  const refused = await credit();
  expect([refused.statusCode, refused.json().errorCode, refused.headers['retry-after']]).toEqual([503, 'BUSY', '1']);
  await locker.release();
  await Promise.all(accepted);
  expect((await credit()).json()).toMatchObject({ Status: 'Successful', ClosingBalance: 12.52 });
});
