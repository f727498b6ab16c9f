-- Processes keep in memory, for less than a second, what callers are authenticated by. These tell them what to forget at once
-- (src/lib/postgres/caches.ts). Only what ends or changes something is told, never a login: whoever notifies waits at their commit for
-- all others who do.
create or replace function partners.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'partners');
  return null;
end $$;

create or replace trigger notify_change after insert or delete or update on partners.api_key for each row
  execute function partners.notify_change();

create or replace trigger notify_change after delete or update on partners.partner for each row execute function partners.notify_change();
