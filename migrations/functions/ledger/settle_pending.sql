-- Moves money that waits in suspense to its wallet, once that takes it and has room for it; or to `p_account`, where the operator says so.
-- Answers the transaction's status.
--
-- Locks the transaction, then the account. The caller may have the account locked already, against the order of ledger.post: so a
-- transaction that another session has locked is skipped, and answered Pending, and no one waits in a circle.
create or replace function ledger.settle_pending(p_transaction bigint, p_account bigint default null, p_now timestamptz default null)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t ledger.transaction;
  v_waiting ledger.entry;
  v_account ledger.account;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into t from ledger.transaction x where x.id = p_transaction for no key update skip locked;
  if t.id is null then return 'Pending'; end if;
  -- Another session has settled or returned it since it was found: nothing is done here, and the caller is not to report it.
  if t.status <> 'Pending' then return case when p_account is null then 'Pending' else t.status end; end if;
  select e.* into strict v_waiting from ledger.entry e join ledger.account s on s.id = e.account_id
   where e.transaction_id = t.id and s.kind = 'SUSPENSE' and e.amount > 0;
  select * into strict v_account from ledger.account a where a.id = coalesce(p_account, t.destination_id) for no key update;
  -- Only these reasons end by themselves. Any other is the operator's to resolve, who names the account.
  if (p_account is null and t.pending_reason not in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED'))
      or ledger.parking_reason(v_account, v_waiting.amount, t.currency, true) is not null then
    return t.status;
  end if;
  v_now := coalesce(p_now, greatest(v_account.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction x set status = 'Successful', completed_at = v_now where x.id = t.id returning * into t;
  perform ledger.write_legs(t, jsonb_build_array(
      jsonb_build_object('account', v_waiting.account_id, 'amount', -v_waiting.amount),
      jsonb_build_object('account', v_account.id, 'amount', v_waiting.amount, 'fee', v_waiting.fee)),
    (select count(*)::int + 1 from ledger.entry e where e.transaction_id = t.id), v_now);
  return t.status;
end $$;
