-- In the sandbox a caller marks time forward for what is theirs. The server may not change when an offer or a split expires, so
-- these do it for the server, and refuse in a database that is stamped live.
create or replace function tag_transactions.bring_forward(p_application uuid, p_counterpart uuid, p_seconds int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moved integer;
begin
  if exists (select from installation.stamp where environment = 'live') then
    raise exception 'time is not brought forward in live';
  end if;
  update tag_transactions.tag_transaction
     set expires_at = expires_at - make_interval(secs => greatest(p_seconds, 0))
   where status = 'AWAITING_ACCEPTANCE'
     and (sender_app_id = p_application or (receiver_app_id = p_application and sender_app_id = p_counterpart));
  get diagnostics moved = row_count;
  return moved;
end $$;
