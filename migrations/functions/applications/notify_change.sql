-- Makes all processes forget at once what they remember of applications (src/lib/postgres/caches.ts), which is less than a second old.
create or replace function applications.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'applications');
  return null;
end $$;

create or replace trigger notify_change after delete or update on applications.application for each row
  execute function applications.notify_change();
