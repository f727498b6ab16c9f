-- Makes all processes forget at once what they remember of partners and their keys (src/lib/postgres/caches.ts), which is less than a
-- second
-- old. Only what changes or ends a credential notifies, never a login: a transaction that notifies waits at its commit for all others
-- that do.
create or replace function partners.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'partners');
  return null;
end $$;

create or replace trigger notify_change after insert or delete or update on partners.api_key for each row
  execute function partners.notify_change();

create or replace trigger notify_change after delete or update on partners.partner for each row execute function partners.notify_change();
