-- The rules of an account make sense. Judged when they are written, and not by each posting, as a constraint would be; the floor, which
-- a posting can break, is a constraint.
create or replace function ledger.refuse_unsound_account() returns trigger language plpgsql as $$
begin
  if (new.currency in ('NGN', 'FP') and new.lock_mode in ('strict', 'deferred') and new.status in ('Enabled', 'Blocked', 'PND', 'PNC')
      and (new.closed_at is null or new.status = 'Blocked') and new.suspended >= 0 and new.liens >= 0) is not true then
    raise exception 'this is no account' using errcode = 'check_violation', constraint = 'account_sound';
  end if;
  return new;
end $$;

create or replace trigger account_sound before insert or update of currency, lock_mode, status, closed_at, suspended, liens on ledger.account
  for each row execute function ledger.refuse_unsound_account();
