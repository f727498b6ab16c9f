import type { Invariant, IsSample } from '#lib/invariant.ts';
import { toldOnce } from '#modules/webhooks';

/** What must be true of disputes at any moment. */
export const invariants = (isSample: IsSample): readonly Invariant[] => [
  {
    name: 'disputes_have_their_lien',
    promise:
      'a lien of the amount is on the wallet that received the money exactly while a dispute is not decided, and no lien of a dispute is without one',
    offenders: () => `
      select d.id, d.state, d.amount, l.id as lien_id, l.amount as kept, l.lifted_at from disputes.dispute d
        full join (select * from ledger.lien where held_for = 'DISPUTE') l on l.id = d.lien_id
        left join wallets.partner_wallet w on w.account_id = l.account_id
        where (d.account_id, d.wallet, d.partner_id, d.amount, d.state in ('OPEN', 'EXPIRED'))
          is distinct from (l.account_id, w.reference, w.partner_id, l.amount, l.lifted_at is null)`,
  },
  {
    name: 'disputes_are_told_once',
    promise:
      'that a dispute was opened, expired and was decided is told once to each endpoint that names it, and no event tells of another',
    offenders: toldOnce(
      {
        prefix: 'dispute.',
        changes: (around) => `
          select d.partner_id as owner_id, d.id::text as reference, x.event, x.at, (x.at is not null)::int as most
            from disputes.dispute d
            cross join lateral (values ('dispute.opened', d.created_at), ('dispute.expired', d.expired_at),
              ('dispute.decided', d.decided_at)) x(event, at)
            where ${around('greatest(d.created_at, d.expired_at, d.decided_at)')}`,
      },
      isSample,
    ),
  },
  {
    name: 'lost_disputes_are_refunded',
    promise:
      'a dispute that was lost gave its amount back by a refund of its transaction, or what had not been given back already',
    offenders: () => `
      select d.id, d.state, d.amount, r.id as refund_id, r.status, r.amount as refunded from disputes.dispute d
        join ledger.transaction t on t.id = d.transaction_id
        left join ledger.transaction r on r.id = d.refund_id
        where d.state = 'LOST' and (
          r.status = 'Failed' or r.amount > d.amount
          or (r.type, r.currency, r.original_id, r.namer, r.reference)
            is distinct from ('PARTNER_REFUND', d.currency, d.transaction_id, 'OPERATOR', 'DSP-' || d.id) and r.id is not null
          or coalesce(r.amount, 0) < d.amount and d.refunded_before + d.amount > coalesce(r.amount, 0) + (
            select coalesce(sum(o.amount), 0) from ledger.transaction o
             where o.original_id = t.id and o.type in ('PARTNER_REFUND', 'REVERSAL') and o.status <> 'Failed'
               and o.reference <> 'DSP-' || d.id))`,
  },
  {
    name: 'disputes_are_audited',
    promise: 'the state of a dispute is that of its last audited change',
    offenders: () => `
      select d.id, d.state, x.state as audited from disputes.dispute d
        left join lateral (select coalesce(e.after ->> 'state', 'OPEN') as state from audit.entry e
                             where e.target = d.id::text and e.action in ('dispute.open', 'dispute.decide', 'dispute.expire')
                             order by e.id desc limit 1) x on true
        where d.state is distinct from x.state`,
  },
];
