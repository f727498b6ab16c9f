create or replace function ledger.settle_pending(p_transaction bigint, p_account bigint default null, p_now timestamptz default null)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t ledger.transaction;
  a ledger.account;
  w ledger.entry;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into t from ledger.transaction where id = p_transaction for no key update skip locked;
  if t.id is null then return 'Pending'; end if;
  -- Whoever found it waiting did so before another session settled or returned it: nothing is done here, and nothing is to be told.
  if t.status <> 'Pending' then return case when p_account is null then 'Pending' else t.status end; end if;
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
