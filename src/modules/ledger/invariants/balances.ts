import type { SqlInvariant } from '#lib/invariant.ts';

/** Entries, and the balances they come to. */
export const balances: readonly SqlInvariant[] = [
  {
    name: 'transactions_balance',
    promise: 'the entries of a transaction sum to zero in each currency',
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
        left join (select account_id, sum(amount) as amount from ledger.entry where version is null group by 1) e
          on e.account_id = a.id
        where a.lock_mode = 'deferred' and a.posted + coalesce(d.amount, 0) <> coalesce(e.amount, 0)`,
  },
  {
    name: 'histories_are_unbroken',
    promise: 'an entry of a strict account begins with what the one before it left, and no number is missing',
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.opening, p.closing as before from ledger.entry e
        left join ledger.entry p on p.account_id = e.account_id and p.version = e.version - 1
        where e.version is not null and ${moment('e.created_at')}
          and (e.opening <> coalesce(p.closing, 0) or e.closing <> e.opening + e.amount
               or (p.version is null) <> (e.version = 1))`,
  },
  // Each part of the entries is held by keys of its own: this is of all parts together.
  {
    name: 'entries_are_numbered_once',
    promise: 'no two entries are the same leg of a transaction, or have the same number in the history of an account',
    offenders: ({ since, moment }) =>
      since === undefined
        ? `
      select min(e.transaction_id) as transaction_id, e.account_id, e.version, count(*) from ledger.entry e
        where e.version is not null group by e.account_id, e.version having count(*) > 1
      union all
      select e.transaction_id, null, e.leg, count(*) from ledger.entry e group by e.transaction_id, e.leg having count(*) > 1`
        : `
      select e.transaction_id, e.account_id, e.version, 2 as count from ledger.entry e
        join ledger.entry o on o.account_id = e.account_id and o.version = e.version
          and (o.transaction_id, o.leg, o.created_at) <> (e.transaction_id, e.leg, e.created_at)
        where ${moment('e.created_at')}
      union all
      select e.transaction_id, null, e.leg, 2 from ledger.entry e
        join ledger.entry o on o.transaction_id = e.transaction_id and o.leg = e.leg and o.created_at <> e.created_at
        where ${moment('e.created_at')}`,
  },
  // Before transactions had a MAC, the time of one was read before its accounts were locked.
  {
    name: 'histories_run_forwards',
    promise: 'no entry of a strict account is older than the one before it',
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.created_at, p.created_at as before from ledger.entry e
        join ledger.entry p on p.account_id = e.account_id and p.version = e.version - 1
        where ${moment('e.created_at')} and e.created_at < p.created_at
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
