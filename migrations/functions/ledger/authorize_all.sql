-- Holds what postings in two steps take, many at a time: each as `ledger.authorize` does, with the same outcome. When nothing is
-- refused and no daily limit asked, all of them are judged in one pass and written by one statement for each table; then a
-- transaction is written once, with its hold.
create or replace function ledger.authorize_all(p_postings jsonb)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
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
      v_now);
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
