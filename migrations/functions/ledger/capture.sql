-- The second step: what is held leaves its source for its destination, with the charges, whatever the state of the account is by
-- now: the money has left already. Answers the transaction's status: Successful, or what it had become before.
create or replace function ledger.capture(p_transaction bigint, p_now timestamptz default null) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  t ledger.transaction;
  h ledger.hold;
  a ledger.account;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction where id = p_transaction for no key update;
  if t.status <> 'Held' then return t.status; end if;
  select * into strict h from ledger.hold where id = t.hold_id for no key update;
  select * into strict a from ledger.account where id = t.source_id for no key update;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  update ledger.hold set state = 'CAPTURED', closed_at = v_now where id = h.id;
  update ledger.account set suspended = suspended - h.amount where id = a.id;
  perform ledger.write_legs(t, (
    select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount, 'fee', l.fee) order by l.place)
    from (
      select 1 as place, t.source_id as account, -h.amount as amount, h.amount - t.amount as fee
      union all select 2, t.destination_id, t.amount, 0
      union all select 3, x.id, c.amount, 0
        from (values ('FEE', t.fee), ('COMMISSION', t.commission), ('STAMP_DUTY', t.stamp_duty)) c(kind, amount)
          join ledger.account x on x.kind = c.kind and x.reference = lower(c.kind) and x.currency = t.currency
        where c.amount > 0) l), 1, v_now);
  return t.status;
end $$;
