import type { Room, SqlInvariant } from '#lib/room.ts';

/** What must be true of customers whom the operator froze, or whose BVN was handed back, at any moment. */
const invariants: readonly SqlInvariant[] = [
  {
    name: 'freezes_are_audited',
    promise: 'a customer is frozen exactly when the last audited freeze or release of them says so',
    offenders: () => `
      with change as (
        select target, (array_agg(after ->> 'status' order by id desc))[1] as status
          from audit.entry where action in ('customer.freeze', 'customer.release') group by target)
      select c.id as customer_id, c.frozen_at, x.status as audited from customers.customer c
        left join change x on x.target = c.id::text
        where (c.frozen_at is not null) <> (coalesce(x.status, 'ACTIVE') = 'FROZEN')`,
  },
  {
    name: 'handed_back_bvns_are_audited',
    promise: 'a BVN was handed back exactly when the audit log says so, and the PayTag that had it is not active',
    offenders: () => `
      select c.id as customer_id, c.bvn_handed_back_at, t.status as tag from customers.customer c
        join tags.tag t on t.id = c.tag_id
        where (c.bvn_handed_back_at is not null) <> exists (
                select from audit.entry e where e.action = 'customer.hand-back-bvn' and e.target = c.id::text)
          or c.bvn_handed_back_at is not null and t.status = 'ACTIVE'`,
  },
  {
    name: 'frozen_customers_are_shut_out',
    promise:
      'a frozen customer has no session that lives, and a wallet that pays only where the operator has opened it since',
    offenders: () => `
      select c.id as customer_id, 'session' as what, s.id::text as which from customers.customer c
        join sessions.session s on s.customer_id = c.id
        where c.frozen_at is not null and s.revoked_at is null and s.expires_at > clock_timestamp()
      union all
      select c.id, 'wallet', w.reference from customers.customer c
        join wallets.partner_wallet w on w.customer_id = c.id and w.status_before_freeze is not null and w.revoked_at is null
        join ledger.account a on a.id = w.account_id
        where c.frozen_at is null or a.status not in ('PND', 'Blocked')`,
  },
];

export const room: Room = { invariants: () => invariants };
