-- Gives waiting transactions the status that their applications decided on: all in one transaction of the database, with what it means
-- for their money, and with their events. Each has its own outcome.
--
-- A decision: { id, reference, to (ACCEPTED, REJECTED or CANCELLED), now, rejectionReason?,
--   event: { owner, name, body }  what is published, and one of
--   release   the hold, whose money stays with the sender,
--   posting   what ledger.post reads: it captures the hold }
-- outcome is DONE, or NOT_PENDING when the transaction does not wait any more or has expired, and nothing was done. When the
-- ledger refuses a posting the call fails with that code (PT010): then nothing at all was done, and a caller that decided on several
-- decides on each alone.
--
-- Locks the transactions, by id; then what ledger.close_holds or ledger.post locks. Decisions that release are not mixed with decisions
-- that post.
create or replace function tag_transactions.decide(p_decisions jsonb) returns table (ordinal int, outcome text) language plpgsql
-- What a call names is found by index, whatever the planner guesses of how much it names.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  -- What may be decided on, and the places of the decisions on it.
  v_open uuid[];
  v_places int[];
  v_refused text;
  v_posted bigint[];
begin
  select array_agg(locked.id) into v_open from (
    select t.id from tag_transactions.tag_transaction t
      join (select (x ->> 'id')::uuid as id, min((x ->> 'now')::timestamptz) as now
              from jsonb_array_elements(p_decisions) x group by 1) asked on asked.id = t.id
     where t.status = 'AWAITING_ACCEPTANCE' and t.expires_at > asked.now
     order by t.id for no key update of t) locked;
  -- Of several decisions on one transaction in a call the first counts.
  select array_agg(first.place order by first.place) into v_places from (
    select distinct on (body ->> 'id') place::int
      from jsonb_array_elements(p_decisions) with ordinality asked (body, place)
     where (body ->> 'id')::uuid = any (v_open) order by body ->> 'id', place) first;

  -- The money stays with the sender ...
  if exists (select from jsonb_array_elements(p_decisions) x where x ? 'release') then
    perform ledger.close_holds(array(
      select (p_decisions -> (place - 1) ->> 'release')::bigint from unnest(v_places) place
       where p_decisions -> (place - 1) ? 'release'), 'RELEASED');
  end if;
  -- ... or goes to the receiver.
  if exists (select from unnest(v_places) place where p_decisions -> (place - 1) ? 'posting') then
    select array_agg(posted.transaction_id order by posted.ordinal),
        min(posted.outcome) filter (where posted.outcome <> 'Successful')
      into v_posted, v_refused
      from ledger.post((select jsonb_agg(p_decisions -> (place - 1) -> 'posting' order by place) from unnest(v_places) place
                         where p_decisions -> (place - 1) ? 'posting')) posted;
    if v_refused is not null then raise exception '%', v_refused using errcode = 'PT010'; end if;
  end if;

  update tag_transactions.tag_transaction t
    set status = x.body ->> 'to', updated_at = x.now,
      accepted_at = case x.body ->> 'to' when 'ACCEPTED' then x.now end,
      rejected_at = case x.body ->> 'to' when 'REJECTED' then x.now end,
      rejection_reason = x.body ->> 'rejectionReason',
      posting_id = case when x.body ? 'posting' then v_posted[x.posting] end
    from (select body, (body ->> 'id')::uuid as id, (body ->> 'now')::timestamptz as now,
                 count(*) filter (where body ? 'posting') over (order by place) as posting
            from unnest(v_places) place, lateral (select p_decisions -> (place - 1) as body) b) x
    where t.id = x.id;

  if v_places is not null then perform tag_transactions.publish(p_decisions, v_places); end if;
  return query
    select place, case when place = any (v_places) then 'DONE' else 'NOT_PENDING' end
      from generate_series(1, jsonb_array_length(p_decisions)) place;
end $$;
