-- Lets splits of the caller expire earlier, in the sandbox, and answers how many. The server may not change when one expires, so this does
-- it with the owner's rights, and refuses in a database that is stamped live.
create or replace function terminals.bring_forward(p_partner uuid, p_seconds int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_moved int;
begin
  if exists (select from installation.stamp where environment = 'live') then
    raise exception 'time is not brought forward in live';
  end if;
  update terminals.split
     set expires_at = expires_at - make_interval(secs => greatest(p_seconds, 0))
   where status = 'Pending' and total_paid = 0 and expires_at is not null
     and terminal_id in (select id from terminals.terminal where partner_id = p_partner);
  get diagnostics v_moved = row_count;
  return v_moved;
end $$;
