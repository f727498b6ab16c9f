-- The first steps of many postings in two: each comes to what ledger.authorize gives it, after those before it.
--
-- When nothing is refused and no limit is counted, all are judged in one pass and written by one statement for each table; a transaction
-- is then written once, with its hold. Otherwise they go one by one.
--
-- Locks the sources, by id, what their holders have spent where a limit is counted, and the references, sorted, in the order of
-- ledger.post.
create or replace function ledger.authorize_all(p_postings jsonb)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- What a call names is found by index, whatever the planner guesses of how much it names.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_count constant int := jsonb_array_length(p_postings);
  -- By place: the sources, and their ids.
  v_accounts ledger.account[];
  v_ids bigint[];
  v_now timestamptz;
  -- Whether all go in one pass.
  v_plain boolean;
  -- By the place of a posting: its transaction and its hold, and what that holds.
  v_transactions bigint[];
  v_holds bigint[];
  v_held bigint[];
  v_made bigint[];
  v_posting jsonb;
  v_account ledger.account;
  v_place int;
begin
  select array_agg(x.account), array_agg((x.account).id), max((x.account).moved_at) into v_accounts, v_ids, v_now from (
    select a as account from ledger.account a where a.id = any (ledger.ids_in(p_postings, '$[*].source'))
     order by a.id for no key update) x;
  v_now := greatest(v_now, date_trunc('milliseconds', clock_timestamp()));
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    perform ledger.lock_spending(array(
        select a.holder_id from ledger.account a join jsonb_array_elements(p_postings) p on a.id = (p ->> 'limitAccount')::bigint),
      v_now);
    v_plain := false;
  else
    -- What is paid to is not locked: our own accounts, which take what they are given.
    v_plain := not jsonb_path_exists(p_postings, '$[*] ? (exists(@.predecidedRefusal) || exists(@.hold) || exists(@.original))')
      and not exists (
        select from jsonb_array_elements(p_postings) p, jsonb_to_recordset(p -> 'legs') l (account bigint, amount bigint)
          left join ledger.account a on a.id = l.account
         where l.account <> (p ->> 'source')::bigint
           and (l.amount > 0 and a.lock_mode = 'deferred' and a.status = 'Enabled' and a.currency = p ->> 'currency') is not true);
  end if;

  -- Each is judged by what those before it left on its source.
  for i in 1 .. case when v_plain then v_count else 0 end loop
    v_posting := p_postings -> (i - 1);
    v_place := array_position(v_ids, (v_posting ->> 'source')::bigint);
    v_account := v_accounts[v_place];
    v_held[i] := (
      select -l.amount from jsonb_to_recordset(v_posting -> 'legs') l (account bigint, amount bigint) where l.account = v_account.id);
    v_plain := (v_account.status = 'Enabled' and v_account.currency = v_posting ->> 'currency' and v_held[i] > 0
      and ledger.can_pay(v_account, v_held[i])) is true;
    exit when not v_plain;
    v_account.suspended := v_account.suspended + v_held[i];
    v_accounts[v_place] := v_account;
    v_transactions[i] := nextval('ledger.transaction_id_seq');
    v_holds[i] := nextval('ledger.hold_id_seq');
  end loop;
  if not v_plain then
    return query
      select p.place::int, x.outcome, x.replayed, x.transaction_id, x.created_at, x.entries
        from jsonb_array_elements(p_postings) with ordinality p (body, place), ledger.authorize(p.body) x;
    return;
  end if;

  -- The transaction names its hold, and the hold is there when the statement ends: the foreign key is asked then.
  with reserved as (
    insert into ledger.transaction as t (id, owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
        commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, hold_id, created_at)
      overriding system value
      select v_transactions[p.place], p.owner, p.namer, p.reference, p.partner, p.type, 'Held', p.request_hash, p.mac, p.amount, p.fee,
          p.commission, p.stamp_duty, p.currency, p.source, p.destination, p.external_reference, p.comment, p.metadata, v_holds[p.place],
          v_now
        from ledger.read_postings(p_postings) p order by p.owner, p.namer, p.reference, p.place
      on conflict (owner_id, namer, reference) do nothing
      returning t.id, t.owner_id, t.request_hash, t.source_id, t.hold_id),
  held as (
    insert into ledger.hold (id, owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at,
        created_at) overriding system value
      select r.hold_id, r.owner_id, 'transaction ' || r.id, r.request_hash, r.source_id, v_held[array_position(v_transactions, r.id)],
          'OPEN', false, ledger.business_day(v_now), 'infinity', v_now
        from reserved r)
  select coalesce(array_agg(r.id), '{}') into v_made from reserved r;

  -- Where a reference had been used before, nothing is held for it.
  for i in 1 .. case when cardinality(v_made) < v_count then v_count else 0 end loop
    continue when v_transactions[i] = any (v_made);
    v_place := array_position(v_ids, (p_postings -> (i - 1) ->> 'source')::bigint);
    v_accounts[v_place].suspended := v_accounts[v_place].suspended - v_held[i];
  end loop;
  update ledger.account a set suspended = (n.a).suspended, updated_at = greatest(a.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n where a.id = (n.a).id and a.suspended <> (n.a).suspended;

  for i in 1 .. v_count loop
    if v_transactions[i] = any (v_made) then
      ordinal := i;
      outcome := 'Pending';
      replayed := false;
      transaction_id := v_transactions[i];
      created_at := v_now;
      entries := '[]';
      return next;
    else
      return query select i, again.* from ledger.answer_again(p_postings -> (i - 1)) again;
    end if;
  end loop;
end $$;
