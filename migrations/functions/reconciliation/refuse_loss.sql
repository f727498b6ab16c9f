-- What a bank says stays. Only an item of a posting alone is deleted, once a line of the bank matches it.
create or replace function reconciliation.refuse_loss() returns trigger language plpgsql as $$
begin
  if old.line is not null then raise exception 'a line of a bank is never deleted'; end if;
  return old;
end $$;

create or replace trigger item_stays before delete on reconciliation.item for each row execute function reconciliation.refuse_loss();
