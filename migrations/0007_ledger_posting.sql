-- Posting: the only way in which money moves.

-- Why a posting is refused, or null when it is not. The caller has locked every row that this reads.
create function ledger.refusal(p jsonb, o ledger.transaction, h ledger.hold, p_now timestamptz)
returns text language sql stable as $$
  select coalesce(
    case
      when p ? 'predecidedRefusal' then p ->> 'predecidedRefusal'
      when p ? 'hold' and h.id is null then 'HOLD_NOT_FOUND'
      when h.state <> 'OPEN' then 'HOLD_NOT_OPEN'
      when h.expires_at <= p_now then 'HOLD_EXPIRED'
      when p ? 'original' and coalesce(o.status, 'Failed') not in ('Successful', 'Reversed') then 'TRANSACTION_NOT_REFUNDABLE'
      when o.refunded + (p ->> 'amount')::bigint > o.amount then 'REFUND_EXCEEDS'
      when p ? 'suspenseAccount' and exists (select from ledger.account a
                                              where a.id = (p ->> 'destination')::bigint and a.closed_at is not null)
        then 'WALLET_REVOKED'
    end,
    (select case
        when count(a.id) < greatest(count(*), 1) then 'ACCOUNT_NOT_FOUND'
        when bool_or(a.currency <> p ->> 'currency') then 'CURRENCY_MISMATCH'
        when h.id is not null and not bool_or(a.id = h.account_id and l.amount < 0) then 'HOLD_NOT_FOUND'
        when bool_or(a.status = 'Blocked') then 'WALLET_BLOCKED'
        when bool_or(a.status = 'PND' and l.amount < 0) then 'WALLET_PND'
        when bool_or(a.status = 'PNC' and l.amount > 0) then 'WALLET_PNC'
        when bool_or(a.id = h.account_id and h.amount + l.amount < 0) then 'HOLD_EXCEEDED'
        when bool_or(l.amount < 0 and a.floor is not null and a.id is distinct from h.account_id
                     and a.posted - a.suspended - a.liens + l.amount < a.floor) then 'INSUFFICIENT_FUNDS'
        when bool_or(a.lock_mode = 'strict' and a.posted + l.amount > ledger.balance_max()) then 'BALANCE_EXCEEDED'
        when h.id is null and bool_or(a.id = (p ->> 'limitAccount')::bigint
                     and ledger.spent_on(a, ledger.business_day(p_now)) - l.amount
                         > coalesce(a.daily_limit, (p ->> 'defaultDailyLimit')::bigint)) then 'LIMIT_EXCEEDED'
      end
      from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint)
      left join ledger.account a on a.id = l.account))
$$;

-- Writes the legs of a transaction whose accounts are locked: the entries, the new balances, and an event for every
-- movement of a wallet. `p_first` is the number of the first leg.
create function ledger.write_legs(t ledger.transaction, p_legs jsonb, p_first int, p_now timestamptz)
returns void language plpgsql as $$
begin
  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
  select t.id, p_first + l.ordinal - 1, a.id, l.amount, coalesce(l.fee, 0),
    case when a.lock_mode = 'strict' then a.version + 1 end,
    case when a.lock_mode = 'strict' then a.posted end,
    case when a.lock_mode = 'strict' then a.posted + l.amount end,
    ledger.business_day(p_now), p_now
  from rows from (jsonb_to_recordset(p_legs) as (account bigint, amount bigint, fee bigint))
    with ordinality l(account, amount, fee, ordinal)
  join ledger.account a on a.id = l.account;

  update ledger.account a set posted = e.closing, version = e.version, updated_at = p_now
    from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and a.id = e.account_id and e.version is not null;

  insert into ledger.deferred_delta (account_id, amount)
    select e.account_id, e.amount from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and e.version is null;

  perform ledger.publish_movements(array[t.id], p_first);
end $$;

-- The entries of a transaction as JSON. Amounts are text, so that JavaScript reads them exactly.
create function ledger.entries_of(p_transaction bigint) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('account', e.account_id, 'amount', e.amount::text,
      'opening', e.opening::text, 'closing', e.closing::text) order by e.leg)
    from ledger.entry e where e.transaction_id = p_transaction
$$;

-- Posts a whole batch in one statement. It does so only when no posting in it is refused or replayed, captures a hold or
-- refunds a transaction; otherwise it does nothing and answers false, and the batch goes one by one. The caller has locked
-- the strict accounts. Balances run through the batch in its order: each posting is judged by what those before it left.
create function ledger.post_batch(p_postings jsonb, p_ids bigint[], p_now timestamptz)
returns boolean language plpgsql as $$
declare
  v_done boolean;
begin
  with leg as materialized (
    select p.ordinal, l.leg, l.amount, coalesce(l.fee, 0) as fee, a.id as account, a.lock_mode,
      a.posted + sum(l.amount) over past as closing, a.version + row_number() over past as version,
      case when (p.body ->> 'limitAccount')::bigint = l.account then -l.amount else 0 end as spent,
      p.body ->> 'currency' = a.currency and lag(p.ordinal) over past is distinct from p.ordinal
        and a.status <> 'Blocked' and (a.status <> 'PND' or l.amount > 0) and (a.status <> 'PNC' or l.amount < 0)
        and (l.amount > 0 or a.floor is null
             or a.posted - a.suspended - a.liens + sum(l.amount) over past >= a.floor)
        and (a.lock_mode = 'deferred' or a.posted + sum(l.amount) over past <= ledger.balance_max())
        and (p.body ->> 'limitAccount' is null or (p.body ->> 'limitAccount')::bigint <> l.account
             or coalesce(ledger.spent_on(a, ledger.business_day(p_now))
                  - sum(l.amount) filter (where (p.body ->> 'limitAccount')::bigint = l.account) over past
                  <= coalesce(a.daily_limit, (p.body ->> 'defaultDailyLimit')::bigint), true)) as allowed
    from jsonb_array_elements(p_postings) with ordinality p(body, ordinal),
      rows from (jsonb_to_recordset(p.body -> 'legs') as (account bigint, amount bigint, fee bigint))
        with ordinality l(account, amount, fee, leg)
      left join ledger.account a on a.id = l.account
    window past as (partition by l.account order by p.ordinal, l.leg)),
  verdict as (
    select coalesce(bool_and(coalesce(allowed, false)), false)
      and count(distinct ordinal) = jsonb_array_length(p_postings) as allowed from leg),
  written as (
    insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    select p_ids[ordinal], leg, account, amount, fee,
      case when lock_mode = 'strict' then version end,
      case when lock_mode = 'strict' then closing - amount end,
      case when lock_mode = 'strict' then closing end,
      ledger.business_day(p_now), p_now
    from leg, verdict where verdict.allowed),
  moved as (
    update ledger.account a
      set posted = a.posted + m.amount, version = a.version + m.entries, updated_at = p_now,
        spent = case when m.spent > 0 then ledger.spent_on(a, ledger.business_day(p_now)) + m.spent else a.spent end,
        spent_day = case when m.spent > 0 then ledger.business_day(p_now) else a.spent_day end
      from (select account, sum(amount) as amount, count(*) as entries, sum(spent) as spent
              from leg where lock_mode = 'strict' group by account) m, verdict
      where a.id = m.account and verdict.allowed),
  deferred as (
    insert into ledger.deferred_delta (account_id, amount)
    select account, sum(amount) from leg, verdict where lock_mode = 'deferred' and verdict.allowed group by account)
  select allowed into v_done from verdict;
  if v_done then perform ledger.publish_movements(p_ids); end if;
  return v_done;
end $$;

-- Posts one posting whose reference was reserved as the transaction `p_id` and whose rows are locked. When the reference
-- was used before, `p_id` is null, and the answer is that of the earlier posting.
create function ledger.post_one(p jsonb, p_id bigint, p_now timestamptz,
  out outcome text, out replayed boolean, out transaction_id bigint, out created_at timestamptz, out entries jsonb)
language plpgsql as $$
declare
  t ledger.transaction;
  o ledger.transaction;
  h ledger.hold;
  v_legs jsonb := p -> 'legs';
  v_pending boolean := false;
  v_code text;
begin
  replayed := p_id is null;
  if replayed then
    select x.* into strict t from ledger.transaction x
      where x.owner_id = (p ->> 'owner')::uuid and x.reference = p ->> 'reference';
    v_code := case when t.request_hash <> decode(p ->> 'requestHash', 'hex') then 'REFERENCE_REUSED' else t.code end;
  else
    select x.* into o from ledger.transaction x where x.id = (p -> 'original')::bigint;
    select x.* into h from ledger.hold x where x.id = (p -> 'hold')::bigint;
    if p ? 'refundsRemainder' and o.refunded < o.amount then
      p := p || jsonb_build_object('amount', o.amount - o.refunded, 'legs', (
        select jsonb_agg(leg || jsonb_build_object('amount', sign((leg ->> 'amount')::bigint)::bigint * (o.amount - o.refunded)))
          from jsonb_array_elements(p -> 'legs') leg));
      v_legs := p -> 'legs';
      update ledger.transaction x set amount = o.amount - o.refunded where x.id = p_id;
    end if;
    if p ? 'suspenseAccount' then
      select jsonb_agg(case when r.waits then jsonb_set(r.leg, '{account}', p -> 'suspenseAccount') else r.leg end), bool_or(r.waits)
        into v_legs, v_pending
        from (select leg, a.kind = 'WALLET' and (leg ->> 'amount')::bigint > 0 and a.status in ('Blocked', 'PNC') as waits
                from jsonb_array_elements(p -> 'legs') leg
                join ledger.account a on a.id = (leg ->> 'account')::bigint) r;
    end if;
    v_code := ledger.refusal(jsonb_set(p, '{legs}', v_legs), o, h, p_now);

    if v_code is not null then
      update ledger.transaction x set status = 'Failed', code = v_code, completed_at = null
        where x.id = p_id returning x.* into t;
    else
      if v_pending then
        update ledger.transaction x set status = 'Pending', completed_at = null where x.id = p_id;
      end if;
      select x.* into t from ledger.transaction x where x.id = p_id;
      update ledger.transaction x
        set refunded = x.refunded + t.amount,
          status = case when x.refunded + t.amount = x.amount then 'Reversed' else x.status end
        where x.id = o.id;
      update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = h.id;
      update ledger.account a
        set suspended = a.suspended - coalesce(h.amount, 0),
          spent = case
            when h.id is null then ledger.spent_on(a, ledger.business_day(p_now)) - l.amount
            when h.counted and a.spent_day = h.held_day then a.spent - h.amount - l.amount
            else a.spent end,
          spent_day = case when h.id is null then ledger.business_day(p_now) else a.spent_day end
        from jsonb_to_recordset(v_legs) l(account bigint, amount bigint)
        where a.id = coalesce(h.account_id, (p -> 'limitAccount')::bigint) and l.account = a.id;
      perform ledger.write_legs(t, v_legs, 1, p_now);
    end if;
  end if;
  outcome := coalesce(v_code, case when t.status = 'Reversed' then 'Successful' else t.status end);
  transaction_id := t.id;
  created_at := t.created_at;
  entries := ledger.entries_of(t.id);
end $$;

-- Posts an array of postings in one call, each with its own outcome: a refused one leaves its reference and nothing
-- else.
--
-- Every caller takes its locks in one order, so that no two can wait for each other: the references, sorted; the
-- transactions to refund, by id; the holds to capture, by id; the strict accounts, by id. Deferred accounts are not
-- locked. src/modules/ledger/README.md explains how.
--
-- A posting: { owner, reference, requestHash (hex), type, partner?, amount, fee?, commission?, stampDuty?, currency,
--   source?, destination? (accounts), externalReference?, comment?, metadata?,
--   legs: [{ account, amount, fee? }]  each account once; the fee is part of the amount,
--   original?            the transaction that this one refunds,
--   refundsRemainder?    with it: refund whatever is left of the original at the time of posting,
--   suspenseAccount?     where the money of a refund waits while its wallet takes nothing in,
--   hold?                the hold that this one captures,
--   limitAccount?, defaultDailyLimit?
--                        the account whose daily limit this counts against, and the limit where it has none of its own,
--   predecidedRefusal?   a code: the posting is refused with it, and its reference answers it from then on }
-- outcome is Successful, Pending (in suspense until it is settled) or the code of the refusal. It is the same on every
-- replay, whatever was refunded since; REFERENCE_REUSED when the reference stands for another request. `p_now` is for
-- tests; null means the clock.
create function ledger.post(p_postings jsonb, p_now timestamptz default null)
returns table (ordinal int, outcome text, replayed boolean, transaction_id bigint, created_at timestamptz, entries jsonb)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
declare
  v_ids bigint[];
  v_now timestamptz;
  v_posted boolean := false;
begin
  with posting as (
    select p.ordinal, x.*, row_number() over (partition by x.owner, x.reference order by p.ordinal) as turn
    from jsonb_array_elements(p_postings) with ordinality p(body, ordinal),
      jsonb_to_record(p.body) x(owner uuid, reference text, partner uuid, type text, "requestHash" text,
        amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint,
        destination bigint, "externalReference" text, comment text, metadata jsonb, original bigint)),
  named as (
    insert into ledger.transaction as t (owner_id, reference, partner_id, type, status, request_hash, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, original_id,
      created_at, completed_at)
    select owner, reference, partner, type, 'Successful', decode("requestHash", 'hex'), amount, coalesce(fee, 0),
      coalesce(commission, 0), coalesce("stampDuty", 0), currency, source, destination, "externalReference", comment,
      metadata, original, coalesce(p_now, clock_timestamp()), coalesce(p_now, clock_timestamp())
    from posting where turn = 1 order by owner, reference
    on conflict (owner_id, reference) do nothing
    returning t.id, t.owner_id, t.reference)
  select array_agg(n.id order by p.ordinal) into v_ids
    from posting p left join named n on n.owner_id = p.owner and n.reference = p.reference and p.turn = 1;

  if jsonb_path_exists(p_postings, '$[*].original') then
    perform 1 from ledger.transaction t
      where t.id in (select (x -> 'original')::bigint from jsonb_array_elements(p_postings) x where x ? 'original')
      order by t.id for no key update;
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    perform 1 from ledger.hold h
      where h.id in (select (x -> 'hold')::bigint from jsonb_array_elements(p_postings) x where x ? 'hold')
      order by h.id for no key update;
  end if;
  perform 1 from ledger.account a
    where a.lock_mode = 'strict' and a.id = any (array(
      select (leg ->> 'account')::bigint
      from jsonb_array_elements(p_postings) with ordinality p(body, ordinal), jsonb_array_elements(p.body -> 'legs') leg
      where v_ids[p.ordinal] is not null))
    order by a.id for no key update;
  v_now := coalesce(p_now, clock_timestamp());

  if array_position(v_ids, null) is null
     and not jsonb_path_exists(p_postings, '$[*] ? (exists(@.original) || exists(@.hold) || exists(@.predecidedRefusal))') then
    v_posted := ledger.post_batch(p_postings, v_ids, v_now);
  end if;
  if not v_posted then
    return query select i, r.* from generate_series(1, cardinality(v_ids)) i,
      ledger.post_one(p_postings -> (i - 1), v_ids[i], v_now) r;
    return;
  end if;
  return query
    select i, 'Successful', false, v_ids[i], t.created_at, ledger.entries_of(t.id)
      from generate_series(1, cardinality(v_ids)) i join ledger.transaction t on t.id = v_ids[i] order by i;
end $$;

-- Moves a pending refund from the suspense account to its wallet, once the wallet takes it and has room for it. Answers
-- the transaction's status. That is Pending also while another session has the transaction locked, so that whoever holds
-- the account's lock can settle its refunds without waiting.
create function ledger.settle_pending_refund(p_transaction bigint, p_suspense_account bigint, p_now timestamptz default null)
returns text language plpgsql as $$
declare
  t ledger.transaction;
  a ledger.account;
  v_now timestamptz;
begin
  select * into t from ledger.transaction where id = p_transaction for no key update skip locked;
  if t.id is null then return 'Pending'; end if;
  if t.status <> 'Pending' then return t.status; end if;
  select * into a from ledger.account where id = t.destination_id for no key update;
  if a.status in ('Blocked', 'PNC') or a.posted + t.amount > ledger.balance_max() then return t.status; end if;
  v_now := coalesce(p_now, clock_timestamp());
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  perform ledger.write_legs(t, jsonb_build_array(
      jsonb_build_object('account', p_suspense_account, 'amount', -t.amount),
      jsonb_build_object('account', t.destination_id, 'amount', t.amount)),
    (select count(*)::int + 1 from ledger.entry e where e.transaction_id = t.id), v_now);
  return t.status;
end $$;
