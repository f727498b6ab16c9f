CREATE SCHEMA "sandbox";
--> statement-breakpoint
CREATE TABLE "sandbox"."hook_request" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."hook_request_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"message" text NOT NULL,
	"headers" jsonb NOT NULL,
	"body" text NOT NULL,
	"status" smallint NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "hook_request_mode" CHECK ("sandbox"."hook_request"."mode" in ('200', '500', 'slow', 'flaky'))
);
--> statement-breakpoint
CREATE INDEX "hook_request_newest" ON "sandbox"."hook_request" USING btree ("owner_id","id");
