CREATE SCHEMA "approvals";
--> statement-breakpoint
CREATE TABLE "approvals"."approval" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"operation" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"digest" "bytea" NOT NULL,
	"input_sealed" "bytea",
	"amount" bigint,
	"requested_by" text NOT NULL,
	"requested_by_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_by" text,
	"decided_by_name" text,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"run_id" uuid,
	"run_until" timestamp (3) with time zone,
	"answer_sealed" "bytea",
	"error_code" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "approval_status" CHECK ("approvals"."approval"."status" in ('PENDING', 'APPROVED', 'EXECUTED', 'FAILED', 'REJECTED', 'EXPIRED')),
	CONSTRAINT "approval_four_eyes" CHECK ("approvals"."approval"."status" not in ('APPROVED', 'EXECUTED') or "approvals"."approval"."decided_by" <> "approvals"."approval"."requested_by")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "approval_pending" ON "approvals"."approval" USING btree ("digest") WHERE "approvals"."approval"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "approval_done" ON "approvals"."approval" USING btree ("digest") WHERE "approvals"."approval"."status" = 'EXECUTED';--> statement-breakpoint
CREATE INDEX "approval_due" ON "approvals"."approval" USING btree ("expires_at") WHERE "approvals"."approval"."status" = 'PENDING';
