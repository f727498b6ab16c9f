-- Places a hold. It is idempotent by (owner, reference), as a posting is, and a refused hold stays refused. outcome is OPEN,
-- the state that the hold has reached since, or the code of the refusal. `p_counts`: the hold counts against the account's
-- daily limit, or against `p_default_daily_limit` where the account has none of its own.
--
-- Locks the reference, the account, and what its holder has spent where the hold counts.
create or replace function ledger.place_hold(p_owner uuid, p_reference text, p_hash bytea, p_account bigint, p_amount bigint,
  p_expires_at timestamptz, p_counts boolean default false, p_default_daily_limit bigint default null, p_now timestamptz default null)
returns table (outcome text, hold_id bigint, replayed boolean) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_hold ledger.hold;
  v_account ledger.account;
  v_spending ledger.spending;
  v_now timestamptz;
  v_day date;
  v_code text;
begin
  perform ledger.refuse_time(p_now);
  insert into ledger.hold as h (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values (p_owner, p_reference, p_hash, p_account, p_amount, 'OPEN', p_counts,
      ledger.business_day(coalesce(p_now, clock_timestamp())), p_expires_at, coalesce(p_now, clock_timestamp()))
    on conflict (owner_id, reference) do nothing returning h.* into v_hold;
  if v_hold.id is null then -- the reference was used before
    select * into strict v_hold from ledger.hold h where h.owner_id = p_owner and h.reference = p_reference;
    return query select case when v_hold.request_hash <> p_hash then 'REFERENCE_REUSED' else coalesce(v_hold.code, v_hold.state) end,
      v_hold.id, true;
    return;
  end if;

  select * into strict v_account from ledger.account a where a.id = p_account for no key update;
  v_now := coalesce(p_now, clock_timestamp());
  if p_counts then
    select coalesce(p_now, x) into v_now from ledger.lock_spending(array[v_account.holder_id], v_now) x;
    select * into strict v_spending from ledger.spending s where s.holder_id = v_account.holder_id;
  end if;
  -- A hold counts on the day on which it is placed, whatever becomes of it later.
  v_day := ledger.business_day(v_now);
  v_code := coalesce(ledger.hold_refusal(v_account, p_amount), case
    when p_counts and ledger.spent_on(v_spending, v_day) + p_amount > coalesce(v_account.daily_limit, p_default_daily_limit)
      then 'LIMIT_EXCEEDED' end);
  if v_code is not null then
    update ledger.hold h set state = 'REFUSED', code = v_code, closed_at = v_now where h.id = v_hold.id;
    return query select v_code, v_hold.id, false;
    return;
  end if;
  update ledger.hold h set held_day = v_day where h.id = v_hold.id;
  update ledger.account a set suspended = a.suspended + p_amount, updated_at = greatest(a.updated_at, v_now) where a.id = p_account;
  update ledger.spending s set spent = ledger.spent_on(s, v_day) + p_amount, day = v_day
   where p_counts and s.holder_id = v_account.holder_id;
  return query select 'OPEN', v_hold.id, false;
end $$;
