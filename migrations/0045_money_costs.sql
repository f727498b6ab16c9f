-- What a movement of money costs. The promises are those of before.

-- One event, as outbox.emit_all writes several. For functions that run with the rights of the owner already.
create function outbox.emit_movement(p_owner uuid, p_event text, p_reference text, p_body text, p_sequence bigint)
returns int language plpgsql as $$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, body, sequence)
    select x.id, p_event, p_reference, p_body, p_sequence from outbox.receiver x where x.owner_id = p_owner;
  get diagnostics v_written = row_count;
  return v_written;
end $$;

-- When an endpoint that takes nothing now is due, asked again under a lock: who makes it take deliveries waits, and finds what we wrote.
create function webhooks.due_under_lock(p_receiver uuid) returns timestamptz language plpgsql as $$
declare
  deliverable boolean;
begin
  perform from outbox.receiver r where r.id = p_receiver for share;
  select r.url is not null and not exists (
           select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
    into deliverable from outbox.receiver r where r.id = p_receiver;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $$;

-- As before (0041), but that one event of an endpoint which stands alone, takes every event and takes none now needs little more
-- than one that is due.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_made int;
  v_all int;
begin
  insert into webhooks.delivery (event_id, receiver_id, due_at)
    select e.id, r.id, date_trunc('milliseconds', now())
    from emitted e cross join lateral (
      select x.id from outbox.receiver x
        where x.id = e.receiver_id and x.url is not null and x.others = 0 and x.events is null and not x.ordered
          and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) offset 0) r;
  get diagnostics v_made = row_count;
  v_all := (select count(*) from emitted);
  if v_made < v_all and v_all = 1 then
    insert into webhooks.delivery (event_id, receiver_id, due_at)
      select e.id, e.receiver_id, webhooks.due_under_lock(e.receiver_id) from emitted e
        where exists (select from outbox.receiver x
          where x.id = e.receiver_id and x.others = 0 and x.events is null and not x.ordered);
    get diagnostics v_made = row_count;
  end if;
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
  end if;
  return null;
end $$;

-- Posts one posting between two strict accounts, which is what most calls of one posting are: what ledger.post does for many by
-- way of arrays, by statements of single rows. Answers null, and has written nothing, when it is another sort of posting. One that
-- is repeated or refused goes to ledger.post_one, as there.
create function ledger.post_pair(p jsonb, p_now timestamptz,
  out outcome text, out replayed boolean, out transaction_id bigint, out created_at timestamptz, out entries jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  a ledger.account;
  b ledger.account;
  e ledger.entry;
  f ledger.entry;
  v_legs jsonb := p -> 'legs';
  v_first bigint := (v_legs #>> '{0,account}')::bigint;
  v_second bigint := (v_legs #>> '{1,account}')::bigint;
  v_amount bigint := (v_legs #>> '{1,amount}')::bigint;
  v_name text;
  v_now timestamptz;
  v_day date;
  v_id bigint;
begin
  if v_first < v_second then
    select x.* into a from ledger.account x where x.id = v_first and x.lock_mode = 'strict' for no key update;
    select x.* into b from ledger.account x where x.id = v_second and x.lock_mode = 'strict' for no key update;
  elsif v_first > v_second then
    select x.* into b from ledger.account x where x.id = v_second and x.lock_mode = 'strict' for no key update;
    select x.* into a from ledger.account x where x.id = v_first and x.lock_mode = 'strict' for no key update;
  end if;
  if a.id is null or b.id is null then return; end if;
  v_now := coalesce(p_now, greatest(a.moved_at, b.moved_at, date_trunc('milliseconds', clock_timestamp())));

  insert into ledger.transaction as t (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, created_at, completed_at)
    values ((p ->> 'owner')::uuid, p ->> 'namer', p ->> 'reference', (p ->> 'partner')::uuid, p ->> 'type', 'Successful',
      decode(p ->> 'requestHash', 'hex'), decode(p ->> 'mac', 'hex'), (p ->> 'amount')::bigint, coalesce((p ->> 'fee')::bigint, 0),
      coalesce((p ->> 'commission')::bigint, 0), coalesce((p ->> 'stampDuty')::bigint, 0), p ->> 'currency',
      (p ->> 'source')::bigint, (p ->> 'destination')::bigint, p ->> 'externalReference', p ->> 'comment',
      nullif(p -> 'metadata', 'null'), v_now, v_now)
    on conflict (owner_id, namer, reference) do nothing
    returning t.id into v_id;
  -- As ledger.post_batch judges.
  if (v_id is not null and a.currency = p ->> 'currency' and b.currency = a.currency
      and a.status = 'Enabled' and b.status = 'Enabled'
      and case when v_amount > 0
          then b.posted + v_amount <= ledger.balance_max()
            and (a.floor is null or a.posted - a.suspended - a.liens - v_amount >= a.floor)
          else a.posted - v_amount <= ledger.balance_max()
            and (b.floor is null or b.posted - b.suspended - b.liens + v_amount >= b.floor) end) is not true then
    select r.* into outcome, replayed, transaction_id, created_at, entries from ledger.post_one(p, v_id, v_now) r;
    return;
  end if;

  v_day := ledger.business_day(v_now);
  e := row(v_id, 1, a.id, (v_legs #>> '{0,amount}')::bigint, coalesce((v_legs #>> '{0,fee}')::bigint, 0), a.version + 1, a.posted,
    a.posted + (v_legs #>> '{0,amount}')::bigint, v_day, v_now)::ledger.entry;
  f := row(v_id, 2, b.id, v_amount, coalesce((v_legs #>> '{1,fee}')::bigint, 0), b.version + 1, b.posted, b.posted + v_amount,
    v_day, v_now)::ledger.entry;
  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    values (e.transaction_id, e.leg, e.account_id, e.amount, e.fee, e.version, e.opening, e.closing, v_day, v_now),
      (f.transaction_id, f.leg, f.account_id, f.amount, f.fee, f.version, f.opening, f.closing, v_day, v_now);
  update ledger.account x
    set posted = case x.id when e.account_id then e.closing else f.closing end, version = x.version + 1, updated_at = v_now, moved_at = v_now
    where x.id in (e.account_id, f.account_id);
  if a.emits then
    v_name := case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end;
    v_first := outbox.emit_movement(a.partner_id, v_name, a.reference, ledger.movement_event(a.reference, e, (p ->> 'amount')::bigint,
      p ->> 'reference', case when p ->> 'namer' in ('CUSTOMER', 'APPLICATION') and a.id::text is distinct from p ->> 'source' then ''
        else p ->> 'externalReference' end, p ->> 'comment'), e.version);
  end if;
  if b.emits then
    v_name := case when f.amount > 0 then 'wallet.credited' else 'wallet.debited' end;
    v_first := outbox.emit_movement(b.partner_id, v_name, b.reference, ledger.movement_event(b.reference, f, (p ->> 'amount')::bigint,
      p ->> 'reference', case when p ->> 'namer' in ('CUSTOMER', 'APPLICATION') and b.id::text is distinct from p ->> 'source' then ''
        else p ->> 'externalReference' end, p ->> 'comment'), f.version);
  end if;
  outcome := 'Successful';
  replayed := false;
  transaction_id := v_id;
  created_at := v_now;
  entries := jsonb_build_array(
    jsonb_build_object('account', e.account_id, 'amount', e.amount::text, 'opening', e.opening::text, 'closing', e.closing::text),
    jsonb_build_object('account', f.account_id, 'amount', f.amount::text, 'opening', f.opening::text, 'closing', f.closing::text));
end $$;

-- As before (0038), but for a posting that comes alone.
create or replace function ledger.post(p_postings jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
  set enable_hashjoin = off set enable_mergejoin = off set jit = off
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

-- Payments of customers: each was made by its payer at a partner, to a payee, at a time.
create function beneficiaries.record(p_partners uuid[], p_customers uuid[], p_payees uuid[], p_at timestamptz[]) returns void language sql as $$
  insert into beneficiaries.beneficiary as b (partner_id, customer_id, payee_id, last_paid_at)
    select partner, customer, payee, max(at)
      from unnest(p_partners, p_customers, p_payees, p_at) paid (partner, customer, payee, at)
     group by partner, customer, payee
     order by partner, customer, payee -- one order of locks
    on conflict (partner_id, customer_id, payee_id)
      do update set last_paid_at = greatest(b.last_paid_at, excluded.last_paid_at)
$$;

-- Makes the transfers of several customers, and records whom each has paid, in one transaction of the database. Answers as
-- ledger.post does for their postings.
--
-- A transfer: { payee  the customer who is paid, posting  what ledger.post reads: its owner is the customer who pays }
--
-- Locks are taken in the order of the ledger, then the beneficiaries, by key.
create function wallets.transfer(p_transfers jsonb)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql
  -- As ledger.post: what a call names is found by index, whatever the planner guesses of how much it names.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
  set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_transfer jsonb;
  v_partners uuid[];
  v_customers uuid[];
  v_payees uuid[];
  v_at timestamptz[];
begin
  for ordinal, outcome, replayed, transaction_id, created_at, entries in
    select p.ordinal, p.outcome, p.replayed, p.transaction_id, p.created_at, p.entries
      from ledger.post(jsonb_path_query_array(p_transfers, '$[*].posting')) p
  loop
    if outcome = 'Successful' and not replayed then
      v_transfer := p_transfers -> (ordinal - 1);
      v_partners := v_partners || (v_transfer #>> '{posting,partner}')::uuid;
      v_customers := v_customers || (v_transfer #>> '{posting,owner}')::uuid;
      v_payees := v_payees || (v_transfer ->> 'payee')::uuid;
      v_at := v_at || created_at;
    end if;
    return next;
  end loop;
  if v_at is not null then perform beneficiaries.record(v_partners, v_customers, v_payees, v_at); end if;
end $$;
