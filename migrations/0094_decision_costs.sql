-- Servers from 0087 on work with it.
-- What a decision on an offer, and a posting that comes alone, cost less by: nothing of what they promise changes.

-- An event that comes alone has its delivery by one statement whether its endpoint takes any now or not; it had two.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_made int;
  v_all int := (select count(*) from emitted);
begin
  insert into webhooks.delivery (event_id, receiver_id, due_at)
    select e.id, r.id, case when r.is_due then date_trunc('milliseconds', now()) when v_all = 1 then webhooks.due_under_lock(r.id) end
    from emitted e cross join lateral (
      select x.id, x.url is not null
          and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) as is_due
        from outbox.receiver x
        where x.id = e.receiver_id and x.others = 0 and x.events is null and not x.ordered offset 0) r
    where r.is_due or v_all = 1;
  get diagnostics v_made = row_count;
  if v_made < v_all then
    -- materialized: a join would ask about each endpoint once for each event
    with addressed as materialized (
      select distinct e.receiver_id as id from emitted e
        where not exists (select from webhooks.delivery d where d.event_id = e.id)),
    endpoint as materialized (
      select x.*, webhooks.first_due(x.id) as due_at
        from (select r.id, a.id as addressed_id, r.events, r.ordered
                from addressed a cross join lateral (
                  select * from outbox.receiver x where x.id = a.id
                  union all
                  select * from outbox.receiver x where x.default_id = a.id and x.deleted_at is null) r
               order by r.id) x)
    insert into webhooks.delivery (event_id, receiver_id, due_at, lane, position)
      select e.id, t.id, t.due_at, case when t.ordered and e.sequence is not null then e.reference end,
          case when t.ordered then e.sequence end
      from emitted e join endpoint t on t.addressed_id = e.receiver_id
      where case when webhooks.is_for_one(e.event) then t.id = e.receiver_id else t.events is null or e.event = any (t.events) end
      order by e.id, t.id;
    update outbox.event v set body = null, body_digest = sha256(convert_to(v.body, 'UTF8'))
      from emitted e
      where v.id = e.id and not exists (select from webhooks.delivery d where d.event_id = e.id);
  end if;
  return null;
end $$;

-- What was spent is locked only for postings that count towards a limit, not for every hold.
create or replace function ledger.post(p_postings jsonb, p_now timestamptz default null)
  returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set jit = off
as $$
#variable_conflict use_column
declare
  v_count int := jsonb_array_length(p_postings);
  v_named bigint[];
  v_special boolean;
  v_accounts ledger.account[];
  v_ids bigint[] := '{}';
  v_now timestamptz;
  v_reserved int;
  v_answers jsonb[];
  v_alone record;
  v_counted boolean;
begin
  if p_now is not null then perform ledger.refuse_time(p_now); end if;
  if v_count = 1 then
    if jsonb_array_length(p_postings #> '{0,legs}') = 2
        and not p_postings -> 0 ?| '{original,hold,limitAccount,predecidedRefusal,pendingReason}' then
      v_alone := ledger.post_pair(p_postings -> 0, p_now);
      if v_alone.outcome is not null then
        ordinal := 1;
        outcome := v_alone.outcome;
        replayed := v_alone.replayed;
        transaction_id := v_alone.transaction_id;
        created_at := v_alone.created_at;
        entries := v_alone.entries;
        return next;
        return;
      end if;
    end if;
  end if;
  v_named := translate(jsonb_path_query_array(p_postings, '$[*].legs[*].account')::text, '[]', '{}')::bigint[];
  v_special := jsonb_path_exists(p_postings,
    '$[*] ? (exists(@.original) || exists(@.predecidedRefusal) || exists(@.pendingReason))');
  if v_special and jsonb_path_exists(p_postings, '$[*].original') then
    perform 1 from ledger.transaction t
      where t.id in (
        select unnest(array[o.id, case when o.status = 'Pending' then o.original_id end])
        from jsonb_array_elements(p_postings) x join ledger.transaction o on o.id = (x -> 'original')::bigint)
      order by t.id for no key update;
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select bool_or(x.counted) into v_counted from (
      select h.counted from ledger.hold h
        where h.id = any (translate(jsonb_path_query_array(p_postings, '$[*].hold')::text, '[]', '{}')::bigint[])
        order by h.id for no key update) x;
  end if;
  select array_agg(x.a), max(x.moved_at) into v_accounts, v_now from (
    select y as a, y.moved_at from ledger.account y where y.id = any (v_named) and y.lock_mode = 'strict'
      order by y.id for no key update) x;
  if coalesce(cardinality(v_accounts), 0) < cardinality(v_named) then
    v_accounts := v_accounts || array(select x from ledger.account x where x.id = any (v_named) and x.lock_mode <> 'strict');
  end if;
  v_now := coalesce(p_now, greatest(v_now, date_trunc('milliseconds', clock_timestamp())));
  if v_counted or jsonb_path_exists(p_postings, '$[*].limitAccount') then
    perform ledger.lock_spending(array(
      select a.holder_id from jsonb_array_elements(p_postings) p(body)
        left join ledger.hold h on h.id = (p.body -> 'hold')::bigint
        join ledger.account a on a.id = coalesce(case when h.counted then h.account_id end, (p.body -> 'limitAccount')::bigint)),
      ledger.business_day(v_now));
  end if;

  for i in 1 .. v_count loop v_ids[i] := nextval('ledger.transaction_id_seq'); end loop;
  insert into ledger.transaction (id, owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, original_id,
      created_at, completed_at) overriding system value
    select v_ids[p.ordinal], p.owner, p.namer, p.reference, p.partner, p.type, 'Successful', decode(p."requestHash", 'hex'),
      decode(p.mac, 'hex'), p.amount, coalesce(p.fee, 0), coalesce(p.commission, 0), coalesce(p."stampDuty", 0), p.currency, p.source,
      p.destination, p."externalReference", p.comment, p.metadata, p.original, v_now, v_now
    from rows from (jsonb_to_recordset(p_postings) as (owner uuid, namer text, reference text, partner uuid, type text,
        "requestHash" text, mac text, amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint,
        destination bigint, "externalReference" text, comment text, metadata jsonb, original bigint)) with ordinality
      p(owner, namer, reference, partner, type, "requestHash", mac, amount, fee, commission, "stampDuty", currency, source,
        destination, "externalReference", comment, metadata, original, ordinal)
    order by p.owner, p.namer, p.reference, p.ordinal
    on conflict (owner_id, namer, reference) do nothing;
  get diagnostics v_reserved = row_count;

  if v_reserved < v_count then
    v_ids := array(select t.id from unnest(v_ids) with ordinality u(id, place)
      left join ledger.transaction t on t.id = u.id order by u.place);
  elsif not v_special then
    v_answers := ledger.post_batch(p_postings, v_ids, v_accounts, v_now);
  end if;
  if v_answers is null then
    return query select i, r.* from generate_series(1, v_count) i,
      ledger.post_one(p_postings -> (i - 1), v_ids[i], v_now) r;
    return;
  end if;
  outcome := 'Successful';
  replayed := false;
  created_at := v_now;
  for i in 1 .. v_count loop
    ordinal := i;
    transaction_id := v_ids[i];
    entries := v_answers[i];
    return next;
  end loop;
end $$;

-- Its events by a statement of its own: another function was given them as JSON that was put together again.
create or replace function tag_transactions.decide(p_decisions jsonb)
  returns table (ordinal int, outcome text)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set jit = off
as $$
#variable_conflict use_column
declare
  v_open uuid[];
  v_turns int[];
  v_refused text;
  v_posted bigint[];
begin
  select array_agg(locked.id) into v_open from (
    select t.id from tag_transactions.tag_transaction t
      join (select (x ->> 'id')::uuid as id, min((x ->> 'now')::timestamptz) as now
              from jsonb_array_elements(p_decisions) x group by 1) asked on asked.id = t.id
     where t.status = 'AWAITING_ACCEPTANCE' and t.expires_at > asked.now
     order by t.id for no key update of t) locked;
  select array_agg(first.place order by first.place) into v_turns from (
    select distinct on (body ->> 'id') place::int
      from jsonb_array_elements(p_decisions) with ordinality asked (body, place)
     where (body ->> 'id')::uuid = any (v_open) order by body ->> 'id', place) first;

  if exists (select from jsonb_array_elements(p_decisions) x where x ? 'release') then
    perform ledger.close_holds(array(
      select (p_decisions -> (turn - 1) ->> 'release')::bigint from unnest(v_turns) turn
       where p_decisions -> (turn - 1) ? 'release'), 'RELEASED');
  end if;
  if exists (select from unnest(v_turns) turn where p_decisions -> (turn - 1) ? 'posting') then
    select array_agg(posted.transaction_id order by posted.ordinal),
        min(posted.outcome) filter (where posted.outcome <> 'Successful')
      into v_posted, v_refused
      from ledger.post((select jsonb_agg(p_decisions -> (turn - 1) -> 'posting' order by turn) from unnest(v_turns) turn
                         where p_decisions -> (turn - 1) ? 'posting')) posted;
    if v_refused is not null then raise exception '%', v_refused using errcode = 'PT010'; end if;
  end if;

  update tag_transactions.tag_transaction t
    set status = x.body ->> 'to', updated_at = x.now,
      accepted_at = case x.body ->> 'to' when 'ACCEPTED' then x.now end,
      rejected_at = case x.body ->> 'to' when 'REJECTED' then x.now end,
      rejection_reason = x.body ->> 'rejectionReason',
      posting_id = case when x.body ? 'posting' then v_posted[x.posting] end
    from (select body, (body ->> 'id')::uuid as id, (body ->> 'now')::timestamptz as now,
                 count(*) filter (where body ? 'posting') over (order by turn) as posting
            from unnest(v_turns) turn, lateral (select p_decisions -> (turn - 1) as body) b) x
    where t.id = x.id;

  if v_turns is not null then
    perform outbox.emit_all(array(
      select row(null, (body #>> '{event,owner}')::uuid, body #>> '{event,name}', body ->> 'reference', (body ->> 'id')::uuid,
          body #>> '{event,body}', null, null, null)::outbox.event
        from unnest(v_turns) turn, lateral (select p_decisions -> (turn - 1) as body offset 0) b order by turn));
  end if;
  return query
    select turn, case when turn = any (v_turns) then 'DONE' else 'NOT_PENDING' end
      from generate_series(1, jsonb_array_length(p_decisions)) turn;
end $$;
drop function tag_transactions.publish_all(jsonb);
