CREATE SCHEMA "operators";
--> statement-breakpoint
CREATE TABLE "operators"."operator" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"token_digest" "bytea" NOT NULL,
	"token_expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_token_digest_unique" UNIQUE("token_digest"),
	CONSTRAINT "operator_role" CHECK ("operators"."operator"."role" in ('viewer', 'support', 'finance', 'admin')),
	CONSTRAINT "operator_status" CHECK ("operators"."operator"."status" in ('ACTIVE', 'DISABLED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "operator_name" ON "operators"."operator" USING btree (lower("name"));
