import type { Pool } from 'pg';
import type { Currency } from '#modules/ledger';

/** The two accounts between which a partner moves money of one of its wallets. */
export interface MovementAccounts {
  wallet: number;
  float: number;
  currency: Currency;
}

const MOVEMENT_ACCOUNTS = `
  select w.account_id as wallet, f.id as float, a.currency
    from wallets.partner_wallet w
    join ledger.account a on a.id = w.account_id
    join ledger.account f on f.kind = 'FLOAT' and f.reference = w.partner_id::text and f.currency = a.currency
   where w.reference = $1 and w.partner_id = $2 and w.revoked_at is null`;

/** The accounts of a live wallet of this partner, and of no other. Prepared: every credit and debit asks for them. */
export async function selectMovementAccounts(
  pool: Pool,
  { partnerId, walletReference }: { partnerId: string; walletReference: string },
): Promise<MovementAccounts | undefined> {
  const { rows } = await pool.query<{ wallet: string; float: string; currency: Currency }>({
    name: 'movement-accounts',
    text: MOVEMENT_ACCOUNTS,
    values: [walletReference, partnerId],
  });
  const [found] = rows;
  return found && { wallet: Number(found.wallet), float: Number(found.float), currency: found.currency };
}
