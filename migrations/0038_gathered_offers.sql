-- Offers of money, many at a time: their holds in one call, their rows and their events in one statement each.

-- Events of several owners, in the order given. Of an event, receiver_id is the owner here.
create or replace function outbox.emit_all(p_events outbox.event[]) returns int language plpgsql as $$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, subject_id, body, sequence)
  select r.id, (u.e).event, (u.e).reference, (u.e).subject_id, (u.e).body, (u.e).sequence
  from (select unnest(p_events) as e offset 0) u
    cross join lateral (select x.id from outbox.receiver x where x.owner_id = (u.e).receiver_id offset 0) r;
  get diagnostics v_written = row_count;
  return v_written;
end $$;

-- Holds money for several who ask in one call, in their order and each with its own outcome, as ledger.place_hold does for one.
-- Such holds count towards no daily limit. All that one account holds is written to it once.
--
-- A hold: { owner, reference, hash (hex), account, amount, expiresAt }. No two of one call have the same reference.
--
-- Locks are taken in this order: the accounts, by id; then the references, sorted.
create function ledger.place_holds(p_holds jsonb) returns table (ordinal int, outcome text, hold_id bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_accounts ledger.account[];
  v_known bigint[];
  v_refused bigint[];
  v_codes text[];
  v_now timestamptz;
  a ledger.account;
  h record;
  k int;
begin
  if (select count(*) > count(distinct x ->> 'reference') from jsonb_array_elements(p_holds) x) then
    raise exception 'a reference stands twice in one call';
  end if;
  select array_agg(x.a), array_agg((x.a).id) into v_accounts, v_known from (
    select y as a from ledger.account y
      where y.id in (select (x ->> 'account')::bigint from jsonb_array_elements(p_holds) x)
      order by y.id for no key update) x;
  v_now := clock_timestamp();

  for h in
    with asked as materialized (
      select p.*
        from rows from (jsonb_to_recordset(p_holds) as (owner uuid, reference text, hash text, account bigint, amount bigint,
          "expiresAt" timestamptz)) with ordinality p(owner, reference, hash, account, amount, expires_at, place)),
    made as (
      insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at,
        created_at)
      select owner, reference, decode(hash, 'hex'), account, amount, 'OPEN', false, ledger.business_day(v_now), expires_at, v_now
        from asked order by owner, reference
      on conflict (owner_id, reference) do nothing
      returning id, owner_id, reference)
    select asked.*, made.id from asked left join made on made.owner_id = asked.owner and made.reference = asked.reference
     order by place
  loop
    ordinal := h.place;
    hold_id := h.id;
    if h.id is null then
      select case when x.request_hash <> decode(h.hash, 'hex') then 'REFERENCE_REUSED' else coalesce(x.code, x.state) end, x.id
        into strict outcome, hold_id
        from ledger.hold x where x.owner_id = h.owner and x.reference = h.reference;
      return next;
      continue;
    end if;
    k := array_position(v_known, h.account);
    a := v_accounts[k];
    outcome := case
      when a.status = 'Blocked' then 'WALLET_BLOCKED'
      when a.status = 'PND' then 'WALLET_PND'
      when a.posted - a.suspended - a.liens - h.amount < a.floor then 'INSUFFICIENT_FUNDS'
      else 'OPEN'
    end;
    if outcome = 'OPEN' then
      a.suspended := a.suspended + h.amount;
      v_accounts[k] := a;
    else
      v_refused := v_refused || h.id;
      v_codes := v_codes || outcome;
    end if;
    return next;
  end loop;

  if v_refused is not null then
    update ledger.hold x set state = 'REFUSED', code = r.code, closed_at = v_now
      from unnest(v_refused, v_codes) r(id, code) where x.id = r.id;
  end if;
  update ledger.account x set suspended = (n.a).suspended, updated_at = greatest(x.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n
   where x.id = (n.a).id and x.suspended <> (n.a).suspended;
end $$;

-- As before (0029), but for captures of holds that count towards no limit, which are judged in the same pass.
create or replace function ledger.post(p_postings jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
  set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
declare
  v_count int := jsonb_array_length(p_postings);
  v_named bigint[] := translate(jsonb_path_query_array(p_postings, '$[*].legs[*].account')::text, '[]', '{}')::bigint[];
  v_special boolean := jsonb_path_exists(p_postings,
       '$[*] ? (exists(@.original) || exists(@.predecidedRefusal) || exists(@.pendingReason))');
  v_accounts ledger.account[];
  v_ids bigint[] := '{}';
  v_now timestamptz;
  v_reserved int;
  v_answers jsonb[];
begin
  if p_now is not null then perform ledger.refuse_time(p_now); end if;
  if v_special and jsonb_path_exists(p_postings, '$[*].original') then
    perform 1 from ledger.transaction t
      where t.id in (
        select unnest(array[o.id, case when o.status = 'Pending' then o.original_id end])
        from jsonb_array_elements(p_postings) x join ledger.transaction o on o.id = (x -> 'original')::bigint)
      order by t.id for no key update;
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    perform 1 from ledger.hold h
      where h.id in (select (x -> 'hold')::bigint from jsonb_array_elements(p_postings) x where x ? 'hold')
      order by h.id for no key update;
  end if;
  select array_agg(x.a), max(x.moved_at) into v_accounts, v_now from (
    select y as a, y.moved_at from ledger.account y where y.id = any (v_named) and y.lock_mode = 'strict'
      order by y.id for no key update) x;
  if coalesce(cardinality(v_accounts), 0) < cardinality(v_named) then
    v_accounts := v_accounts || array(select x from ledger.account x where x.id = any (v_named) and x.lock_mode <> 'strict');
  end if;
  v_now := coalesce(p_now, greatest(v_now, date_trunc('milliseconds', clock_timestamp())));
  if jsonb_path_exists(p_postings, '$[*] ? (exists(@.limitAccount) || exists(@.hold))') then
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

create or replace function ledger.post_batch(p_postings jsonb, p_ids bigint[], p_accounts ledger.account[], p_now timestamptz)
returns jsonb[] language plpgsql as $$
declare
  v_known bigint[];
  v_last int[];
  v_deltas bigint[];
  v_holders uuid[];
  v_spent bigint[];
  v_day date := ledger.business_day(p_now);
  v_posting jsonb;
  v_legs jsonb;
  v_leg jsonb;
  v_amount bigint;
  k int;
  h int;
  a ledger.account;
  e ledger.entry;
  v_entries ledger.entry[];
  v_answer jsonb;
  v_answers jsonb[];
  v_events outbox.event[];
  v_holds ledger.hold[];
  v_held bigint[];
  v_hold ledger.hold;
  v_captured int;
begin
  for k in 1 .. coalesce(cardinality(p_accounts), 0) loop v_known[k] := p_accounts[k].id; end loop;
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    select array_agg(s.holder_id), array_agg(ledger.spent_on(s, v_day)) into v_holders, v_spent from ledger.spending s
      where s.holder_id in (select x.holder_id from unnest(p_accounts) x where x.id = any (
        translate(jsonb_path_query_array(p_postings, '$[*].limitAccount')::text, '[]', '{}')::bigint[]));
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select array_agg(x), array_agg(x.id) into v_holds, v_held from ledger.hold x
      where x.id = any (translate(jsonb_path_query_array(p_postings, '$[*].hold')::text, '[]', '{}')::bigint[]);
  end if;
  for i in 1 .. cardinality(p_ids) loop
    v_posting := p_postings -> (i - 1);
    v_legs := v_posting -> 'legs';
    v_answer := '[]';
    v_hold := null;
    if v_posting ? 'hold' then
      h := array_position(v_held, (v_posting ->> 'hold')::bigint);
      v_hold := v_holds[h];
      if (v_hold.state = 'OPEN' and v_hold.expires_at > p_now and not v_hold.counted) is not true
          or v_posting ? 'limitAccount' then return null; end if;
      v_holds[h].state := 'CAPTURED';
      v_captured := 0;
    end if;
    for j in 1 .. coalesce(jsonb_array_length(v_legs), 0) loop
      v_leg := v_legs -> (j - 1);
      v_amount := (v_leg ->> 'amount')::bigint;
      k := array_position(v_known, (v_leg ->> 'account')::bigint);
      a := p_accounts[k];
      -- An account that is named twice, is not known, or may not be moved so.
      if (v_last[k] is distinct from i and a.currency = v_posting ->> 'currency'
          and case when v_amount > 0 then a.posted + v_amount <= ledger.balance_max() or a.lock_mode = 'deferred'
            else a.floor is null or a.id = v_hold.account_id or a.posted - a.suspended - a.liens + v_amount >= a.floor end) is not true then return null; end if;
      if a.status <> 'Enabled' then
        if a.status in ('Blocked', case when v_amount > 0 then 'PNC' else 'PND' end) then return null; end if;
      end if;
      if v_holders is not null then
        if v_posting ->> 'limitAccount' = a.id::text then
          h := array_position(v_holders, a.holder_id);
          v_spent[h] := v_spent[h] - v_amount;
          if v_spent[h] > coalesce(a.daily_limit, (v_posting ->> 'defaultDailyLimit')::bigint) then return null; end if;
        end if;
      end if;
      if a.id = v_hold.account_id and v_amount < 0 then
        if v_hold.amount + v_amount < 0 or a.lock_mode <> 'strict' then return null; end if;
        a.suspended := a.suspended - v_hold.amount;
        v_captured := v_captured + 1;
      end if;
      v_last[k] := i;
      if a.lock_mode = 'strict' then
        a.posted := a.posted + v_amount;
        a.version := a.version + 1;
        p_accounts[k] := a;
        e := row(p_ids[i], j, a.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), a.version, a.posted - v_amount, a.posted,
          v_day, p_now)::ledger.entry;
      else
        v_deltas[k] := coalesce(v_deltas[k], 0) + v_amount;
        e := row(p_ids[i], j, a.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), null, null, null, v_day, p_now)::ledger.entry;
      end if;
      v_entries := v_entries || e;
      v_answer := v_answer || jsonb_build_object('account', a.id, 'amount', v_amount::text, 'opening', e.opening::text,
        'closing', e.closing::text);
      if a.emits then
        v_events := v_events || row(null, a.partner_id, case when v_amount > 0 then 'wallet.credited' else 'wallet.debited' end,
          a.reference, null,
          ledger.movement_event(a.reference, e, (v_posting ->> 'amount')::bigint, v_posting ->> 'reference',
            case when v_posting ->> 'namer' in ('CUSTOMER', 'APPLICATION') and a.id::text is distinct from v_posting ->> 'source' then ''
              else v_posting ->> 'externalReference' end, v_posting ->> 'comment'), a.version, p_now, null)::outbox.event;
      end if;
    end loop;
    if v_answer = '[]' or v_hold.id is not null and v_captured = 0 then return null; end if;
    v_answers[i] := v_answer;
  end loop;

  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    select (n.e).* from (select unnest(v_entries) as e offset 0) n;
  if v_holds is null then
    update ledger.account x set posted = (n.a).posted, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
  else
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = any (v_held);
    update ledger.account x
      set posted = (n.a).posted, suspended = (n.a).suspended, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
  end if;
  if v_holders is not null then
    update ledger.spending s set spent = u.spent, day = v_day
      from unnest(v_holders, v_spent) u(holder, spent) where s.holder_id = u.holder;
  end if;
  if v_deltas is not null then
    insert into ledger.deferred_delta (account_id, amount)
      select v_known[s.k], v_deltas[s.k] from generate_subscripts(v_deltas, 1) s(k) where v_deltas[s.k] is not null;
  end if;
  if v_events is not null then k := outbox.emit_all(v_events); end if;
  return v_answers;
end $$;

-- Publishes the events of offers or decisions, in their order.
create function tag_transactions.publish_all(p jsonb) returns void language sql as $$
  select outbox.emit_all(array(
    select row(null, (body #>> '{event,owner}')::uuid, body #>> '{event,name}', body ->> 'reference', (body ->> 'id')::uuid,
        body #>> '{event,body}', null, null, null)::outbox.event
      from jsonb_array_elements(p) with ordinality told(body, place) order by place))
$$;

-- As before (0033), but for how holds are placed and events published.
create or replace function tag_transactions.offer(p_offers jsonb) returns table (ordinal int, outcome text) language plpgsql
  -- As ledger.post: what a call names is found by index, whatever the planner guesses of how much it names.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_made uuid[];
  v_places int[];
  v_asked jsonb;
  v_outcomes text[];
begin
  perform 1 from ledger.account a
    where a.lock_mode = 'strict' and a.id in (
      select (x #>> '{hold,account}')::bigint from jsonb_array_elements(p_offers) x
      union all
      select (leg ->> 'account')::bigint
        from jsonb_array_elements(p_offers) x, jsonb_array_elements(x #> '{posting,legs}') leg)
    order by a.id for no key update;

  with made as (
    insert into tag_transactions.tag_transaction (id, reference, request_hash, sender_app_id, receiver_app_id, sender_tag,
      receiver_tag, amount, fee, currency, status, code, narration, expires_at, created_at, updated_at)
    select id, reference, decode("requestHash", 'hex'), "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount,
      fee, currency, case when code is null then 'AWAITING_ACCEPTANCE' else 'DECLINED' end, code, narration, "expiresAt",
      now, now
    from rows from (jsonb_to_recordset(p_offers) as (id uuid, reference text, "requestHash" text, "senderAppId" uuid,
        "receiverAppId" uuid, "senderTag" text, "receiverTag" text, amount bigint, fee bigint, currency text, code text,
        narration text, "expiresAt" timestamptz, now timestamptz)) with ordinality
      x(id, reference, "requestHash", "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount, fee, currency, code,
        narration, "expiresAt", now, place)
    order by "senderAppId", reference, place
    on conflict (sender_app_id, reference) do nothing
    returning id)
  select array_agg(id) into v_made from made;

  return query
    select place::int, case when (body ->> 'id')::uuid = any (v_made) then body ->> 'code' else 'TAKEN' end
      from jsonb_array_elements(p_offers) with ordinality asked (body, place)
     where body ? 'code' or (body ->> 'id')::uuid = any (v_made) is not true;

  select array_agg(place order by place), jsonb_agg(body -> 'hold' || jsonb_build_object('owner', body -> 'senderAppId',
      'amount', (body ->> 'amount')::bigint + (body ->> 'fee')::bigint) order by place)
    into v_places, v_asked
    from jsonb_array_elements(p_offers) with ordinality asked (body, place)
   where body ? 'hold' and (body ->> 'id')::uuid = any (v_made);
  if v_places is not null then
    with placed as materialized (
      select p_offers -> (v_places[h.ordinal] - 1) as body, h.* from ledger.place_holds(v_asked) h),
    noted as (
      update tag_transactions.tag_transaction t
         set hold_id = case p.outcome when 'OPEN' then p.hold_id end,
           status = case p.outcome when 'OPEN' then t.status else 'DECLINED' end,
           code = nullif(p.outcome, 'OPEN')
        from placed p where t.id = (p.body ->> 'id')::uuid)
    select array_agg(case outcome when 'OPEN' then 'AWAITING_ACCEPTANCE' else outcome end order by ordinal),
        jsonb_agg(body order by ordinal) filter (where outcome = 'OPEN')
      into v_outcomes, v_asked from placed;
    perform tag_transactions.publish_all(v_asked) where v_asked is not null;
    return query select * from unnest(v_places, v_outcomes);
  end if;

  select array_agg(place order by place), jsonb_agg(body -> 'posting' order by place) into v_places, v_asked
    from jsonb_array_elements(p_offers) with ordinality asked (body, place)
   where body ? 'posting' and (body ->> 'id')::uuid = any (v_made);
  if v_places is null then return; end if;
  with posted as materialized (
    select p_offers -> (v_places[p.ordinal] - 1) as body, p.ordinal, p.transaction_id,
        case p.outcome when 'Successful' then 'ACCEPTED' else p.outcome end as outcome
      from ledger.post(v_asked) p),
  noted as (
    update tag_transactions.tag_transaction t
       set status = case p.outcome when 'ACCEPTED' then 'ACCEPTED' else 'DECLINED' end,
         accepted_at = case p.outcome when 'ACCEPTED' then t.created_at end,
         posting_id = case p.outcome when 'ACCEPTED' then p.transaction_id end,
         code = nullif(p.outcome, 'ACCEPTED')
      from posted p where t.id = (p.body ->> 'id')::uuid)
  select array_agg(outcome order by ordinal), jsonb_agg(body order by ordinal) filter (where outcome = 'ACCEPTED')
    into v_outcomes, v_asked from posted;
  perform tag_transactions.publish_all(v_asked) where v_asked is not null;
  return query select * from unnest(v_places, v_outcomes);
end $$;

-- As before (0033), but for how events are published.
create or replace function tag_transactions.decide(p_decisions jsonb) returns table (ordinal int, outcome text) language plpgsql
  -- As ledger.post: what a call names is found by index, whatever the planner guesses of how much it names.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off set jit = off as $$
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

  perform tag_transactions.publish_all((
      select jsonb_agg(p_decisions -> (turn - 1) order by turn) from unnest(v_turns) turn))
    where v_turns is not null;
  return query
    select turn, case when turn = any (v_turns) then 'DONE' else 'NOT_PENDING' end
      from generate_series(1, jsonb_array_length(p_decisions)) turn;
end $$;

drop function tag_transactions.publish(jsonb);
