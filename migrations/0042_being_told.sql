-- Episodes of receivers that do not take their deliveries, of which their owners are told; and what failed in them, which goes
-- out again once they are well.

CREATE TABLE "webhooks"."episode" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"receiver_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"detail" text,
	"well_since" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"tell_at" timestamp (3) with time zone,
	"tries" smallint DEFAULT 0 NOT NULL,
	"told_at" timestamp (3) with time zone,
	CONSTRAINT "episode_kind" CHECK ("webhooks"."episode"."kind" in ('FAILING', 'PAUSED', 'FAILED', 'BACKLOG'))
);
--> statement-breakpoint
CREATE TABLE "webhooks"."failure" (
	"delivery_id" uuid PRIMARY KEY NOT NULL,
	"receiver_id" uuid NOT NULL,
	"failed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "replay_of" uuid;--> statement-breakpoint
ALTER TABLE "webhooks"."episode" ADD CONSTRAINT "episode_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."failure" ADD CONSTRAINT "failure_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "webhooks"."delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."failure" ADD CONSTRAINT "failure_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD CONSTRAINT "delivery_replay_of_delivery_id_fk" FOREIGN KEY ("replay_of") REFERENCES "webhooks"."delivery"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "episode_open" ON "webhooks"."episode" USING btree ("receiver_id","kind") WHERE "webhooks"."episode"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "episode_to_tell" ON "webhooks"."episode" USING btree ("tell_at") WHERE "webhooks"."episode"."tell_at" is not null;--> statement-breakpoint
CREATE INDEX "episode_ended" ON "webhooks"."episode" USING btree ("ended_at") WHERE "webhooks"."episode"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "failure_receiver" ON "webhooks"."failure" USING btree ("receiver_id","delivery_id");--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_replayed_once" ON "webhooks"."delivery" USING btree ("event_id","receiver_id") WHERE "webhooks"."delivery"."replay_of" is not null;--> statement-breakpoint

-- Every delivery that has failed is noted in the transaction that says so, until it goes out again or nobody is to send it again.
-- Not what tells of deliveries itself, of whose failure nobody is told; and not what ended because its endpoint was deleted.
create function webhooks.note_failure() returns trigger language plpgsql as $$
begin
  insert into webhooks.failure (delivery_id, receiver_id)
  select new.id, new.receiver_id from outbox.event e
   where e.id = new.event_id
     and e.event not in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed');
  return null;
end $$;

create trigger note_failure after update of status on webhooks.delivery for each row
  when (old.status = 'PENDING' and new.status = 'FAILED' and new.last_error is distinct from 'endpoint deleted')
  execute function webhooks.note_failure();

--> statement-breakpoint
-- Who is told what becomes of a partner's webhooks.
ALTER TABLE "partners"."partner" ADD COLUMN "contact_email_sealed" "bytea";
