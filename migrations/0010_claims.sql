CREATE SCHEMA "claims";
--> statement-breakpoint
CREATE TABLE "claims"."claim" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"tag_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"requested_by_app_id" uuid NOT NULL,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"token_digest" "bytea" NOT NULL,
	"token_sealed" "bytea",
	"token_expires_at" timestamp (3) with time zone NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"owner_confirmed_at" timestamp (3) with time zone,
	"owner_confirmed_by" text,
	"proof_attempts" smallint DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "claim_token_digest_unique" UNIQUE("token_digest"),
	CONSTRAINT "claim_state" CHECK ("claims"."claim"."state" in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'REVOKED')),
	CONSTRAINT "claim_token_shown" CHECK (("claims"."claim"."token_sealed" is not null) = ("claims"."claim"."state" = 'PENDING')),
	CONSTRAINT "claim_approved" CHECK (("claims"."claim"."approved_at" is not null) = ("claims"."claim"."state" in ('APPROVED', 'REVOKED'))),
	CONSTRAINT "claim_revoked" CHECK (("claims"."claim"."revoked_at" is not null) = ("claims"."claim"."state" = 'REVOKED')),
	CONSTRAINT "claim_owner_confirmed" CHECK (("claims"."claim"."owner_confirmed_at" is null) = ("claims"."claim"."owner_confirmed_by" is null)),
	CONSTRAINT "claim_owner_confirmed_by" CHECK ("claims"."claim"."owner_confirmed_by" in ('PASSWORD', 'OTP')),
	CONSTRAINT "claim_proof_attempts" CHECK ("claims"."claim"."proof_attempts" between 0 and 5)
);
--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD CONSTRAINT "claim_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD CONSTRAINT "claim_subject_id_subject_id_fk" FOREIGN KEY ("subject_id") REFERENCES "applications"."subject"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD CONSTRAINT "claim_requested_by_app_id_application_id_fk" FOREIGN KEY ("requested_by_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "claim_open" ON "claims"."claim" USING btree ("tag_id","subject_id","requested_by_app_id") WHERE "claims"."claim"."state" in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX "claim_tag" ON "claims"."claim" USING btree ("tag_id","id");--> statement-breakpoint
CREATE INDEX "claim_due" ON "claims"."claim" USING btree ("token_expires_at") WHERE "claims"."claim"."state" = 'PENDING';