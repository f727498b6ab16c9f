CREATE SCHEMA "statements";
--> statement-breakpoint
CREATE TABLE "statements"."requested" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statements"."requested_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reference" text NOT NULL,
	"wallet_id" bigint NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"format" text NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"mailed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "requested_reference_unique" UNIQUE("reference"),
	CONSTRAINT "requested_status" CHECK ("statements"."requested"."status" in ('Pending', 'Ready', 'Failed')),
	CONSTRAINT "requested_format" CHECK ("statements"."requested"."format" in ('pdf', 'csv', 'html')),
	CONSTRAINT "requested_due" CHECK ("statements"."requested"."status" <> 'Pending' or "statements"."requested"."due_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "statements"."requested" ADD CONSTRAINT "requested_wallet_id_partner_wallet_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "wallets"."partner_wallet"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requested_due_at" ON "statements"."requested" USING btree ("due_at") WHERE "statements"."requested"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "requested_created" ON "statements"."requested" USING btree ("created_at");