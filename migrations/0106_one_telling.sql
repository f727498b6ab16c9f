-- Servers from 0087 on work with it.
-- The event of a movement says the same Amount, Fee and effect as its transaction says over REST. What a customer spends is counted
-- on days that never go back, and what comes back by a reversal is counted no more.

-- As `toldCharges` of src/modules/wallets/wallet-transaction.ts: what is said of a transaction to the partner whose wallet it moved.
create function ledger.told_amount(p_type text, p_amount bigint, p_effect bigint) returns bigint language sql immutable as $$
  select case when p_type = 'REVERSAL' then abs(p_effect) else p_amount end
$$;

-- p_taken: the charge in the wallet's own entry. p_is_own: the transaction stands in the books of the wallet's partner.
create function ledger.told_fee(p_type text, p_fee bigint, p_stamp_duty bigint, p_is_own boolean, p_effect bigint, p_taken bigint)
returns bigint language sql immutable as $$
  select case
    when p_type in ('REVERSAL', 'PARTNER_WALLET_DEBIT') or p_type in ('TRANSFER', 'SWITCH') and p_effect > 0 then 0
    when not p_is_own then case when p_effect < 0 then p_taken else 0 end
    when p_type = 'PAYOUT' then p_fee + p_stamp_duty
    else p_fee end
$$;

drop function ledger.movement_event(text, ledger.entry, bigint, text, text, text);

create or replace function ledger.movement_event(p_wallet text, e ledger.entry, p_principal bigint, p_fee bigint, p_reference text, p_external_reference text, p_comment text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $$
  select format('{"event":"%s","reference":%s,"data":{"Amount":%s,"Operation":"%s","Transaction":{"Amount":%s,"Fee":%s,'
      '"Status":"Successful","Reference":%s,"ExternalReference":%s,"Comment":%s},"OpeningBalance":%s,"ClosingBalance":%s,"CreatedAt":"%s"}}',
    case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, to_json(p_wallet), ledger.major(e.amount),
    case when e.amount > 0 then 'Credit' else 'Debit' end, ledger.major(p_principal), ledger.major(p_fee), to_json(p_reference),
    to_json(coalesce(p_external_reference, '')), to_json(coalesce(p_comment, '')), ledger.major(e.opening), ledger.major(e.closing),
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- Of the first part of the entries, and called by nothing: they would keep its table from being dropped once it is archived.
drop function ledger.wallet_event(text, text, ledger.transaction, ledger.entry_before);
drop function ledger.movement_event(text, ledger.entry_before, bigint, text, text, text);

create or replace function ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $$
  select ledger.movement_event(p_wallet, e, ledger.told_amount(t.type, t.amount, e.amount),
    ledger.told_fee(t.type, t.fee, t.stamp_duty,
      coalesce(t.partner_id = (select a.partner_id from ledger.account a where a.id = e.account_id), false), e.amount, e.fee),
    t.reference,
    case when t.namer in ('CUSTOMER', 'APPLICATION') and e.account_id is distinct from t.source_id then '' else t.external_reference end,
    t.comment)
$$;

create or replace function ledger.post_pair(p jsonb, p_now timestamp with time zone, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamp with time zone, OUT entries jsonb)
 RETURNS record
 LANGUAGE plpgsql
AS $$
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
    v_first := outbox.emit_movement(a.partner_id, v_name, a.reference, ledger.movement_event(a.reference, e,
      ledger.told_amount(p ->> 'type', (p ->> 'amount')::bigint, e.amount),
      ledger.told_fee(p ->> 'type', coalesce((p ->> 'fee')::bigint, 0), coalesce((p ->> 'stampDuty')::bigint, 0),
        coalesce(a.partner_id = (p ->> 'partner')::uuid, false), e.amount, e.fee), p ->> 'reference', case when p ->> 'namer' in ('CUSTOMER', 'APPLICATION') and a.id::text is distinct from p ->> 'source' then ''
        else p ->> 'externalReference' end, p ->> 'comment'), e.version);
  end if;
  if b.emits then
    v_name := case when f.amount > 0 then 'wallet.credited' else 'wallet.debited' end;
    v_first := outbox.emit_movement(b.partner_id, v_name, b.reference, ledger.movement_event(b.reference, f,
      ledger.told_amount(p ->> 'type', (p ->> 'amount')::bigint, f.amount),
      ledger.told_fee(p ->> 'type', coalesce((p ->> 'fee')::bigint, 0), coalesce((p ->> 'stampDuty')::bigint, 0),
        coalesce(b.partner_id = (p ->> 'partner')::uuid, false), f.amount, f.fee), p ->> 'reference', case when p ->> 'namer' in ('CUSTOMER', 'APPLICATION') and b.id::text is distinct from p ->> 'source' then ''
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

create or replace function ledger.post_batch(p_postings jsonb, p_ids bigint[], p_accounts ledger.account[], p_now timestamp with time zone)
 RETURNS jsonb[]
 LANGUAGE plpgsql
AS $$
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
          ledger.movement_event(a.reference, e,
            ledger.told_amount(v_posting ->> 'type', (v_posting ->> 'amount')::bigint, v_amount),
            ledger.told_fee(v_posting ->> 'type', coalesce((v_posting ->> 'fee')::bigint, 0),
              coalesce((v_posting ->> 'stampDuty')::bigint, 0), coalesce(a.partner_id = (v_posting ->> 'partner')::uuid, false),
              v_amount, e.fee), v_posting ->> 'reference',
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

-- The time of a movement that counts in what its holders spend, whom it locks: on no earlier day than what was counted last, whatever
-- the clock says. Callers have the accounts locked.
create function ledger.lock_spending(p_holders uuid[], p_now timestamptz) returns timestamptz language plpgsql as $$
declare
  v_day date := ledger.business_day(p_now);
  v_last date;
begin
  insert into ledger.spending (holder_id, day, spent)
    select h, v_day, 0 from (select distinct h from unnest(p_holders) h where h is not null order by h) x
    where not exists (select from ledger.spending s where s.holder_id = h)
    on conflict do nothing;
  select max(x.day) into v_last from (
    select s.day from ledger.spending s where s.holder_id = any (p_holders) order by s.holder_id for no key update) x;
  return case when v_last > v_day then v_last::timestamp at time zone 'Africa/Lagos' else p_now end;
end $$;

create or replace function ledger.authorize(p jsonb, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
#variable_conflict use_column
declare
  a ledger.account;
  v_id bigint;
  v_hold bigint;
  v_now timestamptz;
  v_code text;
  v_held bigint;
begin
  perform ledger.refuse_time(p_now);
  select * into strict a from ledger.account x where x.id = (p ->> 'source')::bigint for no key update;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  if p ? 'limitAccount' then select coalesce(p_now, x) into v_now from ledger.lock_spending(array[a.holder_id], v_now) x; end if;
  insert into ledger.transaction as t (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, created_at, completed_at)
    select x.owner, x.namer, x.reference, x.partner, x.type, 'Successful', decode(x."requestHash", 'hex'), decode(x.mac, 'hex'),
      x.amount, coalesce(x.fee, 0), coalesce(x.commission, 0), coalesce(x."stampDuty", 0), x.currency, x.source, x.destination,
      x."externalReference", x.comment, x.metadata, v_now, null
    from jsonb_to_record(p) x(owner uuid, namer text, reference text, partner uuid, type text, "requestHash" text, mac text,
      amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint, destination bigint,
      "externalReference" text, comment text, metadata jsonb)
    on conflict (owner_id, namer, reference) do nothing returning t.id into v_id;
  if v_id is null then
    return query select 1, again.* from ledger.answer_again(p) again;
    return;
  end if;

  v_code := ledger.refusal(p, null, null, v_now);
  if v_code is not null then
    update ledger.transaction set status = 'Failed', code = v_code where id = v_id;
    return query select 1, v_code, false, v_id, v_now, null::jsonb;
    return;
  end if;
  select -l.amount into strict v_held from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint) where l.account = a.id;
  insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values ((p ->> 'owner')::uuid, 'transaction ' || v_id, decode(p ->> 'requestHash', 'hex'), a.id, v_held, 'OPEN', p ? 'limitAccount',
      ledger.business_day(v_now), 'infinity', v_now)
    returning id into v_hold;
  update ledger.transaction set status = 'Held', hold_id = v_hold where id = v_id;
  update ledger.account set suspended = suspended + v_held, updated_at = greatest(updated_at, v_now) where id = a.id;
  update ledger.spending s
    set spent = ledger.spent_on(s, ledger.business_day(v_now)) + v_held, day = ledger.business_day(v_now)
    where p ? 'limitAccount' and s.holder_id = a.holder_id;
  return query select 1, 'Pending', false, v_id, v_now, '[]'::jsonb;
end $$;

create or replace function ledger.authorize_all(p_postings jsonb)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $$
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

create or replace function ledger.place_hold(p_owner uuid, p_reference text, p_hash bytea, p_account bigint, p_amount bigint, p_expires_at timestamp with time zone, p_counts boolean DEFAULT false, p_default_daily_limit bigint DEFAULT NULL::bigint, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(outcome text, hold_id bigint, replayed boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
#variable_conflict use_column
declare
  h ledger.hold;
  a ledger.account;
  s ledger.spending;
  v_now timestamptz;
  v_code text;
begin
  perform ledger.refuse_time(p_now);
  insert into ledger.hold as n (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values (p_owner, p_reference, p_hash, p_account, p_amount, 'OPEN', p_counts,
      ledger.business_day(coalesce(p_now, clock_timestamp())), p_expires_at, coalesce(p_now, clock_timestamp()))
    on conflict (owner_id, reference) do nothing returning n.* into h;
  if h.id is null then
    select * into strict h from ledger.hold x where x.owner_id = p_owner and x.reference = p_reference;
    return query select case when h.request_hash <> p_hash then 'REFERENCE_REUSED' else coalesce(h.code, h.state) end, h.id, true;
    return;
  end if;

  select * into strict a from ledger.account x where x.id = p_account for no key update;
  v_now := coalesce(p_now, clock_timestamp());
  if p_counts then
    select coalesce(p_now, x) into v_now from ledger.lock_spending(array[a.holder_id], v_now) x;
    select * into strict s from ledger.spending x where x.holder_id = a.holder_id;
  end if;
  v_code := case
    when a.status = 'Blocked' then 'WALLET_BLOCKED'
    when a.status = 'PND' then 'WALLET_PND'
    when a.posted - a.suspended - a.liens - p_amount < a.floor then 'INSUFFICIENT_FUNDS'
    when p_counts and ledger.spent_on(s, ledger.business_day(v_now)) + p_amount > coalesce(a.daily_limit, p_default_daily_limit)
      then 'LIMIT_EXCEEDED'
  end;
  if v_code is not null then
    update ledger.hold set state = 'REFUSED', code = v_code, closed_at = v_now where id = h.id;
    return query select v_code, h.id, false;
    return;
  end if;
  update ledger.hold set held_day = ledger.business_day(v_now) where id = h.id;
  update ledger.account x set suspended = x.suspended + p_amount, updated_at = greatest(x.updated_at, v_now) where x.id = p_account;
  update ledger.spending x
    set spent = ledger.spent_on(x, ledger.business_day(v_now)) + p_amount, day = ledger.business_day(v_now)
    where p_counts and x.holder_id = a.holder_id;
  return query select 'OPEN', h.id, false;
end $$;

create or replace function ledger.post(p_postings jsonb, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $$
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
  if v_counted or jsonb_path_exists(p_postings, '$[*] ? (exists(@.limitAccount) || exists(@.reverses))') then
    select coalesce(p_now, x) into v_now from ledger.lock_spending(array(
      select a.holder_id from jsonb_array_elements(p_postings) p(body)
        left join ledger.hold h on h.id = (p.body -> 'hold')::bigint
        join ledger.account a on a.id = coalesce(case when h.counted then h.account_id end, (p.body -> 'limitAccount')::bigint,
          case when p.body ? 'reverses' then (
            select o.source_id from ledger.transaction o
              where o.id = (p.body -> 'original')::bigint and o.type in ('TRANSFER', 'PAYOUT')) end)), v_now) x;
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

create or replace function ledger.post_one(p jsonb, p_id bigint, p_now timestamp with time zone, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamp with time zone, OUT entries jsonb)
 RETURNS record
 LANGUAGE plpgsql
AS $$
declare
  t ledger.transaction;
  o ledger.transaction;
  h ledger.hold;
  v_legs jsonb := p -> 'legs';
  v_reason text;
  v_code text;
begin
  if p_id is null then
    select * into outcome, replayed, transaction_id, created_at, entries from ledger.answer_again(p);
    return;
  end if;
  select x.* into o from ledger.transaction x where x.id = (p -> 'original')::bigint;
  select x.* into h from ledger.hold x where x.id = (p -> 'hold')::bigint;
  if p ? 'refundsRemainder' and o.refunded < o.amount then
    p := p || jsonb_build_object('amount', o.amount - o.refunded, 'legs', (
      select jsonb_agg(leg || jsonb_build_object('amount', sign((leg ->> 'amount')::bigint)::bigint * (o.amount - o.refunded)))
        from jsonb_array_elements(p -> 'legs') leg));
    v_legs := p -> 'legs';
    update ledger.transaction x set amount = o.amount - o.refunded where x.id = p_id;
  end if;
  if p ? 'reverses' and exists (
      select from (select e.account_id as account, e.amount from ledger.entry e where e.transaction_id = o.id
                   union all select l.account, l.amount from jsonb_to_recordset(v_legs) l(account bigint, amount bigint)) x
        group by x.account having sum(x.amount) <> 0) then
    raise exception 'the original has got other entries meanwhile' using errcode = 'serialization_failure';
  end if;
  if p ? 'suspenseAccount' then
    select coalesce(jsonb_agg(
             case when r.reason is null then r.leg else jsonb_set(r.leg, '{account}', p -> 'suspenseAccount') end
             order by r.ordinal), '[]'),
        min(r.reason)
      into v_legs, v_reason
      from (select leg, ordinal, case
              when p ? 'pendingReason' and p -> 'destination' = leg -> 'account' then p ->> 'pendingReason'
              else ledger.parking_reason(a, (leg ->> 'amount')::bigint, p ->> 'currency', p ? 'arrived') end as reason
              from jsonb_array_elements(v_legs) with ordinality x(leg, ordinal)
              join ledger.account a on a.id = (leg ->> 'account')::bigint) r;
  end if;
  v_code := ledger.refusal(jsonb_set(p, '{legs}', v_legs), o, h, p_now);

  if v_code is not null then
    update ledger.transaction x set status = 'Failed', code = v_code, completed_at = null
      where x.id = p_id returning x.* into t;
  else
    if v_reason is not null then
      update ledger.transaction x set status = 'Pending', pending_reason = v_reason, completed_at = null where x.id = p_id;
    end if;
    select x.* into t from ledger.transaction x where x.id = p_id;
    update ledger.transaction x
      set refunded = x.refunded + t.amount,
        status = case when x.refunded + t.amount = x.amount then 'Reversed' else x.status end
      where x.id = o.id;
    if o.status = 'Pending' then -- a refund that never arrived gives nothing back any more
      update ledger.transaction x
        set refunded = x.refunded - o.amount, status = case x.status when 'Reversed' then 'Successful' else x.status end
        where x.id = o.original_id;
    end if;
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = h.id;
    update ledger.account a set suspended = a.suspended - h.amount where a.id = h.account_id;
    update ledger.spending s
      set spent = case
          when h.id is null then ledger.spent_on(s, ledger.business_day(p_now)) - l.amount
          when h.counted and s.day = h.held_day then s.spent - h.amount - l.amount
          else s.spent end,
        day = case when h.id is null then ledger.business_day(p_now) else s.day end
      from jsonb_to_recordset(v_legs) l(account bigint, amount bigint) join ledger.account a on a.id = l.account
      where a.id = coalesce(h.account_id, (p -> 'limitAccount')::bigint) and s.holder_id = a.holder_id;
    -- What comes back counts no more: on the day on which it was spent, and where a later day counts by now, on none.
    if p ? 'reverses' and o.type in ('TRANSFER', 'PAYOUT') then
      update ledger.spending s set spent = s.spent - x.amount
        from (
          select a.holder_id, y.held_day as day, y.amount from ledger.hold y join ledger.account a on a.id = y.account_id
            where y.id = o.hold_id and y.counted
          union all
          select a.holder_id, e.business_date, -e.amount from ledger.entry e join ledger.account a on a.id = e.account_id
            where o.type = 'TRANSFER' and e.transaction_id = o.id and e.account_id = o.source_id and e.created_at = o.created_at) x
        where s.holder_id = x.holder_id and s.day = x.day;
    end if;
    perform ledger.write_legs(t, v_legs, 1, p_now);
  end if;
  outcome := coalesce(v_code, t.status);
  replayed := false;
  transaction_id := t.id;
  created_at := t.created_at;
  entries := ledger.entries_of(t.id);
end $$;

drop function ledger.lock_spending(uuid[], date);
