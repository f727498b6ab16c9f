-- Posts an array of postings in one call: the only way in which money moves, but for captures of what ledger.authorize has held.
--
-- Each posting has its own outcome, and comes to what it would alone, after those before it: a refused one leaves its reference and
-- nothing else. outcome is Successful, Pending (in suspense until it is settled) or the code of the refusal. It is the same on every
-- repetition, whatever was refunded or settled since; REFERENCE_REUSED when the reference stands for another request.
--
-- Locks, in the order in which every caller takes them, so that no two wait for each other:
--   1. the transactions to refund or reverse, by id;
--   2. the holds to capture, by id;
--   3. the strict accounts, by id; deferred ones are not locked;
--   4. what their holders have spent, by id, where a limit is counted (ledger.lock_spending);
--   5. the references, sorted (ledger.reserve).
-- Rules are read after the locks. src/modules/ledger/README.md explains how.
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
-- `p_now` is for tests; null means the clock.
create or replace function ledger.post(p_postings jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
-- What a call names is found by index, whatever the planner guesses of how much it names.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_count constant int := jsonb_array_length(p_postings);
  v_named constant bigint[] := ledger.ids_in(p_postings, '$[*].legs[*].account');
  -- Rules that ledger.post_batch does not know.
  v_special constant boolean := jsonb_path_exists(p_postings,
    '$[*] ? (exists(@.original) || exists(@.predecidedRefusal) || exists(@.pendingReason))');
  v_captures_counted boolean;
  v_accounts ledger.account[];
  v_moved_at timestamptz;
  v_now timestamptz;
  v_transactions ledger.transaction[];
  v_entries jsonb[];
begin
  if p_now is not null then perform ledger.refuse_time(p_now); end if;

  -- A refund of a refund that waits in suspense gives its amount back to the first original, which is locked too.
  if v_special and jsonb_path_exists(p_postings, '$[*].original') then
    perform from ledger.transaction t
     where t.id in (
       select unnest(array[o.id, case when o.status = 'Pending' then o.original_id end])
         from jsonb_array_elements(p_postings) p join ledger.transaction o on o.id = (p -> 'original')::bigint)
     order by t.id for no key update;
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select bool_or(x.counted) into v_captures_counted from (
      select h.counted from ledger.hold h where h.id = any (ledger.ids_in(p_postings, '$[*].hold')) order by h.id for no key update) x;
  end if;
  select array_agg(x.account), max(x.moved_at) into v_accounts, v_moved_at from (
    select a as account, a.moved_at from ledger.account a where a.id = any (v_named) and a.lock_mode = 'strict'
     order by a.id for no key update) x;
  -- Our own accounts take part without a lock: what is on them is added up later.
  if coalesce(cardinality(v_accounts), 0) < cardinality(v_named) then
    v_accounts := v_accounts || array(select a from ledger.account a where a.id = any (v_named) and a.lock_mode <> 'strict');
  end if;

  -- The time is read once, under the locks, and is never before the last movement of an account: its history runs forwards.
  v_now := coalesce(p_now, greatest(v_moved_at, date_trunc('milliseconds', clock_timestamp())));
  -- Whose spending counts: what a posting names, what its hold was counted for, and what a reversal gives back.
  if v_captures_counted or jsonb_path_exists(p_postings, '$[*] ? (exists(@.limitAccount) || exists(@.reverses))') then
    select coalesce(p_now, x) into v_now from ledger.lock_spending(array(
      select a.holder_id from jsonb_array_elements(p_postings) p (body)
        left join ledger.hold h on h.id = (p.body -> 'hold')::bigint
        join ledger.account a on a.id = coalesce(case when h.counted then h.account_id end, (p.body -> 'limitAccount')::bigint,
          case when p.body ? 'reverses' then (
            select o.source_id from ledger.transaction o
             where o.id = (p.body -> 'original')::bigint and o.type in ('TRANSFER', 'PAYOUT')) end)), v_now) x;
  end if;
  v_transactions := ledger.reserve(p_postings, v_now);

  -- At once, when nothing is repeated, special or refused; else one by one, with the same results.
  if not v_special and array_position(v_transactions, null) is null then
    v_entries := ledger.post_batch(p_postings, v_transactions, v_accounts, v_now);
  end if;
  if v_entries is null then
    return query select i, one.* from generate_series(1, v_count) i,
      ledger.post_one(p_postings -> (i - 1), v_transactions[i], v_now) one;
    return;
  end if;
  outcome := 'Successful';
  replayed := false;
  created_at := v_now;
  for i in 1 .. v_count loop
    ordinal := i;
    transaction_id := v_transactions[i].id;
    entries := v_entries[i];
    return next;
  end loop;
end $$;
