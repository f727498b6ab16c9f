import type { SqlInvariant } from '#lib/invariant.ts';
import { ARCHIVED_UNTIL } from './archived.ts';
import { MONTHS } from './months.ts';
import { TWICE_IN_PARTS } from './twice-in-parts.ts';

/** Of the entries that are archived stays what is carried of each account: its last number, what that left, and what moved. */
const CARRIED_LAST = `left join lateral (select c.closing, c.version from ledger.carried c
                             where c.account_id = a.id and c.version is not null order by c.ends_at desc limit 1) c on true`;

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
        left join ledger.carried c on c.account_id = e.account_id and c.version = e.version - 1
        cross join lateral (select case when e.last = e.version - 1 then e.last else coalesce(p.version, c.version) end as version,
            case when e.last = e.version - 1 then e.last_closing else coalesce(p.closing, c.closing) end as closing,
            case when e.last = e.version - 1 then e.last_at else coalesce(p.created_at, c.moved_at) end as at) b`;

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
      select a.id, a.posted, a.version, coalesce(l.closing, c.closing) as closing, coalesce(l.version, c.version) as last from ledger.account a
        left join lateral (select e.closing, e.version from ledger.entry e
                             where e.account_id = a.id and e.version is not null order by e.version desc limit 1) l on true
        ${CARRIED_LAST}
        where a.lock_mode = 'strict' and ${moment('a.updated_at')}
          and (a.posted, a.version) is distinct from (coalesce(l.closing, c.closing, 0), coalesce(l.version, c.version, 0))`,
  },
  {
    name: 'deferred_balances_are_their_entries',
    promise: 'the balance of a deferred account, with what waits to be added to it, is the sum of its entries',
    wholeOnly: 'it is the sum of every entry there ever was',
    offenders: () => `
      select a.id, a.posted, d.amount as waiting, e.amount as entries, c.amount as carried from ledger.account a
        left join (select account_id, sum(amount) as amount from ledger.deferred_delta group by 1) d on d.account_id = a.id
        left join (select account_id, sum(amount) as amount from ledger.entry
                     where version is null and created_at >= ${ARCHIVED_UNTIL} group by 1) e on e.account_id = a.id
        left join (select account_id, sum(credits - debits) as amount from ledger.carried where version is null group by 1) c
          on c.account_id = a.id
        where a.lock_mode = 'deferred' and a.posted + coalesce(d.amount, 0) <> coalesce(e.amount, 0) + coalesce(c.amount, 0)`,
  },
  {
    name: 'histories_are_unbroken',
    promise: 'an entry of a strict account begins with what the one before it left, and no number is missing',
    slices: MONTHS,
    offenders: ({ moment }) => `
      select e.transaction_id, e.leg, e.account_id, e.version, e.opening, b.closing as before from ${FOLLOWED(moment)}
        where e.opening <> coalesce(b.closing, 0) or e.closing <> e.opening + e.amount or (b.version is null) <> (e.version = 1)`,
  },
  // Each part of the entries is held by keys of its own: this is of all parts together.
  {
    name: 'entries_are_numbered_once',
    promise: 'no two entries are the same leg of a transaction, or have the same number in the history of an account',
    offenders: ({ since, moment }) => `
      select e.transaction_id, e.account_id, e.version, 2 as count from ledger.entry e
        join ledger.carried c on c.account_id = e.account_id and e.version <= c.version
        where e.created_at >= c.ends_at and ${moment('e.created_at')}
      union all ${
        since === undefined
          ? TWICE_IN_PARTS
          : `
      select e.transaction_id, e.account_id, e.version, 2 as count from ledger.entry e
        join ledger.entry o on o.account_id = e.account_id and o.version = e.version
          and (o.transaction_id, o.leg, o.created_at) <> (e.transaction_id, e.leg, e.created_at)
        where ${moment('e.created_at')}
      union all
      select e.transaction_id, null, e.leg, 2 from ledger.entry e
        join ledger.entry o on o.transaction_id = e.transaction_id and o.leg = e.leg and o.created_at <> e.created_at
        where ${moment('e.created_at')}`
      }`,
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
    name: 'carried_balances_follow',
    promise:
      'what is carried of an archived month begins with what the months before it left, has as many numbers as entries, and is of accounts that exist',
    offenders: () => `
      select x.account_id, x.ends_at, x.opening, x.before, x.version, x.entries from (
        select c.*, lag(c.closing) over history as before, lag(c.version) over history as last from ledger.carried c
          window history as (partition by c.account_id order by c.ends_at)) x
        left join ledger.account a on a.id = x.account_id
        where (a.lock_mode = 'strict') is distinct from (x.version is not null)
          or x.version is not null and (x.opening, x.version) <> (coalesce(x.before, 0), coalesce(x.last, 0) + x.entries)`,
  },
  {
    name: 'carried_months_are_as_archived',
    promise:
      'what is carried of each archived month is what was written down with its digest, and no month is missing between them',
    offenders: () => `
      select r.part, r.ends_at from (
        select r.*, lag(r.ends_at) over (order by r.ends_at) as before,
            (select coalesce(sum(c.entries), 0) from ledger.carried c where c.ends_at = r.ends_at) as carried
          from ledger.archive r) r
        where r.starts_at is distinct from r.before or r.entries <> r.carried or r.carried_digest <> ledger.carried_digest(r.ends_at)`,
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
