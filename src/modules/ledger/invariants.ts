/** What must be true of the books at any moment: its name, and the SQL that finds the rows that break it. */
export interface Invariant {
  name: string;
  offenders: string;
}

/** All of them run in one snapshot. */
export const invariants: readonly Invariant[] = [
  {
    name: 'transactions_balance',
    offenders: `
      select e.transaction_id, a.currency, sum(e.amount) as sum from ledger.entry e
        join ledger.account a on a.id = e.account_id group by 1, 2 having sum(e.amount) <> 0`,
  },
  {
    name: 'books_sum_to_zero',
    offenders: `
      select a.currency, sum(a.posted + coalesce(d.amount, 0)) as sum from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        group by 1 having sum(a.posted + coalesce(d.amount, 0)) <> 0`,
  },
  {
    name: 'balances_are_their_entries',
    offenders: `
      select a.id, a.posted, a.version, e.amount, e.entries, e.last from ledger.account a
        left join (select account_id, sum(amount) as amount, count(*) as entries, max(version) as last
                     from ledger.entry group by 1) e on e.account_id = a.id
        where a.lock_mode = 'strict' and (a.posted, a.version, a.version)
          is distinct from (coalesce(e.amount, 0), coalesce(e.entries, 0), coalesce(e.last, 0))`,
  },
  {
    name: 'deferred_balances_are_their_entries',
    offenders: `
      select a.id, a.posted, d.amount as waiting, e.amount as entries from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        left join (select account_id, sum(amount) as amount from ledger.entry group by 1) e on e.account_id = a.id
        where a.lock_mode = 'deferred' and a.posted + coalesce(d.amount, 0) <> coalesce(e.amount, 0)`,
  },
  {
    name: 'histories_are_unbroken',
    offenders: `
      select transaction_id, leg, account_id, version, opening, before from (
        select e.*, coalesce(lag(closing) over history, 0) as before, coalesce(lag(version) over history, 0) as previous
          from ledger.entry e where version is not null window history as (partition by account_id order by version)) x
        where opening <> before or version <> previous + 1`,
  },
  {
    name: 'floors_hold',
    offenders: `select id, posted, suspended, floor from ledger.account where floor is not null and posted - suspended < floor`,
  },
  {
    name: 'suspended_is_what_is_held',
    offenders: `
      select a.id, a.suspended, h.amount as held from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.hold where state = 'OPEN' group by 1) h on h.account_id = a.id
        where a.suspended <> coalesce(h.amount, 0)`,
  },
  {
    name: 'liens_are_those_in_force',
    offenders: `
      select a.id, a.liens, l.amount as in_force from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.lien where lifted_at is null group by 1) l on l.account_id = a.id
        where a.liens <> coalesce(l.amount, 0)`,
  },
  {
    name: 'refused_transactions_moved_nothing',
    offenders: `
      select t.id, t.status, count(e.*) as entries from ledger.transaction t
        left join ledger.entry e on e.transaction_id = t.id group by t.id having (t.status = 'Failed') = (count(e.*) > 0)`,
  },
  {
    name: 'refunds_are_counted',
    offenders: `
      select t.id, t.amount, t.refunded, t.status, r.amount as refunds from ledger.transaction t
        left join (select original_id, sum(amount) as amount from ledger.transaction
                     where original_id is not null and status <> 'Failed' group by 1) r on r.original_id = t.id
        where t.refunded <> coalesce(r.amount, 0) or (t.status = 'Reversed') <> (t.refunded = t.amount)`,
  },
  {
    name: 'suspense_is_what_waits',
    offenders: `
      select a.id, a.currency, e.amount as suspense, t.amount as waiting from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.entry group by 1) e on e.account_id = a.id
        left join (select w.account_id, sum(w.amount) as amount from ledger.transaction p
                     join ledger.entry w on w.transaction_id = p.id and w.amount > 0 where p.status = 'Pending' group by 1) t
          on t.account_id = a.id
        where a.kind = 'SUSPENSE' and coalesce(e.amount, 0) <> coalesce(t.amount, 0)`,
  },
  {
    name: 'every_movement_is_told_once',
    offenders: `
      select e.transaction_id, e.leg, e.account_id, count(v.id) as events from ledger.entry e
        join ledger.account a on a.id = e.account_id and a.emits
        join outbox.receiver r on r.owner_id = a.partner_id
        left join outbox.event v on v.receiver_id = r.id and v.reference = a.reference and v.sequence = e.version
          and v.event = case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end
        group by 1, 2, 3 having count(v.id) <> 1
      union all
      select null, null, null, v.sequence from outbox.event v join outbox.receiver r on r.id = v.receiver_id
        where v.event in ('wallet.credited', 'wallet.debited') and not exists (
          select 1 from ledger.account a join ledger.entry e on e.account_id = a.id and e.version = v.sequence
            where a.partner_id = r.owner_id and a.reference = v.reference)`,
  },
];
