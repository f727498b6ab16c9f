-- The second step of a posting in two: what is held leaves its source for its destination, with the charges, whatever the state of the
-- account is by now, since the money has left already. Answers the transaction's status: Successful, or what it had become before.
--
-- Locks the transaction, its hold, and its source, in the order of ledger.post.
create or replace function ledger.capture(p_transaction bigint, p_now timestamptz default null) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  t ledger.transaction;
  v_hold ledger.hold;
  v_source ledger.account;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction x where x.id = p_transaction for no key update;
  -- Captured or voided before: nothing moves twice.
  if t.status <> 'Held' then return t.status; end if;
  select * into strict v_hold from ledger.hold h where h.id = t.hold_id for no key update;
  select * into strict v_source from ledger.account a where a.id = t.source_id for no key update;
  v_now := coalesce(p_now, greatest(v_source.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction x set status = 'Successful', completed_at = v_now where x.id = t.id returning * into t;
  update ledger.hold h set state = 'CAPTURED', closed_at = v_now where h.id = v_hold.id;
  update ledger.account a set suspended = a.suspended - v_hold.amount where a.id = v_source.id;
  -- The source pays what was held, charges included; each charge goes to its own account of ours.
  perform ledger.write_legs(t, (
    select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount, 'fee', l.fee) order by l.place)
    from (
      select 1 as place, t.source_id as account, -v_hold.amount as amount, v_hold.amount - t.amount as fee
      union all select 2, t.destination_id, t.amount, 0
      union all select 3, a.id, c.amount, 0
        from (values ('FEE', t.fee), ('COMMISSION', t.commission), ('STAMP_DUTY', t.stamp_duty)) c (kind, amount)
          join ledger.account a on a.kind = c.kind and a.reference = lower(c.kind) and a.currency = t.currency
        where c.amount > 0) l), 1, v_now);
  return t.status;
end $$;
