-- Places a hold. It is idempotent by (owner, reference), as a posting is, and a refused hold stays refused. outcome is OPEN,
-- the state that the hold has reached since, or the code of the refusal. `p_counts`: the hold counts against the account's
-- daily limit, or against `p_default_daily_limit` where the account has none of its own.
create or replace function ledger.place_hold(p_owner uuid, p_reference text, p_hash bytea, p_account bigint, p_amount bigint, p_expires_at timestamptz, p_counts boolean default false, p_default_daily_limit bigint default null, p_now timestamptz default null)
returns table (outcome text, hold_id bigint, replayed boolean) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
