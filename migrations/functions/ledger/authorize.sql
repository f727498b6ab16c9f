-- The first step of a posting in two: judges it as `ledger.post` would, reserves its reference, and holds what its source pays.
-- The money moves when it is captured, or never, when it is voided; it waits for that without end. Answers Pending, or the code
-- of the refusal; the same on every replay. The posting is as `ledger.post` describes it, of two legs at least, and no original.
create or replace function ledger.authorize(p jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
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
