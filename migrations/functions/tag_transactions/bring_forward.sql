-- Lets offers of the caller expire earlier, in the sandbox, and answers how many. The server may not change when one expires, so this does
-- it with the owner's rights, and refuses in a database that is stamped live.
create or replace function tag_transactions.bring_forward(p_application uuid, p_counterpart uuid, p_seconds int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_moved int;
begin
  if exists (select from installation.stamp where environment = 'live') then
    raise exception 'time is not brought forward in live';
  end if;
  update tag_transactions.tag_transaction
     set expires_at = expires_at - make_interval(secs => greatest(p_seconds, 0))
   where status = 'AWAITING_ACCEPTANCE'
     and (sender_app_id = p_application or (receiver_app_id = p_application and sender_app_id = p_counterpart));
  get diagnostics v_moved = row_count;
  return v_moved;
end $$;
