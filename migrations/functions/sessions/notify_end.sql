-- Makes all processes forget a session that was ended (src/lib/postgres/caches.ts).
create or replace function sessions.notify_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'sessions ' || old.id);
  return null;
end $$;

create or replace trigger notify_end after update of revoked_at on sessions.session for each row when (new.revoked_at is not null)
  execute function sessions.notify_end();
