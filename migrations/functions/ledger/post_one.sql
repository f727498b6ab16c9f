-- Posts one posting whose reference was reserved as the transaction `p_id` and whose rows are locked. When the reference
-- was used before, `p_id` is null, and the answer is that of the earlier posting.
create or replace function ledger.post_one(p jsonb, p_id bigint, p_now timestamptz, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamptz, OUT entries jsonb)
returns record language plpgsql as $$
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
    -- What comes back counts no more: on the day on which it was spent, and where a later day counts by now, on none.
    if p ? 'reverses' and o.type in ('TRANSFER', 'PAYOUT') then
      update ledger.spending s set spent = s.spent - x.amount
        from (
          select a.holder_id, y.held_day as day, y.amount from ledger.hold y join ledger.account a on a.id = y.account_id
            where y.id = o.hold_id and y.counted
          union all
          select a.holder_id, e.business_date, -e.amount from ledger.entry e join ledger.account a on a.id = e.account_id
            where o.type = 'TRANSFER' and e.transaction_id = o.id and e.account_id = o.source_id and e.created_at = o.created_at) x
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
