-- Posts a whole batch in one statement. It does so only when no posting in it is refused or replayed, captures a hold,
-- refunds or reverses a transaction, or is parked; otherwise it does nothing and answers false, and the batch goes one by
-- one. The caller has locked the strict accounts and what their holders have spent. Balances run through the batch in its
-- order: each posting is judged by what those before it left.
create or replace function ledger.post_batch(p_postings jsonb, p_ids bigint[], p_accounts ledger.account[], p_now timestamptz)
returns jsonb[] language plpgsql as $$
declare
  v_known bigint[];
  v_last int[];
  v_deltas bigint[];
  v_holders uuid[];
  v_spent bigint[];
  v_day date := ledger.business_day(p_now);
  v_posting jsonb;
  v_legs jsonb;
  v_leg jsonb;
  v_amount bigint;
  k int;
  h int;
  a ledger.account;
  e ledger.entry;
  v_entries ledger.entry[];
  v_answer jsonb;
  v_answers jsonb[];
  v_events outbox.event[];
  v_holds ledger.hold[];
  v_held bigint[];
  v_hold ledger.hold;
  v_captured int;
begin
  for k in 1 .. coalesce(cardinality(p_accounts), 0) loop v_known[k] := p_accounts[k].id; end loop;
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    select array_agg(s.holder_id), array_agg(ledger.spent_on(s, v_day)) into v_holders, v_spent from ledger.spending s
      where s.holder_id in (select x.holder_id from unnest(p_accounts) x where x.id = any (
        translate(jsonb_path_query_array(p_postings, '$[*].limitAccount')::text, '[]', '{}')::bigint[]));
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select array_agg(x), array_agg(x.id) into v_holds, v_held from ledger.hold x
      where x.id = any (translate(jsonb_path_query_array(p_postings, '$[*].hold')::text, '[]', '{}')::bigint[]);
  end if;
  for i in 1 .. cardinality(p_ids) loop
    v_posting := p_postings -> (i - 1);
    v_legs := v_posting -> 'legs';
    v_answer := '[]';
    v_hold := null;
    if v_posting ? 'hold' then
      h := array_position(v_held, (v_posting ->> 'hold')::bigint);
      v_hold := v_holds[h];
      if (v_hold.state = 'OPEN' and v_hold.expires_at > p_now and not v_hold.counted) is not true
          or v_posting ? 'limitAccount' then return null; end if;
      v_holds[h].state := 'CAPTURED';
      v_captured := 0;
    end if;
    for j in 1 .. coalesce(jsonb_array_length(v_legs), 0) loop
      v_leg := v_legs -> (j - 1);
      v_amount := (v_leg ->> 'amount')::bigint;
      k := array_position(v_known, (v_leg ->> 'account')::bigint);
      a := p_accounts[k];
      -- An account that is named twice, is not known, or may not be moved so.
      if (v_last[k] is distinct from i and a.currency = v_posting ->> 'currency'
          and case when v_amount > 0 then a.posted + v_amount <= ledger.balance_max() or a.lock_mode = 'deferred'
            else a.floor is null or a.id = v_hold.account_id or a.posted - a.suspended - a.liens + v_amount >= a.floor end) is not true then return null; end if;
      if a.status <> 'Enabled' then
        if a.status in ('Blocked', case when v_amount > 0 then 'PNC' else 'PND' end) then return null; end if;
      end if;
      if v_holders is not null then
        if v_posting ->> 'limitAccount' = a.id::text then
          h := array_position(v_holders, a.holder_id);
          v_spent[h] := v_spent[h] - v_amount;
          if v_spent[h] > coalesce(a.daily_limit, (v_posting ->> 'defaultDailyLimit')::bigint) then return null; end if;
        end if;
      end if;
      if a.id = v_hold.account_id and v_amount < 0 then
        if v_hold.amount + v_amount < 0 or a.lock_mode <> 'strict' then return null; end if;
        a.suspended := a.suspended - v_hold.amount;
        v_captured := v_captured + 1;
      end if;
      v_last[k] := i;
      if a.lock_mode = 'strict' then
        a.posted := a.posted + v_amount;
        a.version := a.version + 1;
        p_accounts[k] := a;
        e := row(p_ids[i], j, a.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), a.version, a.posted - v_amount, a.posted,
          v_day, p_now)::ledger.entry;
      else
        v_deltas[k] := coalesce(v_deltas[k], 0) + v_amount;
        e := row(p_ids[i], j, a.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), null, null, null, v_day, p_now)::ledger.entry;
      end if;
      v_entries := v_entries || e;
      v_answer := v_answer || jsonb_build_object('account', a.id, 'amount', v_amount::text, 'opening', e.opening::text,
        'closing', e.closing::text);
      if a.emits then
        v_events := v_events || row(null, a.partner_id, case when v_amount > 0 then 'wallet.credited' else 'wallet.debited' end,
          a.reference, null,
          ledger.movement_event(a.reference, e,
            ledger.told_amount(v_posting ->> 'type', (v_posting ->> 'amount')::bigint, v_amount),
            ledger.told_fee(v_posting ->> 'type', coalesce((v_posting ->> 'fee')::bigint, 0),
              coalesce((v_posting ->> 'stampDuty')::bigint, 0), coalesce(a.partner_id = (v_posting ->> 'partner')::uuid, false),
              v_amount, e.fee), v_posting ->> 'reference',
            case when v_posting ->> 'namer' in ('CUSTOMER', 'APPLICATION') and a.id::text is distinct from v_posting ->> 'source' then ''
              else v_posting ->> 'externalReference' end, v_posting ->> 'comment'), a.version, p_now, null)::outbox.event;
      end if;
    end loop;
    if v_answer = '[]' or v_hold.id is not null and v_captured = 0 then return null; end if;
    v_answers[i] := v_answer;
  end loop;

  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    select (n.e).* from (select unnest(v_entries) as e offset 0) n;
  if v_holds is null then
    update ledger.account x set posted = (n.a).posted, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
  else
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = any (v_held);
    update ledger.account x
      set posted = (n.a).posted, suspended = (n.a).suspended, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
  end if;
  if v_holders is not null then
    update ledger.spending s set spent = u.spent, day = v_day
      from unnest(v_holders, v_spent) u(holder, spent) where s.holder_id = u.holder;
  end if;
  if v_deltas is not null then
    insert into ledger.deferred_delta (account_id, amount)
      select v_known[s.k], v_deltas[s.k] from generate_subscripts(v_deltas, 1) s(k) where v_deltas[s.k] is not null;
  end if;
  if v_events is not null then k := outbox.emit_all(v_events); end if;
  return v_answers;
end $$;
