-- An account is opened empty: what is on it comes by postings. The server opens accounts of wallets, partners and applications, none of
-- which goes below zero; any other is the owner's to open.
create or replace function ledger.refuse_opening() returns trigger language plpgsql as $$
begin
  if new.posted <> 0 or new.suspended <> 0 or new.liens <> 0 or new.version <> 0 then
    raise exception 'an account is opened empty' using errcode = 'PT002';
  end if;
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  if new.kind not in ('WALLET', 'FLOAT', 'APPLICATION') or new.floor is distinct from 0 or new.lock_mode <> 'strict'
      or new.status <> 'Enabled' or new.moved_at is not null then
    raise exception 'an account of this kind is the owner''s to open' using errcode = 'PT002';
  end if;
  return new;
end $$;

create or replace trigger account_opened_empty before insert on ledger.account for each row execute function ledger.refuse_opening();
