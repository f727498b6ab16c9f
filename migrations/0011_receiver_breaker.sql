CREATE TABLE "outbox"."breaker" (
	"receiver_id" uuid PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"failing_since" timestamp (3) with time zone NOT NULL,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	"openings" integer DEFAULT 0 NOT NULL,
	"open_until" timestamp (3) with time zone,
	"probing" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox"."breaker" ADD CONSTRAINT "breaker_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;