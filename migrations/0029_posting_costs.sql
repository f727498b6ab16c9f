-- What one posting costs. The promises are those of before; what went is work that kept none of them.

-- Foreign keys of rows that functions alone write, from rows that they have just read or written, to rows that are never deleted.
-- Each was a query for each row, and a lock on the receiver that all postings of a partner share. They stand here unenforced,
-- to say what refers to what: nothing that they refer to can be deleted, and the checks of the books find what refers to nothing.
-- Those of a transaction are enforced: its source, its destination and its original are what a caller says.
alter table ledger.entry alter constraint entry_account_id_account_id_fk not enforced;
alter table ledger.entry alter constraint entry_transaction_id_transaction_id_fk not enforced;
alter table ledger.deferred_delta alter constraint deferred_delta_account_id_account_id_fk not enforced;
alter table outbox.event alter constraint event_receiver_id_receiver_id_fk not enforced;
alter table webhooks.delivery alter constraint delivery_event_id_event_id_fk not enforced;
alter table webhooks.delivery alter constraint delivery_receiver_id_receiver_id_fk not enforced;

create trigger account_kept before delete on ledger.account for each statement execute function ledger.refuse_change();
create trigger transaction_kept before delete on ledger.transaction for each statement execute function ledger.refuse_change();
create trigger receiver_kept before delete on outbox.receiver for each statement execute function ledger.refuse_change();
create trigger receiver_id_kept before update of id on outbox.receiver for each row
  when (new.id <> old.id) execute function ledger.refuse_change();

-- A check is read from its text and planned again by every statement that writes: one costs less than six.
alter table ledger.transaction
  drop constraint transaction_amount, drop constraint transaction_code, drop constraint transaction_namer,
  drop constraint transaction_pending_reason, drop constraint transaction_refunded, drop constraint transaction_status,
  add constraint transaction_sound check (amount > 0 and least(fee, commission, stamp_duty) >= 0 and refunded between 0 and amount
    and namer in ('PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR') and status in ('Pending', 'Successful', 'Failed', 'Reversed')
    and (status = 'Failed') = (code is not null) and (status <> 'Pending' or pending_reason is not null));
alter table ledger.entry
  drop constraint entry_amount, drop constraint entry_chain, drop constraint entry_closing,
  add constraint entry_sound check (amount <> 0
    and case when version is null then num_nonnulls(opening, closing) = 0 else coalesce(closing = opening + amount, false) end);

-- What a posting does not write is judged where it is written. The floor stays a constraint.
create function ledger.refuse_unsound_account() returns trigger language plpgsql as $$
begin
  if (new.currency in ('NGN', 'FP') and new.lock_mode in ('strict', 'deferred') and new.status in ('Enabled', 'Blocked', 'PND', 'PNC')
      and (new.closed_at is null or new.status = 'Blocked') and new.suspended >= 0 and new.liens >= 0) is not true then
    raise exception 'this is no account' using errcode = 'check_violation', constraint = 'account_sound';
  end if;
  return new;
end $$;
create trigger account_sound before insert or update of currency, lock_mode, status, closed_at, suspended, liens on ledger.account
  for each row execute function ledger.refuse_unsound_account();
alter table ledger.account drop constraint account_closed, drop constraint account_currency, drop constraint account_holds,
  drop constraint account_lock_mode, drop constraint account_status;

-- Writes events, in their order, to the receivers of their owners: `receiver_id` names the owner. Who has no receiver is told nothing.
drop function outbox.emit_all(uuid[], text[], text[], text[], bigint[]);
create function outbox.emit_all(p_events outbox.event[]) returns int language plpgsql as $$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, body, sequence)
  select r.id, (u.e).event, (u.e).reference, (u.e).body, (u.e).sequence
  from (select unnest(p_events) as e offset 0) u
    cross join lateral (select x.id from outbox.receiver x where x.owner_id = (u.e).receiver_id offset 0) r;
  get diagnostics v_written = row_count;
  return v_written;
end $$;

-- First those of receivers that take deliveries now. Of any others webhooks.first_due says, under a lock, when they are due.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_made int;
begin
  insert into webhooks.delivery (event_id, receiver_id, due_at)
    select e.id, r.id, date_trunc('milliseconds', now())
    from emitted e cross join lateral (
      select x.id from outbox.receiver x where x.id = e.receiver_id and x.url is not null
        and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) offset 0) r;
  get diagnostics v_made = row_count;
  if v_made < (select count(*) from emitted) then
    -- materialized: a join would ask about each receiver once for each event
    with due as materialized (
      select r.receiver_id, webhooks.first_due(r.receiver_id) as at
        from (select distinct receiver_id from emitted order by receiver_id) r)
    insert into webhooks.delivery (event_id, receiver_id, due_at)
      select e.id, e.receiver_id, due.at from emitted e join due using (receiver_id)
      where not exists (select from webhooks.delivery d where d.event_id = e.id) order by e.id;
  end if;
  return null;
end $$;

-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of its own parsed value.
create function ledger.movement_event(p_wallet text, e ledger.entry, p_principal bigint, p_reference text,
  p_external_reference text, p_comment text)
returns text language sql stable as $$
  select format('{"event":"%s","reference":%s,"data":{"Amount":%s,"Operation":"%s","Transaction":{"Amount":%s,"Fee":%s,'
      '"Status":"Successful","Reference":%s,"ExternalReference":%s,"Comment":%s},"OpeningBalance":%s,"ClosingBalance":%s,"CreatedAt":"%s"}}',
    case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, to_json(p_wallet), ledger.major(e.amount),
    case when e.amount > 0 then 'Credit' else 'Debit' end, ledger.major(p_principal), ledger.major(e.fee), to_json(p_reference),
    to_json(coalesce(p_external_reference, '')), to_json(coalesce(p_comment, '')), ledger.major(e.opening), ledger.major(e.closing),
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- The same, of what was posted. Who receives what a customer or an application sent never sees its reference for it.
create or replace function ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry)
returns text language sql stable as $$
  select ledger.movement_event(p_wallet, e, t.amount, t.reference,
    case when t.namer in ('CUSTOMER', 'APPLICATION') and e.account_id is distinct from t.source_id then '' else t.external_reference end,
    t.comment)
$$;

create or replace function ledger.publish_movements(p_transactions bigint[], p_first int default 1) returns void language sql as $$
  select outbox.emit_all(array_agg(row(null, a.partner_id, event.name, a.reference, null,
      ledger.wallet_event(event.name, a.reference, t, e), e.version, e.created_at, null)::outbox.event order by e.transaction_id, e.leg))
  from ledger.entry e
    join ledger.transaction t on t.id = e.transaction_id
    cross join lateral (select * from ledger.account a where a.id = e.account_id offset 0) a,
    lateral (select case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end) event(name)
  where e.transaction_id = any (p_transactions) and e.leg >= p_first and a.emits
$$;

-- Posts a whole batch at once. It does so only when no posting in it is refused; otherwise it writes nothing, answers null, and
-- the batch goes one by one. The caller has locked the strict accounts among `p_accounts`, which are all that the legs may name.
-- Balances run through the batch in its order: each posting is judged by what those before it left. An expression is made ready
-- anew in each transaction that comes to it, so what is seldom asked stands in a branch of its own.
drop function ledger.post_batch(jsonb, bigint[], timestamptz);
create function ledger.post_batch(p_postings jsonb, p_ids bigint[], p_accounts ledger.account[], p_now timestamptz)
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
begin
  for k in 1 .. coalesce(cardinality(p_accounts), 0) loop v_known[k] := p_accounts[k].id; end loop;
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    select array_agg(s.holder_id), array_agg(ledger.spent_on(s, v_day)) into v_holders, v_spent from ledger.spending s
      where s.holder_id in (select x.holder_id from unnest(p_accounts) x where x.id = any (
        translate(jsonb_path_query_array(p_postings, '$[*].limitAccount')::text, '[]', '{}')::bigint[]));
  end if;
  for i in 1 .. cardinality(p_ids) loop
    v_posting := p_postings -> (i - 1);
    v_legs := v_posting -> 'legs';
    v_answer := '[]';
    for j in 1 .. coalesce(jsonb_array_length(v_legs), 0) loop
      v_leg := v_legs -> (j - 1);
      v_amount := (v_leg ->> 'amount')::bigint;
      k := array_position(v_known, (v_leg ->> 'account')::bigint);
      a := p_accounts[k];
      -- An account that is named twice, is not known, or may not be moved so.
      if (v_last[k] is distinct from i and a.currency = v_posting ->> 'currency'
          and case when v_amount > 0 then a.posted + v_amount <= ledger.balance_max() or a.lock_mode = 'deferred'
            else a.floor is null or a.posted - a.suspended - a.liens + v_amount >= a.floor end) is not true then return null; end if;
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
    if v_answer = '[]' then return null; end if;
    v_answers[i] := v_answer;
  end loop;

  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    select (n.e).* from (select unnest(v_entries) as e offset 0) n;
  update ledger.account x set posted = (n.a).posted, version = (n.a).version, updated_at = p_now, moved_at = p_now
    from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
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

-- Each posting is decided on its own, and has its result in a row. The accounts are locked, and then the references reserved.
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
       '$[*] ? (exists(@.original) || exists(@.hold) || exists(@.predecidedRefusal) || exists(@.pendingReason))');
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
  if v_special and jsonb_path_exists(p_postings, '$[*].hold') then
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
