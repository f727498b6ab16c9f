-- Makes the transactions that applications ask for: all in one transaction of the database, with their money held or moved, and with
-- their events. Each has its own outcome.
--
-- An offer: { id, reference, requestHash (hex), routingMac (hex), senderAppId, receiverAppId, senderTag, receiverTag, amount, fee,
-- currency,
--   narration?, expiresAt, now, event: { owner, name, body }  what is published once its money is held or has moved,
--   and one of
--   code      why it is declined,
--   hold      { reference, hash (hex), account, expiresAt }  holds amount and fee,
--   posting   what ledger.post reads: it is paid at once }
-- outcome is AWAITING_ACCEPTANCE, ACCEPTED, the code it was declined with, or TAKEN when the sender has another
-- transaction of this reference, and nothing was done.
--
-- Locks the strict accounts, by id; then what ledger.place_holds and ledger.post lock, of which the accounts are locked already.
create or replace function tag_transactions.offer(p_offers jsonb) returns table (ordinal int, outcome text) language plpgsql
-- What a call names is found by index, whatever the planner guesses of how much it names.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  -- The places of the offers whose reference is new, and by place what their money came to.
  v_new int[];
  v_outcomes text[];
  v_holds bigint[];
  v_postings bigint[];
  -- What is asked of the ledger in one call, and the places that it is for.
  v_places int[];
  v_asked jsonb;
  v_answer record;
begin
  -- Offers of one sender wait here for each other, so that what is found of their references below stays true.
  perform from ledger.account a
    where a.lock_mode = 'strict' and a.id in (
      select (x #>> '{hold,account}')::bigint from jsonb_array_elements(p_offers) x
      union all
      select (leg ->> 'account')::bigint
        from jsonb_array_elements(p_offers) x, jsonb_array_elements(x #> '{posting,legs}') leg)
    order by a.id for no key update;

  -- Of several offers with one reference in a call the first counts.
  select array_agg(place) into v_new from (
    select distinct on (sender, reference) sender, reference, place::int
      from rows from (jsonb_to_recordset(p_offers) as ("senderAppId" uuid, reference text)) with ordinality x (sender, reference, place)
     order by sender, reference, place) asked
    where not exists (
      select from tag_transactions.tag_transaction t where t.sender_app_id = asked.sender and t.reference = asked.reference);

  -- Money that waits for the receiver's decision is held, amount and fee.
  select array_agg(place order by place), jsonb_agg(body -> 'hold' || jsonb_build_object('owner', body -> 'senderAppId',
      'amount', (body ->> 'amount')::bigint + (body ->> 'fee')::bigint) order by place)
    into v_places, v_asked
    from unnest(v_new) place, lateral (select p_offers -> (place - 1) as body offset 0) b
   where body ? 'hold';
  if v_places is not null then
    for v_answer in select * from ledger.place_holds(v_asked) loop
      v_outcomes[v_places[v_answer.ordinal]] := case v_answer.outcome when 'OPEN' then 'AWAITING_ACCEPTANCE' else v_answer.outcome end;
      v_holds[v_places[v_answer.ordinal]] := case v_answer.outcome when 'OPEN' then v_answer.hold_id end;
    end loop;
  end if;

  -- Money whose receiver need not decide moves at once.
  if jsonb_path_exists(p_offers, '$[*].posting') then
    select array_agg(place order by place), jsonb_agg(p_offers -> (place - 1) -> 'posting' order by place)
      into v_places, v_asked from unnest(v_new) place where p_offers -> (place - 1) ? 'posting';
    if v_places is not null then
      for v_answer in select * from ledger.post(v_asked) loop
        v_outcomes[v_places[v_answer.ordinal]] := case v_answer.outcome when 'Successful' then 'ACCEPTED' else v_answer.outcome end;
        v_postings[v_places[v_answer.ordinal]] := case v_answer.outcome when 'Successful' then v_answer.transaction_id end;
      end loop;
    end if;
  end if;

  -- Each is written once, with what its money came to.
  with made as (
    insert into tag_transactions.tag_transaction (id, reference, request_hash, sender_app_id, receiver_app_id, sender_tag,
      receiver_tag, amount, fee, currency, status, code, narration, hold_id, posting_id, expires_at, accepted_at, created_at,
      updated_at, routing_mac)
    select id, reference, decode("requestHash", 'hex'), "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount,
      fee, currency, case when outcome in ('AWAITING_ACCEPTANCE', 'ACCEPTED') then outcome else 'DECLINED' end,
      case when outcome not in ('AWAITING_ACCEPTANCE', 'ACCEPTED') then outcome end, narration, v_holds[place], v_postings[place],
      "expiresAt", case outcome when 'ACCEPTED' then now end, now, now, decode("routingMac", 'hex')
    from rows from (jsonb_to_recordset(p_offers) as (id uuid, reference text, "requestHash" text, "senderAppId" uuid,
        "receiverAppId" uuid, "senderTag" text, "receiverTag" text, amount bigint, fee bigint, currency text, code text,
        narration text, "expiresAt" timestamptz, now timestamptz, "routingMac" text)) with ordinality
      x (id, reference, "requestHash", "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount, fee, currency, code,
        narration, "expiresAt", now, "routingMac", place),
      lateral (select coalesce(code, v_outcomes[place]) as outcome offset 0) o
    where place = any (v_new)
    order by "senderAppId", reference
    on conflict (sender_app_id, reference) do nothing
    returning id)
  select array(select place from unnest(v_new) place where exists (
    select from made where made.id = (p_offers -> (place - 1) ->> 'id')::uuid)) into v_places;
  -- An offer of other money, or of none, took the reference meanwhile: the database transaction is undone, and with it what was set
  -- aside for this one; the caller asks again.
  if exists (select from unnest(v_new) place where place <> all (v_places) and v_outcomes[place] is not null) then
    raise exception 'another offer has just taken this reference' using errcode = '40001';
  end if;

  perform tag_transactions.publish(p_offers,
    array(select place from unnest(v_places) place where v_outcomes[place] in ('AWAITING_ACCEPTANCE', 'ACCEPTED')));
  return query
    select place::int, case when place = any (v_places) then coalesce(body ->> 'code', v_outcomes[place]) else 'TAKEN' end
      from jsonb_array_elements(p_offers) with ordinality asked (body, place);
end $$;
