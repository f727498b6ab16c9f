import type { SqlInvariant } from '#lib/room.ts';

/**
 * The months in Africa/Lagos that have entries, in SQL: the first has everything before its end, and the last has none. No entry
 * is written into one that is over.
 */
const MONTHS = `
  select case when m.month > s.first then to_json(m.month at time zone 'Africa/Lagos') #>> '{}' end as starts,
      case when m.month < s.this then to_json((m.month + interval '1 month') at time zone 'Africa/Lagos') #>> '{}' end as ends
    from (select date_trunc('month', coalesce((select created_at from ledger.transaction order by id limit 1), now())
                   at time zone 'Africa/Lagos') as first,
             date_trunc('month', now() at time zone 'Africa/Lagos') as this) s
      cross join generate_series(s.first, s.this, interval '1 month') m (month)`;

/** Each entry that has a number, with what the one before it left: that of the same slice, or else the one that is looked up. */
const FOLLOWED = (moment: (column: string) => string): string => `
      (select e.*, lag(e.version) over history as last, lag(e.closing) over history as last_closing,
           lag(e.created_at) over history as last_at
         from ledger.entry e where e.version is not null and ${moment('e.created_at')}
         window history as (partition by e.account_id order by e.version)) e
        left join lateral (
          select p.version, p.closing, p.created_at from (select where e.last is distinct from e.version - 1 offset 0) needed
            cross join lateral (select o.version, o.closing, o.created_at from ledger.entry o
              where o.account_id = e.account_id and o.version = e.version - 1 limit 1) p) p on true
        cross join lateral (select case when e.last = e.version - 1 then e.last else p.version end as version,
            case when e.last = e.version - 1 then e.last_closing else p.closing end as closing,
            case when e.last = e.version - 1 then e.last_at else p.created_at end as at) b`;

/** Entries, and the balances they come to. */
export const balances: readonly SqlInvariant[] = [
  {
    name: 'transactions_balance',
    promise: 'the entries of a transaction sum to zero in each currency',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, a.currency, sum(e.amount) as sum from ledger.entry e
        join ledger.account a on a.id = e.account_id where ${moment('e.created_at')} group by 1, 2 having sum(e.amount) <> 0`,
  },
  {
    name: 'books_sum_to_zero',
    promise: 'all balances together are zero in each currency',
    offenders: () => `
      select a.currency, sum(a.posted + coalesce(d.amount, 0)) as sum from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        group by 1 having sum(a.posted + coalesce(d.amount, 0)) <> 0`,
  },
  {
    name: 'balances_are_their_entries',
    promise: 'the balance of a strict account is what its last entry left, and its version is the number of that entry',
    offenders: ({ moment }) => `
      select a.id, a.posted, a.version, l.closing, l.version as last from ledger.account a
        left join lateral (select e.closing, e.version from ledger.entry e
                             where e.account_id = a.id and e.version is not null order by e.version desc limit 1) l on true
        where a.lock_mode = 'strict' and ${moment('a.updated_at')}
          and (a.posted, a.version) is distinct from (coalesce(l.closing, 0), coalesce(l.version, 0))`,
  },
  {
    name: 'deferred_balances_are_their_entries',
    promise: 'the balance of a deferred account, with what waits to be added to it, is the sum of its entries',
    wholeOnly: 'it is the sum of every entry there ever was',
    offenders: () => `
      select a.id, a.posted, d.amount as waiting, e.amount as entries from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        left join (select account_id, sum(amount) as amount from ledger.entry where version is null group by 1) e on e.account_id = a.id
        where a.lock_mode = 'deferred' and a.posted + coalesce(d.amount, 0) <> coalesce(e.amount, 0)`,
  },
  {
    name: 'histories_are_unbroken',
    promise: 'an entry of a strict account begins with what the one before it left, and no number is missing',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.opening, b.closing as before from ${FOLLOWED(moment)}
        where e.opening <> coalesce(b.closing, 0) or e.closing <> e.opening + e.amount or (b.version is null) <> (e.version = 1)`,
  },
  // Before transactions had a MAC, the time of one was read before its accounts were locked.
  {
    name: 'histories_run_forwards',
    promise: 'no entry of a strict account is older than the one before it',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.created_at, b.at as before from ${FOLLOWED(moment)}
        where e.created_at < b.at
          and exists (select from ledger.transaction t where t.id = e.transaction_id and t.mac is not null)`,
  },
  {
    name: 'nothing_is_dated_ahead',
    promise: 'no transaction and no entry is of a time that is more than a minute ahead',
    offenders: () => `
      select e.transaction_id as id, e.leg, e.created_at from ledger.entry e where e.created_at > now() + interval '1 minute'
      union all
      select t.id, null, t.created_at from ledger.transaction t where t.created_at > now() + interval '1 minute'`,
  },
];
