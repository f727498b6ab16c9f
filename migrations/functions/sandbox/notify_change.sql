-- Makes all processes forget at once whose answers are disturbed (src/lib/postgres/caches.ts).
create or replace function sandbox.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'sandbox');
  return null;
end $$;

create or replace trigger notify_change after insert or delete or update on sandbox.disturbance for each statement
  execute function sandbox.notify_change();
