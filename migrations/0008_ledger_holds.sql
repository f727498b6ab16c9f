-- Holds: money of an account that is set aside for a later capture, which `ledger.post` does.

-- Places a hold. It is idempotent by (owner, reference), as a posting is, and a refused hold stays refused. outcome is OPEN,
-- the state that the hold has reached since, or the code of the refusal. `p_counts`: the hold counts against the account's
-- daily limit, or against `p_default_daily_limit` where the account has none of its own.
create function ledger.place_hold(p_owner uuid, p_reference text, p_hash bytea, p_account bigint, p_amount bigint,
  p_expires_at timestamptz, p_counts boolean default false, p_default_daily_limit bigint default null, p_now timestamptz default null)
returns table (outcome text, hold_id bigint, replayed boolean) language plpgsql as $$
#variable_conflict use_column
declare
  h ledger.hold;
  a ledger.account;
  v_now timestamptz;
  v_code text;
begin
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
  v_code := case
    when a.status = 'Blocked' then 'WALLET_BLOCKED'
    when a.status = 'PND' then 'WALLET_PND'
    when a.posted - a.suspended - a.liens - p_amount < a.floor then 'INSUFFICIENT_FUNDS'
    when p_counts and ledger.spent_on(a, ledger.business_day(v_now)) + p_amount > coalesce(a.daily_limit, p_default_daily_limit)
      then 'LIMIT_EXCEEDED'
  end;
  if v_code is not null then
    update ledger.hold set state = 'REFUSED', code = v_code, closed_at = v_now where id = h.id;
    return query select v_code, h.id, false;
    return;
  end if;
  update ledger.hold set held_day = ledger.business_day(v_now) where id = h.id;
  update ledger.account x
    set suspended = x.suspended + p_amount, updated_at = v_now,
      spent = case when p_counts then ledger.spent_on(x, ledger.business_day(v_now)) + p_amount else x.spent end,
      spent_day = case when p_counts then ledger.business_day(v_now) else x.spent_day end
    where x.id = p_account;
  return query select 'OPEN', h.id, false;
end $$;

-- Closes those of the holds that are open, as `p_state` RELEASED or EXPIRED (then only those that have expired), and makes
-- their money available again, whatever the account's status. A hold that was placed today no longer counts against
-- today's limit. Answers how many holds it closed.
create function ledger.close_holds(p_holds bigint[], p_state text, p_now timestamptz default null)
returns int language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_closed int;
begin
  perform 1 from ledger.hold h where h.id = any (p_holds) order by h.id for no key update;
  perform 1 from ledger.account a
    where a.id in (select h.account_id from ledger.hold h where h.id = any (p_holds) and h.state = 'OPEN')
    order by a.id for no key update;
  with closed as (
    update ledger.hold h set state = p_state, closed_at = v_now
      where h.id = any (p_holds) and h.state = 'OPEN' and (p_state <> 'EXPIRED' or h.expires_at <= v_now)
      returning h.*),
  given as (
    update ledger.account a
      set suspended = a.suspended - c.held, updated_at = v_now, spent = a.spent - c.spent
      from (select o.id, sum(h.amount) held,
              sum(case when h.counted and o.spent_day = h.held_day then h.amount else 0 end) spent
            from closed h join ledger.account o on o.id = h.account_id group by o.id) c
      where a.id = c.id)
  select count(*) into v_closed from closed;
  return v_closed;
end $$;
