-- Holds money for several who ask in one call, in their order and each with its own outcome, as ledger.place_hold does for one.
-- Such holds count towards no daily limit. All that one account holds is written to it once.
-- 
-- A hold: { owner, reference, hash (hex), account, amount, expiresAt }. No two of one call have the same reference.
-- 
-- Locks are taken in this order: the accounts, by id; then the references, sorted.
create or replace function ledger.place_holds(p_holds jsonb) returns table (ordinal int, outcome text, hold_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_accounts ledger.account[];
  v_known bigint[];
  v_refused bigint[];
  v_codes text[];
  v_now timestamptz;
  a ledger.account;
  h record;
  k int;
begin
  if (select count(*) > count(distinct x ->> 'reference') from jsonb_array_elements(p_holds) x) then
    raise exception 'a reference stands twice in one call';
  end if;
  select array_agg(x.a), array_agg((x.a).id) into v_accounts, v_known from (
    select y as a from ledger.account y
      where y.id in (select (x ->> 'account')::bigint from jsonb_array_elements(p_holds) x)
      order by y.id for no key update) x;
  v_now := clock_timestamp();

  for h in
    with asked as materialized (
      select p.*
        from rows from (jsonb_to_recordset(p_holds) as (owner uuid, reference text, hash text, account bigint, amount bigint,
          "expiresAt" timestamptz)) with ordinality p(owner, reference, hash, account, amount, expires_at, place)),
    made as (
      insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at,
        created_at)
      select owner, reference, decode(hash, 'hex'), account, amount, 'OPEN', false, ledger.business_day(v_now), expires_at, v_now
        from asked order by owner, reference
      on conflict (owner_id, reference) do nothing
      returning id, owner_id, reference)
    select asked.*, made.id from asked left join made on made.owner_id = asked.owner and made.reference = asked.reference
     order by place
  loop
    ordinal := h.place;
    hold_id := h.id;
    if h.id is null then
      select case when x.request_hash <> decode(h.hash, 'hex') then 'REFERENCE_REUSED' else coalesce(x.code, x.state) end, x.id
        into strict outcome, hold_id
        from ledger.hold x where x.owner_id = h.owner and x.reference = h.reference;
      return next;
      continue;
    end if;
    k := array_position(v_known, h.account);
    a := v_accounts[k];
    outcome := case
      when a.status = 'Blocked' then 'WALLET_BLOCKED'
      when a.status = 'PND' then 'WALLET_PND'
      when a.posted - a.suspended - a.liens - h.amount < a.floor then 'INSUFFICIENT_FUNDS'
      else 'OPEN'
    end;
    if outcome = 'OPEN' then
      a.suspended := a.suspended + h.amount;
      v_accounts[k] := a;
    else
      v_refused := v_refused || h.id;
      v_codes := v_codes || outcome;
    end if;
    return next;
  end loop;

  if v_refused is not null then
    update ledger.hold x set state = 'REFUSED', code = r.code, closed_at = v_now
      from unnest(v_refused, v_codes) r(id, code) where x.id = r.id;
  end if;
  update ledger.account x set suspended = (n.a).suspended, updated_at = greatest(x.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n
   where x.id = (n.a).id and x.suspended <> (n.a).suspended;
end $$;
