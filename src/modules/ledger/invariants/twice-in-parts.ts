/**
 * Entries of which two parts have the same number or the same leg, in SQL. Within a part its keys forbid it, so only what two
 * parts may share is compared: numbers of an account between the least and the greatest that both have, and legs of transactions
 * that are no newer than the newest of another part, which few are: each is looked up. Entries are read once, one after the
 * other, and what is kept is of accounts and parts. `offset 0` and `limit 1` keep PostgreSQL from joining all entries with all.
 */
export const TWICE_IN_PARTS = `
      (with spans as (
          select e.tableoid as part, e.account_id, min(e.version) as low, max(e.version) as high from ledger.entry e
            where e.version is not null group by 1, 2),
        shared as (
          select s.account_id, min(s.low) as low, max(least(s.high, s.before)) as high from (
            select s.*, max(s.high) over (partition by s.account_id order by s.low, s.part
                          rows between unbounded preceding and 1 preceding) as before from spans s) s
            where s.low <= s.before group by 1)
        select min(e.transaction_id) as transaction_id, e.account_id, e.version, count(*) from shared s
          join ledger.entry e on e.account_id = s.account_id and e.version between s.low and s.high
          group by e.account_id, e.version having count(*) > 1)
      union all
      (with newest as materialized (
          select p.starts_at, p.ends_at, n.high from ledger.entry_parts() p
            cross join lateral (
              select e.transaction_id as high from ledger.entry e where e.created_at >= p.starts_at and e.created_at < p.ends_at
                order by e.transaction_id desc limit 1) n),
        shared as (select n.starts_at, n.ends_at, lag(n.high) over (order by n.high, n.starts_at) as high from newest n)
        select l.transaction_id, null::bigint, l.leg, 2::bigint from shared s
          cross join lateral (
            select e.transaction_id, e.leg from ledger.entry e
              where e.created_at >= s.starts_at and e.created_at < s.ends_at and e.transaction_id <= s.high offset 0) l
          cross join lateral (
            select from ledger.entry o where o.transaction_id = l.transaction_id and o.leg = l.leg
              and (o.created_at < s.starts_at or o.created_at >= s.ends_at) limit 1) o)`;
