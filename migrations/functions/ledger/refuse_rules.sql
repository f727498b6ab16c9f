-- The server changes the rules of wallets alone, and an account that is closed stays closed.
create or replace function ledger.refuse_rules() returns trigger language plpgsql as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  raise exception 'the rules of this account are never changed' using errcode = 'PT002';
end $$;

create or replace trigger account_rules before update of status, closed_at, daily_limit, liens on ledger.account for each row
  when ((old.kind <> 'WALLET' and (new.status, new.closed_at, new.daily_limit, new.liens)
           is distinct from (old.status, old.closed_at, old.daily_limit, old.liens))
        or (old.closed_at is not null and new.closed_at is distinct from old.closed_at))
  execute function ledger.refuse_rules();
