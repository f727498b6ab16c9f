import type { SqlInvariant } from '#lib/room.ts';

const CHARGES = '(t.fee + t.commission + t.stamp_duty)';
const NO_SIDE = 'e.account_id <> all (array[t.source_id, t.destination_id])';
/** Where it came from, as it left. */
const AT_SOURCE = '(e.account_id = t.source_id and not (t.pending_reason is not null and e.amount > 0))';
/** What had to wait in suspense may have been settled into another account than it was meant for, also into the one that it came from. */
const ARRIVED = `(e.account_id = t.destination_id
  or (t.pending_reason is not null and not ${AT_SOURCE} and a.kind in ('SUSPENSE', 'WALLET', 'FLOAT')))`;
const IS_CHARGE = `a.kind in ('FEE', 'COMMISSION', 'STAMP_DUTY')`;

const sum = (column: 'amount' | 'fee', where: string): string =>
  `coalesce(sum(e.${column}) filter (where ${where}), 0)`;
/** What moved on our account of a kind, where it is not itself a side of the transaction. */
const taken = (kind: string): string => sum('amount', `a.kind = '${kind}' and ${NO_SIDE}`);
/** The entry in suspense and the one that settles it have the same fee. */
const FEE_ON_ARRIVAL = `coalesce(max(e.fee) filter (where ${ARRIVED}), 0)`;
const count = (where: string): string => `count(*) filter (where ${where})`;

/** A refund gives back the amount alone, and so is a movement like any other; a reversal undoes the charges too. */
const IS_REVERSAL = `t.original_id is not null and t.type <> 'PARTNER_REFUND'`;

/** Transactions: what they say of themselves, against their entries and against each other. */
export const transactions: readonly SqlInvariant[] = [
  {
    name: 'transactions_are_their_entries',
    promise:
      'the amount left the source and reached the destination, or waits for it in suspense, each with the fee of its entry, and every charge went to our account for it',
    offenders: ({ moment }) => `
      select t.id, t.type, t.amount, t.fee, t.commission, t.stamp_duty, ${sum('amount', AT_SOURCE)} as source,
          ${sum('amount', ARRIVED)} as destination, sum(e.fee) as fees
        from ledger.transaction t join ledger.entry e on e.transaction_id = t.id join ledger.account a on a.id = e.account_id
        where t.source_id is not null and t.destination_id is not null and not (${IS_REVERSAL}) and ${moment('t.created_at')}
        group by t.id having
          case when t.source_id = t.destination_id then ${sum('amount', AT_SOURCE)} <> -${CHARGES}
            else ${sum('amount', AT_SOURCE)} <> -(t.amount + ${sum('fee', AT_SOURCE)})
              or case when ${count(ARRIVED)} = 0 then t.amount <> ${CHARGES}
                else ${sum('amount', ARRIVED)} <> t.amount - ${FEE_ON_ARRIVAL}
                  or ${sum('fee', AT_SOURCE)} + ${FEE_ON_ARRIVAL} <> ${CHARGES} end end
          or ${taken('FEE')} <> t.fee or ${taken('COMMISSION')} <> t.commission or ${taken('STAMP_DUTY')} <> t.stamp_duty
          or ${taken('SUSPENSE')} <> case when t.completed_at is null then ${sum('amount', ARRIVED)} else 0 end
          or ${count(`${NO_SIDE} and not ${ARRIVED} and not ${IS_CHARGE}`)} > 0
          or ${sum('fee', `not ${AT_SOURCE} and not ${ARRIVED}`)} > 0
          or not bool_and(a.currency = t.currency)
          or min(e.leg) <> 1 or max(e.leg) <> count(*)`,
  },
  {
    name: 'reversals_undo_their_original',
    promise:
      'a reversal and what it reverses come to nothing on every account, but for what of it had to wait in suspense',
    offenders: ({ moment }) => `
      select t.id, t.original_id, e.account_id, sum(e.amount) as left_over from ledger.transaction t
        join ledger.transaction o on o.id = t.original_id
        join ledger.entry e on e.transaction_id in (t.id, t.original_id)
        where ${IS_REVERSAL} and t.status <> 'Failed' and t.pending_reason is null and ${moment('t.created_at')}
        group by t.id, e.account_id having sum(e.amount) <> 0`,
  },
  {
    name: 'transactions_say_where_money_went',
    promise:
      'a transaction names its source, its destination and a digest of its request, and stands in the book of one of the two',
    offenders: ({ moment }) => `
      select t.id, t.type, t.partner_id, s.partner_id as source, d.partner_id as destination from ledger.transaction t
        left join ledger.account s on s.id = t.source_id
        left join ledger.account d on d.id = t.destination_id
        where t.status <> 'Failed' and ${moment('t.created_at')}
          and (s.id is null or d.id is null or octet_length(t.request_hash) <> 32
               or (t.partner_id is not null and t.partner_id is distinct from s.partner_id
                   and t.partner_id is distinct from d.partner_id))`,
  },
  // Before transactions had a MAC, the time of one was read before its accounts were locked, and that of its entries after.
  {
    name: 'entries_have_the_time_of_their_transaction',
    promise:
      'an entry has the time of its transaction, or where that had to wait the later one at which it was settled, and the day in Africa/Lagos of that time',
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.created_at, e.business_date, t.created_at as transaction_at, t.completed_at
        from ledger.entry e left join ledger.transaction t on t.id = e.transaction_id
        where ${moment('e.created_at')}
          and (t.id is null or e.business_date <> (e.created_at at time zone 'Africa/Lagos')::date
            or (e.created_at <> t.created_at
                and (e.created_at is distinct from t.completed_at
                  or (t.hold_id is null and (e.leg = 1 or (t.mac is not null and t.pending_reason is null))))
                and (t.mac is not null or e.created_at not between t.created_at and t.created_at + interval '1 minute'))
            or (t.status = 'Pending' and t.completed_at is not null) or (t.status = 'Successful' and t.completed_at is null))`,
  },
  {
    name: 'refused_transactions_moved_nothing',
    promise: 'a transaction has entries exactly if it was neither refused, nor is held or was voided',
    offenders: ({ moment }) => `
      select t.id, t.status, t.code from ledger.transaction t where ${moment('t.created_at')}
        and (t.status in ('Failed', 'Held', 'Voided')) = (exists (select from ledger.entry e where e.transaction_id = t.id))`,
  },
  {
    name: 'two_steps_have_their_hold',
    promise:
      'a posting in two steps holds its amount and its charges of its source: while it is held, until it is captured, and not once it is voided',
    offenders: () => `
      select t.id, t.status, t.amount, h.state, h.amount as held from ledger.transaction t left join ledger.hold h on h.id = t.hold_id
        where t.hold_id is not null
          and (h.account_id, h.amount) is distinct from (t.source_id, t.amount + t.fee + t.commission + t.stamp_duty)
          or t.hold_id is not null
            and h.state is distinct from case t.status when 'Held' then 'OPEN' when 'Voided' then 'RELEASED' else 'CAPTURED' end`,
  },
  {
    name: 'refunds_are_counted',
    promise:
      'what is refunded of a transaction is the sum of its refunds, and it is Reversed exactly if that is all of it',
    offenders: ({ since, moment }) => `
      select t.id, t.amount, t.refunded, t.status, r.amount as refunds from ledger.transaction t
        left join (select original_id, sum(amount) as amount from ledger.transaction
                     where original_id is not null and status <> 'Failed'
                       and not (status = 'Reversed' and pending_reason is not null and completed_at is null)
                     group by 1) r on r.original_id = t.id
        where (t.refunded <> coalesce(r.amount, 0) or (t.status = 'Reversed') <> (t.refunded = t.amount))
          ${since === undefined ? '' : `and t.id in (select n.original_id from ledger.transaction n where ${moment('n.created_at')})`}`,
  },
  {
    name: 'refunds_go_back_the_way',
    promise: 'a refund names the transaction that it refunds, and goes back the way that one went',
    offenders: ({ moment }) => `
      select t.id, t.reference, t.original_id from ledger.transaction t left join ledger.transaction o on o.id = t.original_id
        where t.status <> 'Failed' and ${moment('t.created_at')} and t.type = 'PARTNER_REFUND'
          and ((t.destination_id, t.currency) is distinct from (o.source_id, o.currency)
            or (t.source_id <> o.destination_id and not (o.pending_reason is not null and exists (
                  select from ledger.entry e where e.transaction_id = o.id and e.account_id = t.source_id and e.amount > 0))))`,
  },
  {
    name: 'suspense_is_what_waits',
    promise: 'the suspense account holds what is pending, and nothing else',
    offenders: () => `
      select a.id, a.currency, a.posted + coalesce(d.amount, 0) as suspense, t.amount as waiting from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        left join (select w.account_id, sum(w.amount) as amount from ledger.transaction p
                     join ledger.entry w on w.transaction_id = p.id and w.amount > 0 where p.status = 'Pending' group by 1) t
          on t.account_id = a.id
        where a.kind = 'SUSPENSE' and a.posted + coalesce(d.amount, 0) <> coalesce(t.amount, 0)`,
  },
];
