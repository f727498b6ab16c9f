CREATE SCHEMA "federations";
--> statement-breakpoint
CREATE TABLE "federations"."federation" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"primary_tag_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "federation_primary_tag_id_unique" UNIQUE("primary_tag_id"),
	CONSTRAINT "federation_primary" UNIQUE("id","primary_tag_id")
);
--> statement-breakpoint
CREATE TABLE "federations"."link" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"federation_id" uuid NOT NULL,
	"primary_tag_id" uuid NOT NULL,
	"linked_tag_id" uuid NOT NULL,
	"primary_app_id" uuid NOT NULL,
	"linked_app_id" uuid NOT NULL,
	"method" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"token_digest" "bytea",
	"failures" smallint DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"verified_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_status" CHECK ("federations"."link"."status" in ('PENDING', 'VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED')),
	CONSTRAINT "link_method" CHECK ("federations"."link"."method" in ('OTP', 'CONSENT', 'ATTESTATION')),
	CONSTRAINT "link_two_tags" CHECK ("federations"."link"."primary_tag_id" <> "federations"."link"."linked_tag_id"),
	CONSTRAINT "link_token" CHECK (("federations"."link"."token_digest" is not null) = ("federations"."link"."status" = 'PENDING' and "federations"."link"."method" = 'OTP')),
	CONSTRAINT "link_failures" CHECK ("federations"."link"."failures" between 0 and 5),
	CONSTRAINT "link_verified_by" CHECK (("federations"."link"."verified_at" is null) = ("federations"."link"."verified_by" is null)),
	CONSTRAINT "link_verified" CHECK (case "federations"."link"."status" when 'VERIFIED' then "federations"."link"."verified_at" is not null
            when 'REVOKED' then true else "federations"."link"."verified_at" is null end)
);
--> statement-breakpoint
ALTER TABLE "federations"."federation" ADD CONSTRAINT "federation_primary_tag_id_tag_id_fk" FOREIGN KEY ("primary_tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_linked_tag_id_tag_id_fk" FOREIGN KEY ("linked_tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_primary_app_id_application_id_fk" FOREIGN KEY ("primary_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_linked_app_id_application_id_fk" FOREIGN KEY ("linked_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_federation" FOREIGN KEY ("federation_id","primary_tag_id") REFERENCES "federations"."federation"("id","primary_tag_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "link_open" ON "federations"."link" USING btree (least("primary_tag_id", "linked_tag_id"),greatest("primary_tag_id", "linked_tag_id")) WHERE "federations"."link"."status" in ('PENDING', 'VERIFIED');--> statement-breakpoint
CREATE INDEX "link_gathered" ON "federations"."link" USING btree ("federation_id","id");--> statement-breakpoint
CREATE INDEX "link_open_primary" ON "federations"."link" USING btree ("primary_tag_id") WHERE "federations"."link"."status" in ('PENDING', 'VERIFIED');--> statement-breakpoint
CREATE INDEX "link_open_linked" ON "federations"."link" USING btree ("linked_tag_id") WHERE "federations"."link"."status" in ('PENDING', 'VERIFIED');--> statement-breakpoint
CREATE INDEX "link_due" ON "federations"."link" USING btree ("expires_at") WHERE "federations"."link"."status" = 'PENDING';