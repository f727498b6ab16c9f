-- Posts an array of postings in one call, each with its own outcome: a refused one leaves its reference and nothing
-- else.
-- 
-- Every caller takes its locks in one order, so that no two can wait for each other: the transactions to refund or reverse,
-- by id; the holds to capture, by id; the strict accounts, by id; what their holders have spent, by id; the references,
-- sorted. Deferred accounts are not locked. The time is read after the accounts are locked: it is the one time of the
-- transaction, its entries and its events, and never earlier than an earlier movement of its accounts.
-- src/modules/ledger/README.md explains how.
-- 
-- A posting: { owner, namer, reference, requestHash (hex), mac (hex), type, partner?, amount, fee?, commission?, stampDuty?,
--   currency, source?, destination? (accounts), externalReference?, comment?, metadata?,
--   legs: [{ account, amount, fee? }]  each account once; the fee is part of the amount,
--   original?            the transaction that this one refunds or reverses,
--   refundsRemainder?    with it: refund whatever is left of the original at the time of posting,
--   reverses?            with it: the legs undo every entry of the original, which nothing refunded or reversed before,
--   suspenseAccount?     where the money of a refund waits while its wallet takes nothing in,
--   arrived?             with it: the money has arrived from outside, and waits there whatever keeps it from its account,
--   pendingReason?       with it: why the destination may not have the money, as the caller has found,
--   hold?                the hold that this one captures,
--   limitAccount?, defaultDailyLimit?
--                        the account whose holder's daily limit this counts against, and the limit where the account has
--                        none of its own,
--   predecidedRefusal?   a code: the posting is refused with it, and its reference answers it from then on }
-- outcome is Successful, Pending (in suspense until it is settled) or the code of the refusal. It is the same on every
-- replay, whatever was refunded or settled since; REFERENCE_REUSED when the reference stands for another request. `p_now`
-- is for tests; null means the clock.
create or replace function ledger.post(p_postings jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
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
