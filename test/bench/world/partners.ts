import type { Pool } from 'pg';
import { type Client, type RemotePartner, remotePartner } from '../../support/client.ts';

const FLOAT = 500_000_000;
const WALLET_BALANCE = 1_000_000;

export interface BenchWallet {
  reference: string;
  /** The ledger account. */
  account: number;
}

export interface BenchPartner extends RemotePartner {
  headers: Record<string, string>;
  /** The ledger account of its float. */
  float: number;
  wallets: BenchWallet[];
}

/** A partner with a receiver of webhooks, a float, and wallets with money in them. */
export async function newPartner(call: Client, pool: Pool, wallets: number, name: string): Promise<BenchPartner> {
  // Nothing listens there, and no worker runs: its deliveries stay pending.
  const partner = await remotePartner(call, { name, float: FLOAT, webhookUrl: 'http://127.0.0.1:9/webhook' });
  const { headers } = partner;
  const references = await Promise.all(
    Array.from({ length: wallets }, async (_, index) => {
      const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
      const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json });
      const credit = { amount: WALLET_BALANCE, reference: `opening-${index}` };
      await call('POST', `/v2/partner/wallet/${body.Reference}/credit`, { headers, json: credit });
      return body.Reference;
    }),
  );
  const account = async (text: string, value: unknown) =>
    Number((await pool.query<{ id: string }>(text, [value])).rows[0]?.id);
  const float = await account(
    `select id from ledger.account where kind = 'FLOAT' and reference = $1 and currency = 'NGN'`,
    partner.id,
  );
  const found: BenchWallet[] = [];
  for (const reference of references) {
    const text = 'select account_id as id from wallets.partner_wallet where reference = $1';
    found.push({ reference, account: await account(text, reference) });
  }
  return { ...partner, headers, float, wallets: found };
}
