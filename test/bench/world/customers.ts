import type { Pool } from 'pg';
import type { Client } from '../../support/client.ts';
import { type RemoteCustomer, remoteCustomer } from '../../support/client.ts';
import type { BenchPartner } from './partners.ts';

export interface BenchCustomer extends RemoteCustomer {
  customerId: string;
  /** The ledger account of their wallet. */
  account: number;
}

/** Customers who have onboarded and logged in at a partner, each with money in their wallet. */
export async function newCustomers(
  call: Client,
  pool: Pool,
  partner: BenchPartner,
  count: number,
): Promise<BenchCustomer[]> {
  const customers: BenchCustomer[] = [];
  for (let index = 0; index < count; index++) {
    const number = String(1001 + index);
    const person = { bvn: `2221234${number}`, phone: `+234803123${number}`, firstName: 'Ada' };
    const customer = await remoteCustomer(call, partner, { paytag: `bench.${number}`, ...person });
    const json = { amount: 100_000, reference: `opening-of-${number}` };
    await call('POST', `/v2/partner/wallet/${customer.wallet}/credit`, { headers: partner.headers, json });
    const { rows } = await pool.query<{ customer_id: string; account_id: string }>(
      'select customer_id, account_id from wallets.partner_wallet where reference = $1',
      [customer.wallet],
    );
    customers.push({ ...customer, customerId: String(rows[0]?.customer_id), account: Number(rows[0]?.account_id) });
  }
  return customers;
}
