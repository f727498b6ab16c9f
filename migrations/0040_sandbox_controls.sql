-- In the sandbox a caller marks time forward for what is theirs. The server may not change when an offer or a split expires, so
-- these do it for the server, and refuse in a database that is stamped live.
create function tag_transactions.bring_forward(p_application uuid, p_counterpart uuid, p_seconds integer)
returns integer language plpgsql as $$
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
--> statement-breakpoint
create function terminals.bring_forward(p_partner uuid, p_seconds integer)
returns integer language plpgsql as $$
declare
  moved integer;
begin
  if exists (select from installation.stamp where environment = 'live') then
    raise exception 'time is not brought forward in live';
  end if;
  update terminals.split
     set expires_at = expires_at - make_interval(secs => greatest(p_seconds, 0))
   where status = 'Pending' and total_paid = 0 and expires_at is not null
     and terminal_id in (select id from terminals.terminal where partner_id = p_partner);
  get diagnostics moved = row_count;
  return moved;
end $$;
--> statement-breakpoint
CREATE TABLE "sandbox"."disturbance" (
	"owner_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"answer" text NOT NULL,
	"delay_ms" integer NOT NULL,
	"times_left" smallint NOT NULL,
	CONSTRAINT "disturbance_owner_id_provider_pk" PRIMARY KEY("owner_id","provider"),
	CONSTRAINT "disturbance_provider" CHECK ("sandbox"."disturbance"."provider" in ('bvn', 'bank', 'messaging', 'email')),
	CONSTRAINT "disturbance_answer" CHECK ("sandbox"."disturbance"."answer" in ('fail', 'timeout', 'slow')),
	CONSTRAINT "disturbance_delay" CHECK ("sandbox"."disturbance"."delay_ms" between 0 and 10000),
	CONSTRAINT "disturbance_times" CHECK ("sandbox"."disturbance"."times_left" between 1 and 100)
);
--> statement-breakpoint
-- Processes keep in memory, for less than a second, whose answers are disturbed (src/lib/caches.ts).
create function sandbox.notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('paytag_changes', 'sandbox');
  return null;
end $$;
--> statement-breakpoint
create trigger notify_change after insert or update or delete on sandbox.disturbance
  for each statement execute function sandbox.notify_change();
--> statement-breakpoint
CREATE TABLE "sandbox"."counterpart" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"application_id" uuid NOT NULL,
	"tag" text NOT NULL,
	CONSTRAINT "counterpart_one_row" CHECK ("sandbox"."counterpart"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "sandbox"."counterpart" ADD CONSTRAINT "counterpart_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;
