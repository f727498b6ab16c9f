import { type RowInSql, rowInSql } from '#lib/crypto/routing-facts.ts';
import { gathered } from '#lib/postgres/gathered-reads.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { PayeeRows } from '#modules/customers';
import type { Tier } from './tables.ts';
import { walletRoute } from './wallet-route.ts';

/** Whoever would take part in a transfer. What is not found is null. */
interface TransferParties {
  ordinal: number;
  /** The live wallet of the sender at the partner. */
  sender: number | null;
  senderTier: Tier | null;
  senderRoute: RowInSql<typeof walletRoute>;
  /** Who has the PayTag. */
  payee: string | null;
  isSuspended: boolean | null;
  payeeRows: PayeeRows;
  /** The wallet into which money sent to it is paid. */
  receiver: number | null;
  receiverRoute: RowInSql<typeof walletRoute>;
}

const selectParties = preparedText<TransferParties>(
  'wallets.transfer-parties',
  `select asked.ordinal::int, s.account_id::float8 as sender, s.tier as "senderTier",
          ${rowInSql(walletRoute, 's')} as "senderRoute", ${rowInSql(walletRoute, 'r')} as "receiverRoute", p.customer_id as payee,
          p.is_suspended as "isSuspended", json_build_object('tag', p.tag, 'customer', p.customer) as "payeeRows", r.account_id::float8 as receiver
     from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality asked (partner, customer, handle, ordinal)
     left join wallets.partner_wallet s
       on s.partner_id = asked.partner and s.customer_id = asked.customer and s.revoked_at is null
     left join lateral customers.payee(asked.handle) p on true
     left join wallets.partner_wallet r on r.customer_id = p.customer_id and r.is_primary and r.revoked_at is null`,
);

/** A customer's wallet at a partner, and whoever has a PayTag, by its handle. Those who ask at the same moment share a statement. */
export const selectTransferParties = gathered<
  { partnerId: string; customerId: string; handle: string },
  TransferParties
>((db, asked) =>
  selectParties(db, [
    asked.map(({ partnerId }) => partnerId),
    asked.map(({ customerId }) => customerId),
    asked.map(({ handle }) => handle),
  ]),
);
