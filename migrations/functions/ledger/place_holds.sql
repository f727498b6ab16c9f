-- Holds money for several who ask in one call: { owner, reference, hash (hex), account, amount, expiresAt } each. A hold is idempotent by
-- (owner, reference), as a posting is, and a refused hold stays refused; no two of one call have the same reference. Such holds count
-- towards no daily limit.
--
-- Each is judged after those before it, and has its own outcome: OPEN, the state that the hold has reached since, or the code of the
-- refusal.
--
-- Locks the accounts, by id; then the references, sorted. All that one account holds is written to it once.
create or replace function ledger.place_holds(p_holds jsonb) returns table (ordinal int, outcome text, hold_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  -- By place: the accounts, and their ids.
  v_accounts ledger.account[];
  v_ids bigint[];
  v_refused bigint[];
  v_codes text[];
  v_now timestamptz;
  v_asked record;
  v_place int;
begin
  if (select count(*) > count(distinct x ->> 'reference') from jsonb_array_elements(p_holds) x) then
    raise exception 'a reference stands twice in one call';
  end if;
  select array_agg(x.account), array_agg((x.account).id) into v_accounts, v_ids from (
    select a as account from ledger.account a
     where a.id in (select (x ->> 'account')::bigint from jsonb_array_elements(p_holds) x)
     order by a.id for no key update) x;
  v_now := clock_timestamp();

  -- All references are reserved first, sorted; then each hold is judged in the order of the call.

  for v_asked in
    with asked as materialized (
      select p.*
        from rows from (jsonb_to_recordset(p_holds) as (owner uuid, reference text, hash text, account bigint, amount bigint,
          "expiresAt" timestamptz)) with ordinality p (owner, reference, hash, account, amount, expires_at, place)),
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
    ordinal := v_asked.place;
    hold_id := v_asked.id;
    if hold_id is null then -- the reference was used before
      select case when h.request_hash <> decode(v_asked.hash, 'hex') then 'REFERENCE_REUSED' else coalesce(h.code, h.state) end, h.id
        into strict outcome, hold_id
        from ledger.hold h where h.owner_id = v_asked.owner and h.reference = v_asked.reference;
      return next;
      continue;
    end if;
    v_place := array_position(v_ids, v_asked.account);
    outcome := coalesce(ledger.hold_refusal(v_accounts[v_place], v_asked.amount), 'OPEN');
    if outcome = 'OPEN' then
      v_accounts[v_place].suspended := v_accounts[v_place].suspended + v_asked.amount;
    else
      v_refused := v_refused || hold_id;
      v_codes := v_codes || outcome;
    end if;
    return next;
  end loop;

  -- A refused hold keeps its reference, with the code.
  if v_refused is not null then
    update ledger.hold h set state = 'REFUSED', code = r.code, closed_at = v_now
      from unnest(v_refused, v_codes) r (id, code) where h.id = r.id;
  end if;
  update ledger.account a set suspended = (n.a).suspended, updated_at = greatest(a.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n where a.id = (n.a).id and a.suspended <> (n.a).suspended;
end $$;
