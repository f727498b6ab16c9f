-- Posts one posting, of any kind, or refuses it. When its reference was used before (`t` is null) the answer is that of the earlier
-- posting.
--
-- Takes no lock: ledger.post has locked every row that this reads, and has reserved the reference as the transaction `t`.
create or replace function ledger.post_one(p_posting jsonb, t ledger.transaction, p_now timestamptz, out outcome text,
  out replayed boolean, out transaction_id bigint, out created_at timestamptz, out entries jsonb)
language plpgsql as $$
declare
  v_day constant date := ledger.business_day(p_now);
  v_original ledger.transaction;
  v_hold ledger.hold;
  v_remainder bigint;
  v_legs jsonb := p_posting -> 'legs';
  v_pending_reason text;
  v_code text;
begin
  if t.id is null then
    select again.* into outcome, replayed, transaction_id, created_at, entries from ledger.answer_again(p_posting) again;
    return;
  end if;
  select x.* into v_original from ledger.transaction x where x.id = (p_posting -> 'original')::bigint;
  select x.* into v_hold from ledger.hold x where x.id = (p_posting -> 'hold')::bigint;

  -- A refund of the remainder: how much that is, is known only now.
  if p_posting ? 'refundsRemainder' and v_original.refunded < v_original.amount then
    v_remainder := v_original.amount - v_original.refunded;
    select jsonb_agg(leg || jsonb_build_object('amount', sign((leg ->> 'amount')::bigint)::bigint * v_remainder)) into v_legs
      from jsonb_array_elements(v_legs) leg;
    p_posting := p_posting || jsonb_build_object('amount', v_remainder, 'legs', v_legs);
    update ledger.transaction x set amount = v_remainder where x.id = t.id;
  end if;
  -- A reversal: the caller read the entries before the lock, and what waited may have been settled since. It is asked again.
  if p_posting ? 'reverses' and exists (
      select from (select e.account_id as account, e.amount from ledger.entry e where e.transaction_id = v_original.id
                   union all select l.account, l.amount from jsonb_to_recordset(v_legs) l (account bigint, amount bigint)) x
        group by x.account having sum(x.amount) <> 0) then
    raise exception 'the original has got other entries meanwhile' using errcode = 'serialization_failure';
  end if;
  -- What cannot reach its account goes to the suspense account, with the reason.
  if p_posting ? 'suspenseAccount' then
    select coalesce(jsonb_agg(
             case when x.reason is null then x.leg else jsonb_set(x.leg, '{account}', p_posting -> 'suspenseAccount') end
             order by x.place), '[]'),
        min(x.reason)
      into v_legs, v_pending_reason
      from (select l.leg, l.place, case
              when p_posting ? 'pendingReason' and p_posting -> 'destination' = l.leg -> 'account' then p_posting ->> 'pendingReason'
              else ledger.parking_reason(a, (l.leg ->> 'amount')::bigint, t.currency, p_posting ? 'arrived') end as reason
              from jsonb_array_elements(v_legs) with ordinality l (leg, place)
              join ledger.account a on a.id = (l.leg ->> 'account')::bigint) x;
  end if;

  v_code := ledger.refusal(jsonb_set(p_posting, '{legs}', v_legs), v_original, v_hold, p_now);
  if v_code is not null then
    update ledger.transaction x set status = 'Failed', code = v_code, completed_at = null where x.id = t.id returning x.* into t;
  else
    if v_pending_reason is not null then
      update ledger.transaction x set status = 'Pending', pending_reason = v_pending_reason, completed_at = null where x.id = t.id;
    end if;
    select x.* into t from ledger.transaction x where x.id = t.id;

    -- The original is Reversed once all of it has gone back.
    update ledger.transaction x
       set refunded = x.refunded + t.amount,
           status = case when x.refunded + t.amount = x.amount then 'Reversed' else x.status end
     where x.id = v_original.id;
    if v_original.status = 'Pending' then -- a refund that never arrived gives nothing back any more
      update ledger.transaction x
         set refunded = x.refunded - v_original.amount, status = case x.status when 'Reversed' then 'Successful' else x.status end
       where x.id = v_original.original_id;
    end if;

    -- The capture frees the whole hold: what the legs leave of it can be spent again.
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = v_hold.id;
    update ledger.account a set suspended = a.suspended - v_hold.amount where a.id = v_hold.account_id;

    -- What is spent counts today; what was held counts on the day of its hold, as much of it as was taken.
    update ledger.spending s
       set spent = case
             when v_hold.id is null then ledger.spent_on(s, v_day) - l.amount
             when v_hold.counted and s.day = v_hold.held_day then s.spent - v_hold.amount - l.amount
             else s.spent end,
           day = case when v_hold.id is null then v_day else s.day end
      from jsonb_to_recordset(v_legs) l (account bigint, amount bigint) join ledger.account a on a.id = l.account
     where a.id = coalesce(v_hold.account_id, (p_posting -> 'limitAccount')::bigint) and s.holder_id = a.holder_id;
    -- What comes back counts no more: on the day on which it was spent, and where a later day counts by now, on none.
    if p_posting ? 'reverses' and v_original.type in ('TRANSFER', 'PAYOUT') then
      update ledger.spending s set spent = s.spent - x.amount
        from (
          select a.holder_id, h.held_day as day, h.amount from ledger.hold h join ledger.account a on a.id = h.account_id
           where h.id = v_original.hold_id and h.counted
          union all
          select a.holder_id, e.business_date, -e.amount from ledger.entry e join ledger.account a on a.id = e.account_id
           where v_original.type = 'TRANSFER' and e.transaction_id = v_original.id and e.account_id = v_original.source_id
             and e.created_at = v_original.created_at) x
       where s.holder_id = x.holder_id and s.day = x.day;
    end if;
    perform ledger.write_legs(t, v_legs, 1, p_now);
  end if;
  outcome := coalesce(v_code, t.status);
  replayed := false;
  transaction_id := t.id;
  created_at := t.created_at;
  entries := ledger.entries_of(t.id);
end $$;
