import type { SqlInvariant } from '#lib/room.ts';

const MOVED = `t.status in ('Pending', 'Successful', 'Reversed')`;
const MOVES_FLOAT = `t.type in ('FLOAT_FUNDING', 'FLOAT_SETTLEMENT')`;

/** What the operator did to wallets and floats, held against the audit log. */
export const auditInvariants: readonly SqlInvariant[] = [
  {
    name: 'wallet_rules_are_audited',
    promise:
      'status, daily limit and tier of a wallet are those of its last audited change; one that was never changed is Enabled, without a limit of its own, in the tier that it was opened with',
    offenders: () => `
      with change as (
        select target, (array_agg(after ->> 'status' order by id desc))[1] as status,
            (array_agg(after order by id desc) filter (where action = 'wallet.change'))[1] as rules
          from audit.entry where action in ('wallet.change', 'wallet.revoke') group by target)
      select w.id as wallet_id, w.reference, a.status, c.status as audited_status, a.daily_limit,
          c.rules ->> 'dailyLimit' as audited_daily_limit, w.tier, c.rules ->> 'tier' as audited_tier
        from wallets.partner_wallet w join ledger.account a on a.id = w.account_id left join change c on c.target = w.reference
        where a.status <> coalesce(c.status, 'Enabled')
          or a.daily_limit::text is distinct from (c.rules ->> 'dailyLimit')
          or w.tier::text <> coalesce(c.rules ->> 'tier', case when w.customer_id is null then '1' else '2' end)`,
  },
  {
    name: 'primary_wallets_are_audited',
    promise:
      'money sent to a customer’s PayTag arrives in the wallet of the last audited change of that, or in their oldest where that one was revoked, or there was none',
    offenders: () => `
      with held as (
        select w.*, exists (select from audit.entry x where x.target = w.reference and x.action = 'wallet.revoke') as is_revoked
          from wallets.partner_wallet w where w.customer_id is not null),
      change as (
        select distinct on (target) target, after ->> 'wallet' as wallet from audit.entry where action = 'wallet.primary'
          order by target, id desc)
      select x.customer_id, x.audited, x.is_primary from (
        select h.customer_id, min(h.reference) filter (where h.is_primary) as is_primary,
            coalesce(min(h.reference) filter (where h.reference = c.wallet and not h.is_revoked),
              (array_agg(h.reference order by h.id) filter (where not h.is_revoked))[1]) as audited
          from held h left join change c on c.target = h.customer_id::text group by 1) x
        where x.is_primary is distinct from x.audited`,
  },
  {
    name: 'liens_are_audited',
    promise: 'what liens block of a wallet is what was audited as placed, less what was audited as lifted',
    offenders: () => `
      select w.id as wallet_id, w.reference, a.liens, x.amount as audited from wallets.partner_wallet w
        join ledger.account a on a.id = w.account_id
        left join (select target, sum(case when action = 'wallet.lien.place' then (after ->> 'amount')::bigint
                                           else -(before ->> 'amount')::bigint end) as amount
                     from audit.entry where action in ('wallet.lien.place', 'wallet.lien.lift') group by 1) x
          on x.target = w.reference
        where a.liens <> coalesce(x.amount, 0)`,
  },
  {
    name: 'float_movements_are_audited',
    promise:
      'every funding and settlement of a float has its audit entry, of the same amount, and no audit entry is without its movement',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
        where ${MOVES_FLOAT} and ${MOVED} and ${moment('t.created_at')}
          and not exists (
            select from audit.entry x where x.target = t.partner_id::text and x.action in ('float.fund', 'float.settle')
              and x.after ->> 'reference' = t.reference and x.after ->> 'currency' = t.currency
              and (x.after ->> 'balance')::bigint - (x.before ->> 'balance')::bigint
                = case t.type when 'FLOAT_FUNDING' then t.amount else -t.amount end)
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action in ('float.fund', 'float.settle') and ${moment('x.at')}
          and not exists (select from ledger.transaction t where t.reference = x.after ->> 'reference' and ${MOVES_FLOAT}
                            and t.partner_id::text = x.target and ${MOVED})`,
  },
  {
    name: 'operator_refunds_are_audited',
    promise:
      'every refund that the operator made has its audit entry, of the same amount, and no audit entry is without its refund',
    offenders: ({ moment }) => `
      select t.id as transaction_id, t.reference, t.amount, null::bigint as audit_id from ledger.transaction t
          join ledger.transaction o on o.id = t.original_id
        where t.type = 'PARTNER_REFUND' and t.namer = 'OPERATOR' and ${MOVED}
          and ${moment('t.created_at')}
          and not exists (select from audit.entry x where x.target = o.reference and x.action = 'transaction.refund'
                            and x.after ->> 'reference' = t.reference and x.after ->> 'amount' = t.amount::text)
      union all
      select null, x.after ->> 'reference', null, x.id from audit.entry x
        where x.action = 'transaction.refund' and ${moment('x.at')}
          and not exists (select from ledger.transaction t join ledger.transaction o on o.id = t.original_id
                            where t.reference = x.after ->> 'reference' and t.type = 'PARTNER_REFUND' and o.reference = x.target
                              and t.amount::text = x.after ->> 'amount' and ${MOVED})`,
  },
  {
    name: 'refunds_name_their_original',
    promise: 'the external reference of a refund is the reference of what it refunds',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.external_reference, o.reference as original from ledger.transaction t
        join ledger.transaction o on o.id = t.original_id
        where t.type = 'PARTNER_REFUND' and ${MOVED} and ${moment('t.created_at')}
          and t.external_reference is distinct from o.reference`,
  },
];
