-- What moved on a partner's accounts before a day, on it and after it, by kind of account and type; and in rows without a type the
-- balances of now. From the totals, and from the entries since the last of them. It hashes what it adds up, since it may be of years.
create or replace function books.partner_day(p_partner uuid, p_day date)
returns table (kind text, currency text, type text, before numeric, debits numeric, credits numeric, movements numeric, after numeric,
  present numeric)
language sql stable
set enable_sort = off as $$
  select m.kind, m.currency, m.type, coalesce(sum(m.credits - m.debits) filter (where m.day < p_day), 0),
      coalesce(sum(m.debits) filter (where m.day = p_day), 0), coalesce(sum(m.credits) filter (where m.day = p_day), 0),
      coalesce(sum(m.movements) filter (where m.day = p_day), 0),
      coalesce(sum(m.credits - m.debits) filter (where m.day > p_day), 0), null
    from (
      select d.day, d.kind, d.currency, d.type, d.debits, d.credits, d.movements from books.partner_day_total d
        where d.partner_id = p_partner
      union all
      select n.day, n.kind, n.currency, n.type, n.debits, n.credits, n.movements
        from books.totalled x cross join lateral books.moved_between(x.until, 'infinity') n where n.partner_id = p_partner) m
    group by m.kind, m.currency, m.type
  union all
  select a.kind, a.currency, null, 0, 0, 0, 0, 0, sum(a.posted) from ledger.account a
    where a.partner_id = p_partner and a.kind in ('FLOAT', 'WALLET') group by a.kind, a.currency
$$;
