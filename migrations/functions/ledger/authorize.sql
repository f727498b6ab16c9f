-- The first step of a posting in two: judges it as ledger.post would, reserves its reference, and holds what its source pays. The money
-- moves when it is captured, or never, when it is voided; it waits for that without end. The posting is as ledger.post describes it, of
-- two legs at least, and no original.
--
-- Answers Pending, or the code of the refusal; the same on every repetition.
--
-- Locks the source, what its holder has spent where a limit is counted, and the reference, in the order of ledger.post.
create or replace function ledger.authorize(p_posting jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_source ledger.account;
  t ledger.transaction;
  v_counts constant boolean := p_posting ? 'limitAccount';
  v_day date;
  v_held bigint;
  v_hold bigint;
begin
  perform ledger.refuse_time(p_now);
  ordinal := 1;
  replayed := false;
  select * into strict v_source from ledger.account a where a.id = (p_posting ->> 'source')::bigint for no key update;
  created_at := coalesce(p_now, greatest(v_source.moved_at, date_trunc('milliseconds', clock_timestamp())));
  if v_counts then
    select coalesce(p_now, x) into created_at from ledger.lock_spending(array[v_source.holder_id], created_at) x;
  end if;
  t := (ledger.reserve(jsonb_build_array(p_posting), created_at))[1];
  if t.id is null then
    return query select 1, again.* from ledger.answer_again(p_posting) again;
    return;
  end if;

  transaction_id := t.id;
  outcome := ledger.refusal(p_posting, null, null, created_at);
  if outcome is not null then
    update ledger.transaction x set status = 'Failed', code = outcome, completed_at = null where x.id = t.id;
    return next;
    return;
  end if;
  v_day := ledger.business_day(created_at);
  select -l.amount into strict v_held
    from jsonb_to_recordset(p_posting -> 'legs') l (account bigint, amount bigint) where l.account = v_source.id;
  insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values (t.owner_id, 'transaction ' || t.id, t.request_hash, v_source.id, v_held, 'OPEN', v_counts, v_day, 'infinity', t.created_at)
    returning id into v_hold;
  update ledger.transaction x set status = 'Held', hold_id = v_hold, completed_at = null where x.id = t.id;
  update ledger.account a set suspended = a.suspended + v_held, updated_at = greatest(a.updated_at, t.created_at)
   where a.id = v_source.id;
  update ledger.spending s set spent = ledger.spent_on(s, v_day) + v_held, day = v_day
   where v_counts and s.holder_id = v_source.holder_id;
  outcome := 'Pending';
  entries := '[]';
  return next;
end $$;
