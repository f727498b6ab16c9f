-- What moved between two moments, the later one not included, by day, kind of account, partner and type. An account of ours counts for
-- the partner in whose books the transaction stands.
--
-- It is planned for its moments, so that it reads their entries only; and it is stable, so that it sees what the calling statement sees.
create or replace function books.moved_between(p_from timestamptz, p_to timestamptz)
returns table (day date, kind text, currency text, partner_id uuid, type text, debits bigint, credits bigint, movements bigint)
language plpgsql stable
set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
begin
  return query
    select e.business_date, a.kind, a.currency, coalesce(a.partner_id, t.partner_id), t.type,
        coalesce(sum(-e.amount) filter (where e.amount < 0), 0)::bigint, coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint,
        count(*)
      from ledger.entry e join ledger.account a on a.id = e.account_id join ledger.transaction t on t.id = e.transaction_id
      where e.created_at >= p_from and e.created_at < p_to
      group by 1, 2, 3, 4, 5;
end $$;
