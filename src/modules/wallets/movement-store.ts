import { gathered } from '#lib/gathered.ts';
import { preparedText } from '#lib/prepared.ts';
import type { Currency } from '#modules/ledger';
import type { Tier } from './tables.ts';

/** The two accounts between which a partner moves money of one of its wallets. */
interface MovementAccounts {
  ordinal: number;
  wallet: number;
  float: number;
  currency: Currency;
}

const selectAccounts = preparedText<MovementAccounts>(
  'wallets.movement-accounts',
  `select asked.ordinal::int, w.account_id::float8 as wallet, f.id::float8 as float, a.currency
     from unnest($1::uuid[], $2::text[]) with ordinality asked (partner, reference, ordinal)
     join wallets.partner_wallet w on w.reference = asked.reference and w.partner_id = asked.partner and w.revoked_at is null
     join ledger.account a on a.id = w.account_id
     join ledger.account f on f.kind = 'FLOAT' and f.reference = w.partner_id::text and f.currency = a.currency`,
);

/** The accounts of a live wallet of this partner, and of no other. Partners that ask at the same moment share a statement. */
export const selectMovementAccounts = gathered<{ partnerId: string; walletReference: string }, MovementAccounts>(
  (db, asked) =>
    selectAccounts(db, [asked.map(({ partnerId }) => partnerId), asked.map(({ walletReference }) => walletReference)]),
);

/** Whoever would take part in a transfer. What is not found is null. */
interface TransferParties {
  ordinal: number;
  /** The live wallet of the sender at the partner. */
  sender: number | null;
  senderTier: Tier | null;
  /** Who has the PayTag. */
  payee: string | null;
  isSuspended: boolean | null;
  /** The wallet into which money sent to it is paid. */
  receiver: number | null;
}

const selectParties = preparedText<TransferParties>(
  'wallets.transfer-parties',
  `select asked.ordinal::int, s.account_id::float8 as sender, s.tier as "senderTier", p.customer_id as payee,
          p.is_suspended as "isSuspended", r.account_id::float8 as receiver
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
