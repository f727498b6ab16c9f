-- What the ledger guarantees against whoever writes to it: the legs of a posting sum to zero in each currency, and what
-- was written never changes.

create function ledger.refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from written w join ledger.account a on a.id = w.account_id
    group by w.transaction_id, a.currency having sum(w.amount) <> 0)
  then raise exception 'the legs of a posting must sum to zero' using errcode = 'PT001'; end if;
  return null;
end $$;

create trigger entry_balanced after insert on ledger.entry
  referencing new table as written for each statement execute function ledger.refuse_unbalanced();

create function ledger.refuse_change() returns trigger language plpgsql as $$
begin raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'PT002'; end $$;

create trigger entry_immutable before update or delete or truncate on ledger.entry
  for each statement execute function ledger.refuse_change();

-- The audit log gives the same guarantee.
create trigger entry_immutable before update or delete or truncate on audit.entry
  for each statement execute function ledger.refuse_change();
