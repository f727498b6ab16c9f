-- Posts one posting between two strict accounts, which is what most calls of one posting are: what ledger.post does for many by
-- way of arrays, by statements of single rows. Answers null, and has written nothing, when it is another sort of posting. One that
-- is repeated or refused goes to ledger.post_one, as there.
create or replace function ledger.post_pair(p jsonb, p_now timestamptz, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamptz, OUT entries jsonb)
returns record language plpgsql as $$
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
