-- Processes keep in memory, for less than a second, what callers are authenticated by. These tell them what to forget at once
-- (src/lib/caches.ts). Only what ends or changes something is told, never a login: whoever notifies waits at their commit for
-- all others who do.
create function partners.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'partners');
  return null;
end $$;
--> statement-breakpoint
create trigger notify_change after update or delete on partners.partner
  for each row execute function partners.notify_change();
--> statement-breakpoint
create trigger notify_change after insert or update or delete on partners.api_key
  for each row execute function partners.notify_change();
--> statement-breakpoint
create function applications.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'applications');
  return null;
end $$;
--> statement-breakpoint
create trigger notify_change after update or delete on applications.application
  for each row execute function applications.notify_change();
--> statement-breakpoint
create function sessions.notify_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'sessions ' || old.id);
  return null;
end $$;
--> statement-breakpoint
create trigger notify_end after update of revoked_at on sessions.session
  for each row when (new.revoked_at is not null) execute function sessions.notify_end();
