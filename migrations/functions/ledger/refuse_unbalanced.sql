-- The legs of a posting sum to zero in each currency, whoever writes them. Looks at each statement as a whole: all legs of a posting are
-- written by one.
create or replace function ledger.refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from written w join ledger.account a on a.id = w.account_id
    group by w.transaction_id, a.currency having sum(w.amount) <> 0)
  then raise exception 'the legs of a posting must sum to zero' using errcode = 'PT001'; end if;
  return null;
end $$;

create or replace trigger entry_balanced after insert on ledger.entry referencing new table as written for each statement
  execute function ledger.refuse_unbalanced();
