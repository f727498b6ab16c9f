-- Posts a whole batch at once: judges it in one pass, and writes it by one statement for each table. Answers the entries of each
-- posting. When a posting would be refused it has written nothing and answers null, and the caller posts one by one.
--
-- Takes no lock: the caller has locked the strict accounts among `p_accounts`, which are all that the legs may name, the holds to
-- capture and what is spent, and has reserved the references as `p_transactions`. Balances run through the batch in its order: each
-- posting is judged by what those before it left, by the rules of ledger.refusal.
--
-- PostgreSQL prepares an expression again in each transaction that comes to it, so a rule that is seldom asked stands in a branch.
create or replace function ledger.post_batch(p_postings jsonb, p_transactions ledger.transaction[], p_accounts ledger.account[],
  p_now timestamptz)
returns jsonb[] language plpgsql as $$
declare
  v_day constant date := ledger.business_day(p_now);
  -- By the place of an account in p_accounts: its id, the last posting that named it, and what is added to a deferred one.
  v_ids bigint[];
  v_named_by int[];
  v_deltas bigint[];
  -- By place: who has a limit, and what they have spent today.
  v_holders uuid[];
  v_spent bigint[];
  -- By place: the holds, and their ids.
  v_holds ledger.hold[];
  v_hold_ids bigint[];
  v_posting jsonb;
  v_transaction ledger.transaction;
  v_hold ledger.hold;
  v_is_captured boolean;
  v_legs jsonb;
  v_leg jsonb;
  v_amount bigint;
  v_place int;
  v_holder int;
  v_account ledger.account;
  v_entry ledger.entry;
  v_entries ledger.entry[];
  v_events outbox.event[];
  v_answer jsonb;
  v_answers jsonb[];
begin
  for i in 1 .. coalesce(cardinality(p_accounts), 0) loop v_ids[i] := p_accounts[i].id; end loop;
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    select array_agg(s.holder_id), array_agg(ledger.spent_on(s, v_day)) into v_holders, v_spent from ledger.spending s
     where s.holder_id in (
       select a.holder_id from unnest(p_accounts) a where a.id = any (ledger.ids_in(p_postings, '$[*].limitAccount')));
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select array_agg(h), array_agg(h.id) into v_holds, v_hold_ids from ledger.hold h
     where h.id = any (ledger.ids_in(p_postings, '$[*].hold'));
  end if;

  for i in 1 .. cardinality(p_transactions) loop
    v_posting := p_postings -> (i - 1);
    v_transaction := p_transactions[i];
    v_answer := '[]';
    v_hold := null;
    if v_posting ? 'hold' then
      v_place := array_position(v_hold_ids, (v_posting ->> 'hold')::bigint);
      v_hold := v_holds[v_place];
      -- A hold that counted towards a limit is captured one by one.
      if (v_hold.state = 'OPEN' and v_hold.expires_at > p_now and not v_hold.counted) is not true or v_posting ? 'limitAccount' then
        return null;
      end if;
      v_holds[v_place].state := 'CAPTURED'; -- for the next posting that names it
      v_is_captured := false;
    end if;

    v_legs := v_posting -> 'legs';
    for v_number in 1 .. coalesce(jsonb_array_length(v_legs), 0) loop
      v_leg := v_legs -> (v_number - 1);
      v_amount := (v_leg ->> 'amount')::bigint;
      v_place := array_position(v_ids, (v_leg ->> 'account')::bigint);
      v_account := p_accounts[v_place];
      -- The account is known, named once, of this currency, and has the money or room for it. A hold's account pays out of the hold.
      if (v_named_by[v_place] is distinct from i and v_account.currency = v_transaction.currency
          and case when v_amount > 0 then ledger.can_take(v_account, v_amount)
            else v_account.id = v_hold.account_id or ledger.can_pay(v_account, -v_amount) end) is not true then
        return null;
      end if;
      if v_account.status <> 'Enabled' then
        if ledger.status_refusal(v_account, v_amount) is not null then return null; end if;
      end if;
      if v_holders is not null then
        if v_posting ->> 'limitAccount' = v_account.id::text then
          v_holder := array_position(v_holders, v_account.holder_id);
          v_spent[v_holder] := v_spent[v_holder] - v_amount;
          if v_spent[v_holder] > coalesce(v_account.daily_limit, (v_posting ->> 'defaultDailyLimit')::bigint) then return null; end if;
        end if;
      end if;
      -- The capture frees the whole hold: what the legs leave of it can be spent again.
      if v_account.id = v_hold.account_id and v_amount < 0 then
        if v_hold.amount + v_amount < 0 or v_account.lock_mode <> 'strict' then return null; end if;
        v_account.suspended := v_account.suspended - v_hold.amount;
        v_is_captured := true;
      end if;

      v_named_by[v_place] := i;
      if v_account.lock_mode = 'strict' then
        v_account.posted := v_account.posted + v_amount;
        v_account.version := v_account.version + 1;
        p_accounts[v_place] := v_account;
        v_entry := row(v_transaction.id, v_number, v_account.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), v_account.version,
          v_account.posted - v_amount, v_account.posted, v_day, p_now)::ledger.entry;
      else
        v_deltas[v_place] := coalesce(v_deltas[v_place], 0) + v_amount;
        v_entry := row(v_transaction.id, v_number, v_account.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), null,
          null, null, v_day, p_now)::ledger.entry;
      end if;
      v_entries := v_entries || v_entry;
      v_answer := v_answer || jsonb_build_object('account', v_account.id, 'amount', v_amount::text, 'opening', v_entry.opening::text,
        'closing', v_entry.closing::text);
      if v_account.emits then v_events := v_events || ledger.movement_event(v_account, v_entry, v_transaction); end if;
    end loop;
    if v_answer = '[]' or v_hold.id is not null and not v_is_captured then return null; end if;
    v_answers[i] := v_answer;
  end loop;

  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    select (n.e).* from (select unnest(v_entries) as e offset 0) n;
  if v_holds is null then
    update ledger.account a set posted = (n.a).posted, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where a.id = (n.a).id and (n.a).lock_mode = 'strict';
  else
    update ledger.hold h set state = 'CAPTURED', closed_at = p_now where h.id = any (v_hold_ids);
    update ledger.account a
       set posted = (n.a).posted, suspended = (n.a).suspended, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where a.id = (n.a).id and (n.a).lock_mode = 'strict';
  end if;
  if v_holders is not null then
    update ledger.spending s set spent = u.spent, day = v_day
      from unnest(v_holders, v_spent) u (holder, spent) where s.holder_id = u.holder;
  end if;
  if v_deltas is not null then
    insert into ledger.deferred_delta (account_id, amount)
      select v_ids[s.k], v_deltas[s.k] from generate_subscripts(v_deltas, 1) s (k) where v_deltas[s.k] is not null;
  end if;
  if v_events is not null then perform outbox.emit_all(v_events); end if;
  return v_answers;
end $$;
