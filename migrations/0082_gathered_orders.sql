-- Servers from 0080 on work with it.
-- Holds what postings in two steps take, many at a time: each as `ledger.authorize` does, with the same outcome. When nothing is
-- refused and no daily limit asked, all of them are judged in one pass and written by one statement for each table; then a
-- transaction is written once, with its hold.
create function ledger.authorize_all(p_postings jsonb)
  returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_count int := jsonb_array_length(p_postings);
  v_sources bigint[] := translate(jsonb_path_query_array(p_postings, '$[*].source')::text, '[]', '{}')::bigint[];
  v_known bigint[];
  v_accounts ledger.account[];
  v_before ledger.account[];
  v_now timestamptz;
  v_plain boolean;
  v_ids bigint[];
  v_holds bigint[];
  v_held bigint[];
  v_made bigint[];
  v_posting jsonb;
  a ledger.account;
  k int;
begin
  select array_agg(x.a), array_agg((x.a).id), max((x.a).moved_at) into v_accounts, v_known, v_now from (
    select y as a from ledger.account y where y.id = any (v_sources) order by y.id for no key update) x;
  v_before := v_accounts;
  v_now := greatest(v_now, date_trunc('milliseconds', clock_timestamp()));
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    perform ledger.lock_spending(array(
        select y.holder_id from ledger.account y join jsonb_array_elements(p_postings) p on y.id = (p ->> 'limitAccount')::bigint),
      ledger.business_day(v_now));
    v_plain := false;
  else
    -- What it is paid to is not locked: our own accounts, which take what they are given.
    v_plain := not jsonb_path_exists(p_postings, '$[*] ? (exists(@.predecidedRefusal) || exists(@.hold) || exists(@.original))')
      and not exists (
        select from jsonb_array_elements(p_postings) p, jsonb_to_recordset(p -> 'legs') l (account bigint, amount bigint)
          left join ledger.account y on y.id = l.account
         where l.account <> (p ->> 'source')::bigint
           and (l.amount > 0 and y.lock_mode = 'deferred' and y.status = 'Enabled' and y.currency = p ->> 'currency') is not true);
  end if;

  for i in 1 .. case when v_plain then v_count else 0 end loop
    v_posting := p_postings -> (i - 1);
    k := array_position(v_known, (v_posting ->> 'source')::bigint);
    a := v_accounts[k];
    v_held[i] := (
      select -l.amount from jsonb_to_recordset(v_posting -> 'legs') l (account bigint, amount bigint) where l.account = a.id);
    v_plain := (a.status = 'Enabled' and a.currency = v_posting ->> 'currency' and v_held[i] > 0
      and (a.floor is null or a.posted - a.suspended - a.liens - v_held[i] >= a.floor)) is true;
    exit when not v_plain;
    a.suspended := a.suspended + v_held[i];
    v_accounts[k] := a;
    v_ids[i] := nextval('ledger.transaction_id_seq');
    v_holds[i] := nextval('ledger.hold_id_seq');
  end loop;
  if not v_plain then
    return query
      select p.place::int, x.outcome, x.replayed, x.transaction_id, x.created_at, x.entries
        from jsonb_array_elements(p_postings) with ordinality p (body, place), ledger.authorize(p.body) x;
    return;
  end if;

  with asked as materialized (
    select x.*
      from rows from (jsonb_to_recordset(p_postings) as (owner uuid, namer text, reference text, partner uuid, type text,
          "requestHash" text, mac text, amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text,
          source bigint, destination bigint, "externalReference" text, comment text, metadata jsonb)) with ordinality
        x (owner, namer, reference, partner, type, "requestHash", mac, amount, fee, commission, "stampDuty", currency, source,
          destination, "externalReference", comment, metadata, place)),
  made as (
    insert into ledger.transaction as t (id, owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
        commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, hold_id, created_at)
      overriding system value
      select v_ids[x.place], x.owner, x.namer, x.reference, x.partner, x.type, 'Held', decode(x."requestHash", 'hex'),
        decode(x.mac, 'hex'), x.amount, coalesce(x.fee, 0), coalesce(x.commission, 0), coalesce(x."stampDuty", 0), x.currency,
        x.source, x.destination, x."externalReference", x.comment, x.metadata, v_holds[x.place], v_now
      from asked x order by x.owner, x.namer, x.reference, x.place
      on conflict (owner_id, namer, reference) do nothing
      returning t.id, t.owner_id, t.request_hash, t.source_id, t.hold_id),
  held as (
    insert into ledger.hold (id, owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at,
        created_at) overriding system value
      select m.hold_id, m.owner_id, 'transaction ' || m.id, m.request_hash, m.source_id, v_held[array_position(v_ids, m.id)], 'OPEN',
        false, ledger.business_day(v_now), 'infinity', v_now
      from made m)
  select coalesce(array_agg(m.id), '{}') into v_made from made m;

  -- Less than was judged, where a reference had been used before.
  if cardinality(v_made) < v_count then
    v_accounts := v_before;
    for i in 1 .. v_count loop
      continue when v_ids[i] <> all (v_made);
      k := array_position(v_known, (p_postings -> (i - 1) ->> 'source')::bigint);
      a := v_accounts[k];
      a.suspended := a.suspended + v_held[i];
      v_accounts[k] := a;
    end loop;
  end if;
  update ledger.account x set suspended = (n.a).suspended, updated_at = greatest(x.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n where x.id = (n.a).id and x.suspended <> (n.a).suspended;

  for i in 1 .. v_count loop
    if v_ids[i] = any (v_made) then
      ordinal := i;
      outcome := 'Pending';
      replayed := false;
      transaction_id := v_ids[i];
      created_at := v_now;
      entries := '[]';
      return next;
    else
      return query select i, again.* from ledger.answer_again(p_postings -> (i - 1)) again;
    end if;
  end loop;
end $$;
--> statement-breakpoint
-- Has the ledger hold what payouts take, and stores them to be sent now: many at a time, each both or neither.
create function payouts.order_all(p_orders jsonb)
  returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
  language plpgsql as $$
#variable_conflict use_column
declare
  v_places int[];
  v_ids bigint[];
  v_at timestamptz[];
begin
  for ordinal, outcome, replayed, transaction_id, created_at, entries in
    select x.ordinal, x.outcome, x.replayed, x.transaction_id, x.created_at, x.entries
      from ledger.authorize_all(jsonb_path_query_array(p_orders, '$[*].posting')) x
  loop
    if outcome = 'Pending' and not replayed then
      v_places := v_places || ordinal;
      v_ids := v_ids || transaction_id;
      v_at := v_at || created_at;
    end if;
    return next;
  end loop;
  if v_places is null then return; end if;
  insert into payouts.payout (transaction_id, partner_id, wallet, provider, amount, provider_reference, bank_code, bank_name,
      account_number_sealed, account_name_sealed, account_index, due_at, created_at, updated_at)
    select n.id, o."partnerId", o.wallet, o.provider, o.amount, o."providerReference", o."bankCode", o."bankName",
      decode(o."accountNumberSealed", 'base64'), decode(o."accountNameSealed", 'base64'), decode(o."accountIndex", 'base64'), o.now,
      n.at, o.now
    from unnest(v_places, v_ids, v_at) n (place, id, at),
      jsonb_to_record(p_orders -> (n.place - 1)) o ("partnerId" uuid, wallet text, provider text, amount bigint,
        "providerReference" text, "bankCode" text, "bankName" text, "accountNumberSealed" text, "accountNameSealed" text,
        "accountIndex" text, now timestamptz);
end $$;
--> statement-breakpoint
-- As before (0038), but an offer is written once, when it is known what its money came to.
create or replace function tag_transactions.offer(p_offers jsonb) returns table (ordinal int, outcome text) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_new int[];
  v_outcomes text[];
  v_holds bigint[];
  v_postings bigint[];
  v_places int[];
  v_asked jsonb;
  h record;
begin
  -- Offers of one sender wait here for each other, so that what is found of their references below stays true.
  perform 1 from ledger.account a
    where a.lock_mode = 'strict' and a.id in (
      select (x #>> '{hold,account}')::bigint from jsonb_array_elements(p_offers) x
      union all
      select (leg ->> 'account')::bigint
        from jsonb_array_elements(p_offers) x, jsonb_array_elements(x #> '{posting,legs}') leg)
    order by a.id for no key update;

  select array_agg(place) into v_new from (
    select distinct on (sender, reference) sender, reference, place::int
      from rows from (jsonb_to_recordset(p_offers) as ("senderAppId" uuid, reference text)) with ordinality x (sender, reference, place)
     order by sender, reference, place) asked
    where not exists (
      select from tag_transactions.tag_transaction t where t.sender_app_id = asked.sender and t.reference = asked.reference);

  select array_agg(place order by place), jsonb_agg(body -> 'hold' || jsonb_build_object('owner', body -> 'senderAppId',
      'amount', (body ->> 'amount')::bigint + (body ->> 'fee')::bigint) order by place)
    into v_places, v_asked
    from unnest(v_new) place, lateral (select p_offers -> (place - 1) as body offset 0) b
   where body ? 'hold';
  if v_places is not null then
    for h in select * from ledger.place_holds(v_asked) loop
      v_outcomes[v_places[h.ordinal]] := case h.outcome when 'OPEN' then 'AWAITING_ACCEPTANCE' else h.outcome end;
      v_holds[v_places[h.ordinal]] := case h.outcome when 'OPEN' then h.hold_id end;
    end loop;
  end if;

  if jsonb_path_exists(p_offers, '$[*].posting') then
    select array_agg(place order by place), jsonb_agg(p_offers -> (place - 1) -> 'posting' order by place)
      into v_places, v_asked from unnest(v_new) place where p_offers -> (place - 1) ? 'posting';
    if v_places is not null then
      for h in select * from ledger.post(v_asked) loop
        v_outcomes[v_places[h.ordinal]] := case h.outcome when 'Successful' then 'ACCEPTED' else h.outcome end;
        v_postings[v_places[h.ordinal]] := case h.outcome when 'Successful' then h.transaction_id end;
      end loop;
    end if;
  end if;

  with made as (
    insert into tag_transactions.tag_transaction (id, reference, request_hash, sender_app_id, receiver_app_id, sender_tag,
      receiver_tag, amount, fee, currency, status, code, narration, hold_id, posting_id, expires_at, accepted_at, created_at,
      updated_at)
    select id, reference, decode("requestHash", 'hex'), "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount,
      fee, currency, case when outcome in ('AWAITING_ACCEPTANCE', 'ACCEPTED') then outcome else 'DECLINED' end,
      case when outcome not in ('AWAITING_ACCEPTANCE', 'ACCEPTED') then outcome end, narration, v_holds[place], v_postings[place],
      "expiresAt", case outcome when 'ACCEPTED' then now end, now, now
    from rows from (jsonb_to_recordset(p_offers) as (id uuid, reference text, "requestHash" text, "senderAppId" uuid,
        "receiverAppId" uuid, "senderTag" text, "receiverTag" text, amount bigint, fee bigint, currency text, code text,
        narration text, "expiresAt" timestamptz, now timestamptz)) with ordinality
      x (id, reference, "requestHash", "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount, fee, currency, code,
        narration, "expiresAt", now, place),
      lateral (select coalesce(code, v_outcomes[place]) as outcome offset 0) o
    where place = any (v_new)
    order by "senderAppId", reference
    on conflict (sender_app_id, reference) do nothing
    returning id)
  select array(select place from unnest(v_new) place where exists (
    select from made where made.id = (p_offers -> (place - 1) ->> 'id')::uuid)) into v_places;
  -- An offer of other money, or of none, took the reference meanwhile: what was set aside for this one is given back, and its
  -- caller asks again.
  if exists (select from unnest(v_new) place where place <> all (v_places) and v_outcomes[place] is not null) then
    raise exception 'another offer has just taken this reference' using errcode = '40001';
  end if;

  perform outbox.emit_all(array(
    select row(null, (body #>> '{event,owner}')::uuid, body #>> '{event,name}', body ->> 'reference', (body ->> 'id')::uuid,
        body #>> '{event,body}', null, null, null)::outbox.event
      from unnest(v_places) place, lateral (select p_offers -> (place - 1) as body offset 0) b
     where v_outcomes[place] in ('AWAITING_ACCEPTANCE', 'ACCEPTED') order by place));
  return query
    select place::int, case when place = any (v_places) then coalesce(body ->> 'code', v_outcomes[place]) else 'TAKEN' end
      from jsonb_array_elements(p_offers) with ordinality asked (body, place);
end $$;
