-- Whose name a reference is, one time for one movement, limits of a customer in all wallets together, and money that has
-- arrived and waits in suspense.

alter table ledger.transaction
  add column namer text,
  add column pending_reason text,
  add column mac bytea;

-- The operator's references were unique for all partners at once, and what rails reported shared the partners' own.
update ledger.transaction t set
  namer = case
    when t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL', 'INBOUND') then 'RAIL'
    when t.type = 'TRANSFER' then 'CUSTOMER'
    when t.type = 'SWITCH' then 'APPLICATION'
    when t.type = 'APPLICATION_FUNDING' or t.owner_id = '00000000-0000-0000-0000-000000000000' then 'OPERATOR'
    else 'PARTNER' end,
  owner_id = case
    when t.owner_id <> '00000000-0000-0000-0000-000000000000' or t.type = 'INBOUND' then t.owner_id
    when t.type = 'APPLICATION_FUNDING' then (select a.reference::uuid from ledger.account a where a.id = t.destination_id)
    else coalesce(t.partner_id, t.owner_id) end,
  -- A report that was refused left its reference refused for ever. Now only what is malformed is refused, and may be
  -- corrected under its own reference.
  reference = case when t.status = 'Failed' and t.type in ('PARTNER_GATEWAY', 'PARTNER_TERMINAL', 'INBOUND')
    then t.reference || ' (refused ' || t.id || ')' else t.reference end,
  pending_reason = case when t.status = 'Pending' then coalesce(
    (select case a.status when 'PNC' then 'WALLET_PNC' else 'WALLET_BLOCKED' end from ledger.account a where a.id = t.destination_id),
    'WALLET_BLOCKED') end;

alter table ledger.transaction
  alter column namer set not null,
  add constraint transaction_namer check (namer in ('PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR')),
  add constraint transaction_pending_reason check (status <> 'Pending' or pending_reason is not null),
  drop constraint transaction_reference,
  add constraint transaction_reference unique (owner_id, namer, reference);
drop index ledger.transaction_ours;
create index transaction_not_partners on ledger.transaction (reference) where namer <> 'PARTNER';

-- What was posted before this migration has no MAC; everything after it has.
do $$
begin
  execute format('alter table ledger.transaction add constraint transaction_mac check (mac is not null or id <= %s)',
    (select coalesce(max(id), 0) from ledger.transaction));
end $$;

-- A change is audited with the time after the locks it waited for.
alter table audit.entry alter column at set default clock_timestamp();

-- What a customer has spent on a day, out of all their wallets together.
create table ledger.spending (
  holder_id uuid primary key,
  day date not null,
  spent bigint not null,
  constraint spending_spent check (spent >= 0)
);

alter table ledger.account add column holder_id uuid default uuidv7() not null;
-- Only the functions below write it, by the database's clock: it orders an account's movements.
alter table ledger.account add column moved_at timestamptz(3);
update ledger.account a set moved_at = e.created_at
  from ledger.entry e where e.account_id = a.id and e.version = a.version;
update ledger.account a set holder_id = w.customer_id
  from wallets.partner_wallet w where w.account_id = a.id and w.customer_id is not null;
insert into ledger.spending (holder_id, day, spent)
  select a.holder_id, a.spent_day, sum(a.spent) from ledger.account a
  where a.spent_day = (select max(x.spent_day) from ledger.account x where x.holder_id = a.holder_id)
  group by 1, 2;
drop function ledger.spent_on(ledger.account, date);
alter table ledger.account
  drop constraint account_holds,
  drop column spent,
  drop column spent_day,
  add constraint account_holds check (suspended >= 0 and liens >= 0);

-- What has been spent on a day; 0 where nothing was ever spent.
create function ledger.spent_on(s ledger.spending, p_day date) returns bigint language sql immutable as $$
  select case when s.day = p_day then s.spent else 0 end
$$;

-- Locks what these holders have spent, by id, and makes it where nothing was.
create function ledger.lock_spending(p_holders uuid[], p_day date) returns void language plpgsql as $$
begin
  insert into ledger.spending (holder_id, day, spent)
    select h, p_day, 0 from (select distinct h from unnest(p_holders) h order by h) x
    where not exists (select from ledger.spending s where s.holder_id = h)
    on conflict do nothing;
  perform 1 from ledger.spending s where s.holder_id = any (p_holders) order by s.holder_id for no key update;
end $$;

-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of its own parsed value. Every member
-- is there always. Whoever receives money from a customer or an application is not shown the sender's own reference.
create or replace function ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry)
returns text language sql stable as $$
  select '{"event":' || to_json(p_event)
    || ',"reference":' || to_json(p_wallet)
    || ',"data":{"Amount":' || ledger.major(e.amount)
    || ',"Operation":' || case when e.amount > 0 then '"Credit"' else '"Debit"' end
    || ',"Transaction":{"Amount":' || ledger.major(t.amount)
    || ',"Fee":' || ledger.major(e.fee)
    || ',"Status":"Successful"'
    || ',"Reference":' || to_json(t.reference)
    || ',"ExternalReference":' || to_json(case
         when t.namer in ('CUSTOMER', 'APPLICATION') and e.account_id is distinct from t.source_id then ''
         else coalesce(t.external_reference, '') end)
    || ',"Comment":' || to_json(coalesce(t.comment, ''))
    || '},"OpeningBalance":' || ledger.major(e.opening)
    || ',"ClosingBalance":' || ledger.major(e.closing)
    || ',"CreatedAt":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}}'
$$;

-- Writes an event for every movement of a wallet in these transactions, from leg `p_first` on. Accounts are looked up one by
-- one: planned while the tables are small, a join would read all of them, for as long as the connection lives.
create or replace function ledger.publish_movements(p_transactions bigint[], p_first int default 1) returns void language sql as $$
  select outbox.emit_all(array_agg(a.partner_id order by e.transaction_id, e.leg),
    array_agg(event.name order by e.transaction_id, e.leg),
    array_agg(a.reference order by e.transaction_id, e.leg),
    array_agg(ledger.wallet_event(event.name, a.reference, t, e) order by e.transaction_id, e.leg),
    array_agg(e.version order by e.transaction_id, e.leg))
  from ledger.entry e
    join ledger.transaction t on t.id = e.transaction_id
    cross join lateral (select * from ledger.account a where a.id = e.account_id offset 0) a,
    lateral (select case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end) event(name)
  where e.transaction_id = any (p_transactions) and e.leg >= p_first and a.emits
$$;

-- Why a posting is refused, or null when it is not. The caller has locked every row that this reads.
create or replace function ledger.refusal(p jsonb, o ledger.transaction, h ledger.hold, p_now timestamptz)
returns text language sql stable as $$
  select coalesce(
    case
      when p ? 'predecidedRefusal' then p ->> 'predecidedRefusal'
      when p ? 'hold' and h.id is null then 'HOLD_NOT_FOUND'
      when h.state <> 'OPEN' then 'HOLD_NOT_OPEN'
      when h.expires_at <= p_now then 'HOLD_EXPIRED'
      when p ? 'reverses' and (coalesce(o.status, 'Failed') not in ('Successful', 'Pending') or o.refunded > 0)
        then 'TRANSACTION_NOT_REVERSIBLE'
      when p ? 'original' and not p ? 'reverses' and coalesce(o.status, 'Failed') not in ('Successful', 'Reversed')
        then 'TRANSACTION_NOT_REFUNDABLE'
      when o.refunded + (p ->> 'amount')::bigint > o.amount then 'REFUND_EXCEEDS'
      when p ? 'suspenseAccount' and not p ? 'arrived' and exists (
             select from ledger.account a where a.id = (p ->> 'destination')::bigint and a.closed_at is not null)
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
                     and coalesce(ledger.spent_on(s.today, ledger.business_day(p_now)), 0) - l.amount
                         > coalesce(a.daily_limit, (p ->> 'defaultDailyLimit')::bigint)) then 'LIMIT_EXCEEDED'
      end
      from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint)
      left join lateral (select * from ledger.account x where x.id = l.account offset 0) a on true
      left join lateral (select x as today from ledger.spending x
                          where x.holder_id = a.holder_id and a.id = (p ->> 'limitAccount')::bigint offset 0) s on true))
$$;

-- Why money cannot reach an account now, so that it waits in suspense; null when it can. What has arrived from outside
-- (`p_arrived`) waits whatever the reason; a refund waits only for a wallet that takes nothing in for the moment.
create function ledger.parking_reason(a ledger.account, p_amount bigint, p_currency text, p_arrived boolean)
returns text language sql immutable as $$
  select case
    when p_amount <= 0 or a.lock_mode <> 'strict' then null
    when a.closed_at is not null then case when p_arrived then 'WALLET_REVOKED' end
    when a.currency <> p_currency then case when p_arrived then 'CURRENCY_MISMATCH' end
    when a.status = 'Blocked' then 'WALLET_BLOCKED'
    when a.status = 'PNC' then 'WALLET_PNC'
    when a.posted + p_amount > ledger.balance_max() then case when p_arrived then 'BALANCE_EXCEEDED' end
  end
$$;

-- Writes the legs of a transaction whose accounts are locked: the entries, the new balances, and an event for every
-- movement of a wallet. `p_first` is the number of the first leg.
create or replace function ledger.write_legs(t ledger.transaction, p_legs jsonb, p_first int, p_now timestamptz)
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

  update ledger.account a set posted = e.closing, version = e.version, updated_at = p_now, moved_at = p_now
    from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and a.id = e.account_id and e.version is not null;

  insert into ledger.deferred_delta (account_id, amount)
    select e.account_id, e.amount from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and e.version is null;

  perform ledger.publish_movements(array[t.id], p_first);
end $$;

-- Posts a whole batch in one statement. It does so only when no posting in it is refused or replayed, captures a hold,
-- refunds or reverses a transaction, or is parked; otherwise it does nothing and answers false, and the batch goes one by
-- one. The caller has locked the strict accounts and what their holders have spent. Balances run through the batch in its
-- order: each posting is judged by what those before it left.
create or replace function ledger.post_batch(p_postings jsonb, p_ids bigint[], p_now timestamptz)
returns boolean language plpgsql as $$
declare
  v_done boolean;
begin
  with leg as materialized (
    select p.ordinal, l.leg, l.amount, coalesce(l.fee, 0) as fee, a.id as account, a.lock_mode, s.holder_id,
      a.posted + sum(l.amount) over past as closing, a.version + row_number() over past as version,
      case when s.holder_id is not null then -l.amount else 0 end as spent,
      p.body ->> 'currency' = a.currency and lag(p.ordinal) over past is distinct from p.ordinal
        and a.status <> 'Blocked' and (a.status <> 'PND' or l.amount > 0) and (a.status <> 'PNC' or l.amount < 0)
        and (l.amount > 0 or a.floor is null
             or a.posted - a.suspended - a.liens + sum(l.amount) over past >= a.floor)
        and (a.lock_mode = 'deferred' or a.posted + sum(l.amount) over past <= ledger.balance_max())
        and (s.holder_id is null
             or coalesce(ledger.spent_on(s, ledger.business_day(p_now)) - sum(l.amount) over spending
                  <= coalesce(a.daily_limit, (p.body ->> 'defaultDailyLimit')::bigint), true)) as allowed
    from jsonb_array_elements(p_postings) with ordinality p(body, ordinal)
      cross join lateral rows from (jsonb_to_recordset(p.body -> 'legs') as (account bigint, amount bigint, fee bigint))
        with ordinality l(account, amount, fee, leg)
      left join ledger.account a on a.id = l.account
      left join ledger.spending s on s.holder_id = a.holder_id and a.id = (p.body ->> 'limitAccount')::bigint
    window past as (partition by l.account order by p.ordinal, l.leg),
      spending as (partition by s.holder_id order by p.ordinal, l.leg)),
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
      set posted = a.posted + m.amount, version = a.version + m.entries, updated_at = p_now, moved_at = p_now
      from (select account, sum(amount) as amount, count(*) as entries
              from leg where lock_mode = 'strict' group by account) m, verdict
      where a.id = m.account and verdict.allowed),
  counted as (
    update ledger.spending s set spent = ledger.spent_on(s, ledger.business_day(p_now)) + m.spent, day = ledger.business_day(p_now)
      from (select holder_id, sum(spent) as spent from leg where holder_id is not null group by holder_id) m, verdict
      where s.holder_id = m.holder_id and verdict.allowed),
  deferred as (
    insert into ledger.deferred_delta (account_id, amount)
    select account, sum(amount) from leg, verdict where lock_mode = 'deferred' and verdict.allowed group by account)
  select allowed into v_done from verdict;
  if v_done then perform ledger.publish_movements(p_ids); end if;
  return v_done;
end $$;

-- True when a request repeats that of a transaction. What was posted before transactions had a MAC was told apart by a digest
-- of other words, and is compared by what it stored.
create function ledger.is_repeated(t ledger.transaction, p jsonb) returns boolean language sql stable as $$
  select case
    when t.mac is not null then t.request_hash = decode(p ->> 'requestHash', 'hex')
    else t.type = p ->> 'type' and t.currency = coalesce(p ->> 'currency', t.currency)
      and (t.amount = (p ->> 'amount')::bigint or p ? 'refundsRemainder')
      and t.comment is not distinct from p ->> 'comment'
      and t.external_reference is not distinct from p ->> 'externalReference'
      and (not p ? 'source' or t.type not like 'PARTNER_WALLET_%'
           or (t.source_id, t.destination_id) = ((p ->> 'source')::bigint, (p ->> 'destination')::bigint))
      and (not p ? 'destination' or t.type <> 'TRANSFER'
           or (select count(distinct a.holder_id) = 1 from ledger.account a
                where a.id in (t.destination_id, (p ->> 'destination')::bigint)))
  end
$$;

-- The answer of a reference that was used before: that of its first request, whatever has become of it since. What waited in
-- suspense is answered with the entries that it had then.
create function ledger.answer_again(p jsonb,
  out outcome text, out replayed boolean, out transaction_id bigint, out created_at timestamptz, out entries jsonb)
language plpgsql as $$
declare
  t ledger.transaction;
begin
  select x.* into strict t from ledger.transaction x
    where x.owner_id = (p ->> 'owner')::uuid and x.namer = p ->> 'namer' and x.reference = p ->> 'reference';
  replayed := true;
  transaction_id := t.id;
  created_at := t.created_at;
  outcome := case
    when not ledger.is_repeated(t, p) then 'REFERENCE_REUSED'
    else coalesce(t.code, case when t.pending_reason is null then 'Successful' else 'Pending' end) end;
  entries := ledger.entries_of(t.id);
  if t.pending_reason is not null and t.completed_at is not null then
    entries := entries - -1 - -1; -- the two that settled it
  end if;
end $$;

-- Posts one posting whose reference was reserved as the transaction `p_id` and whose rows are locked. When the reference
-- was used before, `p_id` is null, and the answer is that of the earlier posting.
create or replace function ledger.post_one(p jsonb, p_id bigint, p_now timestamptz,
  out outcome text, out replayed boolean, out transaction_id bigint, out created_at timestamptz, out entries jsonb)
language plpgsql as $$
declare
  t ledger.transaction;
  o ledger.transaction;
  h ledger.hold;
  v_legs jsonb := p -> 'legs';
  v_reason text;
  v_code text;
begin
  if p_id is null then
    select * into outcome, replayed, transaction_id, created_at, entries from ledger.answer_again(p);
    return;
  end if;
  select x.* into o from ledger.transaction x where x.id = (p -> 'original')::bigint;
  select x.* into h from ledger.hold x where x.id = (p -> 'hold')::bigint;
  if p ? 'refundsRemainder' and o.refunded < o.amount then
    p := p || jsonb_build_object('amount', o.amount - o.refunded, 'legs', (
      select jsonb_agg(leg || jsonb_build_object('amount', sign((leg ->> 'amount')::bigint)::bigint * (o.amount - o.refunded)))
        from jsonb_array_elements(p -> 'legs') leg));
    v_legs := p -> 'legs';
    update ledger.transaction x set amount = o.amount - o.refunded where x.id = p_id;
  end if;
  if p ? 'reverses' and exists (
      select from (select e.account_id as account, e.amount from ledger.entry e where e.transaction_id = o.id
                   union all select l.account, l.amount from jsonb_to_recordset(v_legs) l(account bigint, amount bigint)) x
        group by x.account having sum(x.amount) <> 0) then
    raise exception 'the original has got other entries meanwhile' using errcode = 'serialization_failure';
  end if;
  if p ? 'suspenseAccount' then
    select coalesce(jsonb_agg(
             case when r.reason is null then r.leg else jsonb_set(r.leg, '{account}', p -> 'suspenseAccount') end
             order by r.ordinal), '[]'),
        min(r.reason)
      into v_legs, v_reason
      from (select leg, ordinal, case
              when p ? 'pendingReason' and p -> 'destination' = leg -> 'account' then p ->> 'pendingReason'
              else ledger.parking_reason(a, (leg ->> 'amount')::bigint, p ->> 'currency', p ? 'arrived') end as reason
              from jsonb_array_elements(v_legs) with ordinality x(leg, ordinal)
              join ledger.account a on a.id = (leg ->> 'account')::bigint) r;
  end if;
  v_code := ledger.refusal(jsonb_set(p, '{legs}', v_legs), o, h, p_now);

  if v_code is not null then
    update ledger.transaction x set status = 'Failed', code = v_code, completed_at = null
      where x.id = p_id returning x.* into t;
  else
    if v_reason is not null then
      update ledger.transaction x set status = 'Pending', pending_reason = v_reason, completed_at = null where x.id = p_id;
    end if;
    select x.* into t from ledger.transaction x where x.id = p_id;
    update ledger.transaction x
      set refunded = x.refunded + t.amount,
        status = case when x.refunded + t.amount = x.amount then 'Reversed' else x.status end
      where x.id = o.id;
    if o.status = 'Pending' then -- a refund that never arrived gives nothing back any more
      update ledger.transaction x
        set refunded = x.refunded - o.amount, status = case x.status when 'Reversed' then 'Successful' else x.status end
        where x.id = o.original_id;
    end if;
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = h.id;
    update ledger.account a set suspended = a.suspended - h.amount where a.id = h.account_id;
    update ledger.spending s
      set spent = case
          when h.id is null then ledger.spent_on(s, ledger.business_day(p_now)) - l.amount
          when h.counted and s.day = h.held_day then s.spent - h.amount - l.amount
          else s.spent end,
        day = case when h.id is null then ledger.business_day(p_now) else s.day end
      from jsonb_to_recordset(v_legs) l(account bigint, amount bigint) join ledger.account a on a.id = l.account
      where a.id = coalesce(h.account_id, (p -> 'limitAccount')::bigint) and s.holder_id = a.holder_id;
    perform ledger.write_legs(t, v_legs, 1, p_now);
  end if;
  outcome := coalesce(v_code, t.status);
  replayed := false;
  transaction_id := t.id;
  created_at := t.created_at;
  entries := ledger.entries_of(t.id);
end $$;

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
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
declare
  v_ids bigint[];
  v_now timestamptz;
  v_posted boolean := false;
begin
  perform ledger.refuse_time(p_now);
  if jsonb_path_exists(p_postings, '$[*].original') then
    perform 1 from ledger.transaction t
      where t.id in (
        select unnest(array[o.id, case when o.status = 'Pending' then o.original_id end])
        from jsonb_array_elements(p_postings) x join ledger.transaction o on o.id = (x -> 'original')::bigint)
      order by t.id for no key update;
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    perform 1 from ledger.hold h
      where h.id in (select (x -> 'hold')::bigint from jsonb_array_elements(p_postings) x where x ? 'hold')
      order by h.id for no key update;
  end if;
  select max(locked.moved_at) into v_now from (
    select a.moved_at from ledger.account a
    where a.lock_mode = 'strict' and a.id = any (array(
      select (leg ->> 'account')::bigint from jsonb_array_elements(p_postings) p(body), jsonb_array_elements(p.body -> 'legs') leg))
    order by a.id for no key update) locked;
  v_now := coalesce(p_now, greatest(v_now, date_trunc('milliseconds', clock_timestamp())));
  if jsonb_path_exists(p_postings, '$[*].limitAccount') or jsonb_path_exists(p_postings, '$[*].hold') then
    perform ledger.lock_spending(array(
      select a.holder_id from jsonb_array_elements(p_postings) p(body)
        left join ledger.hold h on h.id = (p.body -> 'hold')::bigint
        join ledger.account a on a.id = coalesce(case when h.counted then h.account_id end, (p.body -> 'limitAccount')::bigint)),
      ledger.business_day(v_now));
  end if;

  with posting as (
    select p.ordinal, x.*, row_number() over (partition by x.owner, x.namer, x.reference order by p.ordinal) as turn
    from jsonb_array_elements(p_postings) with ordinality p(body, ordinal),
      jsonb_to_record(p.body) x(owner uuid, namer text, reference text, partner uuid, type text, "requestHash" text, mac text,
        amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint,
        destination bigint, "externalReference" text, comment text, metadata jsonb, original bigint)),
  named as (
    insert into ledger.transaction as t (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, original_id,
      created_at, completed_at)
    select owner, namer, reference, partner, type, 'Successful', decode("requestHash", 'hex'), decode(mac, 'hex'), amount,
      coalesce(fee, 0), coalesce(commission, 0), coalesce("stampDuty", 0), currency, source, destination,
      "externalReference", comment, metadata, original, v_now, v_now
    from posting where turn = 1 order by owner, namer, reference
    on conflict (owner_id, namer, reference) do nothing
    returning t.id, t.owner_id, t.namer, t.reference)
  select array_agg(n.id order by p.ordinal) into v_ids
    from posting p left join named n
      on n.owner_id = p.owner and n.namer = p.namer and n.reference = p.reference and p.turn = 1;

  if array_position(v_ids, null) is null and not jsonb_path_exists(p_postings,
       '$[*] ? (exists(@.original) || exists(@.hold) || exists(@.predecidedRefusal) || exists(@.pendingReason))') then
    v_posted := ledger.post_batch(p_postings, v_ids, v_now);
  end if;
  if not v_posted then
    return query select i, r.* from generate_series(1, cardinality(v_ids)) i,
      ledger.post_one(p_postings -> (i - 1), v_ids[i], v_now) r;
    return;
  end if;
  return query
    select i, 'Successful', false, v_ids[i], v_now, ledger.entries_of(v_ids[i])
      from generate_series(1, cardinality(v_ids)) i order by i;
end $$;

-- Moves what a pending transaction has in suspense to an account, or to the one it was meant for: then only once the reason
-- for which it waits has gone. Answers the transaction's status. That is Pending also while another session has the
-- transaction locked, so that whoever holds the account's lock can settle what waits for it without waiting.
drop function ledger.settle_pending_refund(bigint, bigint, timestamptz);
create function ledger.settle_pending(p_transaction bigint, p_account bigint default null, p_now timestamptz default null)
returns text language plpgsql as $$
declare
  t ledger.transaction;
  a ledger.account;
  w ledger.entry;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into t from ledger.transaction where id = p_transaction for no key update skip locked;
  if t.id is null then return 'Pending'; end if;
  if t.status <> 'Pending' then return t.status; end if;
  select e.* into strict w from ledger.entry e join ledger.account s on s.id = e.account_id
    where e.transaction_id = t.id and s.kind = 'SUSPENSE' and e.amount > 0;
  select * into strict a from ledger.account where id = coalesce(p_account, t.destination_id) for no key update;
  if (p_account is null and t.pending_reason not in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED'))
      or ledger.parking_reason(a, w.amount, t.currency, true) is not null then
    return t.status;
  end if;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  perform ledger.write_legs(t, jsonb_build_array(
      jsonb_build_object('account', w.account_id, 'amount', -w.amount),
      jsonb_build_object('account', a.id, 'amount', w.amount, 'fee', w.fee)),
    (select count(*)::int + 1 from ledger.entry e where e.transaction_id = t.id), v_now);
  return t.status;
end $$;

-- Places a hold. It is idempotent by (owner, reference), as a posting is, and a refused hold stays refused. outcome is OPEN,
-- the state that the hold has reached since, or the code of the refusal. `p_counts`: the hold counts against the account's
-- daily limit, or against `p_default_daily_limit` where the account has none of its own.
create or replace function ledger.place_hold(p_owner uuid, p_reference text, p_hash bytea, p_account bigint, p_amount bigint,
  p_expires_at timestamptz, p_counts boolean default false, p_default_daily_limit bigint default null, p_now timestamptz default null)
returns table (outcome text, hold_id bigint, replayed boolean) language plpgsql as $$
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
    perform ledger.lock_spending(array[a.holder_id], ledger.business_day(v_now));
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

-- Closes those of the holds that are open, as `p_state` RELEASED or EXPIRED (then only those that have expired), and makes
-- their money available again, whatever the account's status. A hold that was placed today no longer counts against
-- today's limit. Answers how many holds it closed.
create or replace function ledger.close_holds(p_holds bigint[], p_state text, p_now timestamptz default null)
returns int language plpgsql as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_closed int;
begin
  perform ledger.refuse_time(p_now);
  perform 1 from ledger.hold h where h.id = any (p_holds) order by h.id for no key update;
  perform 1 from ledger.account a
    where a.id in (select h.account_id from ledger.hold h where h.id = any (p_holds) and h.state = 'OPEN')
    order by a.id for no key update;
  perform 1 from ledger.spending s
    where s.holder_id in (select a.holder_id from ledger.hold h join ledger.account a on a.id = h.account_id
                           where h.id = any (p_holds) and h.state = 'OPEN' and h.counted)
    order by s.holder_id for no key update;
  with closed as (
    update ledger.hold h set state = p_state, closed_at = v_now
      where h.id = any (p_holds) and h.state = 'OPEN' and (p_state <> 'EXPIRED' or h.expires_at <= v_now)
      returning h.*),
  given as (
    update ledger.account a set suspended = a.suspended - c.held, updated_at = greatest(a.updated_at, v_now)
      from (select account_id, sum(amount) held from closed group by account_id) c
      where a.id = c.account_id),
  uncounted as (
    update ledger.spending s set spent = s.spent - c.amount
      from (select a.holder_id, h.held_day, sum(h.amount) amount from closed h join ledger.account a on a.id = h.account_id
              where h.counted group by 1, 2) c
      where s.holder_id = c.holder_id and s.day = c.held_day)
  select count(*) into v_closed from closed;
  return v_closed;
end $$;
