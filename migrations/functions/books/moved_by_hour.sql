-- What moved between two moments, the later one not included, by the hour and type. A transaction counts in the
-- hour of its first leg. Planned for its moments, as books.moved_between.
create or replace function books.moved_by_hour(p_from timestamptz, p_to timestamptz)
returns table (hour timestamptz, type text, currency text, debits bigint, transactions bigint) language plpgsql stable
set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
begin
  return query
    select date_trunc('hour', e.created_at, 'UTC'), t.type, t.currency, coalesce(sum(-e.amount) filter (where e.amount < 0), 0)::bigint,
        count(*) filter (where e.leg = 1)
      from ledger.entry e join ledger.transaction t on t.id = e.transaction_id
      where e.created_at >= p_from and e.created_at < p_to
      group by 1, 2, 3;
end $$;
