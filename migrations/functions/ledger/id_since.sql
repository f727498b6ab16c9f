-- The id from which on transactions are of a time after `p_at`, give or take a minute: a smaller id is of a time before p_at plus a
-- minute, this one and greater ones are of a time after p_at less a minute. Found by halving, so it reads a few rows by their ids.
--
-- Times rise with ids but for that minute: an id is given as a posting begins, its time is read after the locks, and a database
-- transaction lasts no longer.
create or replace function ledger.id_since(p_at timestamptz) returns bigint language plpgsql stable as $$
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
