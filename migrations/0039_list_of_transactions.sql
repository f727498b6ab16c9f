-- The operator's list of all transactions is walked along by id, of one partner, of those that wait or were refused, and within times.
DROP INDEX "ledger"."transaction_partner";--> statement-breakpoint
CREATE INDEX "transaction_partner" ON "ledger"."transaction" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "transaction_failed" ON "ledger"."transaction" USING btree ("id") WHERE "ledger"."transaction"."status" = 'Failed';--> statement-breakpoint

-- Where p_at is in the order of ids: a smaller id is of a time before p_at plus a minute, this one and greater ones are of a time
-- after p_at less a minute. Times rise with ids but for that minute: an id is given as a posting begins, its time is read after
-- the locks, and a database transaction lasts no longer.
create function ledger.id_since(p_at timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := coalesce((select max(id) from ledger.transaction), 0) + 1;
  middle bigint;
  found record;
begin
  -- Everything below low is earlier; high and above is not.
  while low < high loop
    middle := low + (high - low) / 2;
    select id, created_at into found from ledger.transaction where id >= middle order by id limit 1;
    if found.id is null or found.id >= high then
      high := middle;
    elsif found.created_at < p_at then
      low := found.id + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;
