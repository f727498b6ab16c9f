-- Servers from 0109 on work with it.
-- Letters to the contacts of partners and applications, with links that show new secrets once. That an approval was given by somebody
-- else than asked could be left out: a null passed the check.
CREATE SCHEMA "letters";
--> statement-breakpoint
CREATE TABLE "letters"."letter" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"facts" jsonb NOT NULL,
	"recipient_sealed" "bytea",
	"address_digest" "bytea" NOT NULL,
	"happened_at" timestamp (3) with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"link_until" timestamp (3) with time zone,
	"token_digest" "bytea",
	"secret_sealed" "bytea",
	"opened_at" timestamp (3) with time zone,
	"cause" uuid,
	CONSTRAINT "letter_token_digest_unique" UNIQUE("token_digest"),
	CONSTRAINT "letter_cause_unique" UNIQUE("cause"),
	CONSTRAINT "letter_owner_kind" CHECK ("letters"."letter"."owner_kind" in ('PARTNER', 'APPLICATION')),
	CONSTRAINT "letter_kind" CHECK ("letters"."letter"."kind" in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET', 'PARTNER_CHANGED', 'MONEY_FREED', 'LIMIT_LIFTED')),
	CONSTRAINT "letter_due" CHECK (("letters"."letter"."due_at" is null) = ("letters"."letter"."recipient_sealed" is null)),
	CONSTRAINT "letter_link" CHECK (case when "letters"."letter"."link_until" is null then num_nonnulls("letters"."letter"."token_digest", "letters"."letter"."secret_sealed", "letters"."letter"."opened_at") = 0
            else "letters"."letter"."kind" in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET') end),
	CONSTRAINT "letter_opened" CHECK ("letters"."letter"."opened_at" is null or "letters"."letter"."secret_sealed" is null)
);
--> statement-breakpoint
CREATE TABLE "letters"."proven_contact" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"address_digest" "bytea" NOT NULL,
	"proven_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "approvals"."approval" DROP CONSTRAINT "approval_four_eyes";--> statement-breakpoint
ALTER TABLE "notices"."notice" DROP CONSTRAINT "notice_kind";--> statement-breakpoint
CREATE INDEX "letter_due_at" ON "letters"."letter" USING btree ("due_at") WHERE "letters"."letter"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "letter_owner" ON "letters"."letter" USING btree ("owner_id","happened_at");--> statement-breakpoint
CREATE INDEX "letter_happened" ON "letters"."letter" USING btree ("happened_at");--> statement-breakpoint
CREATE INDEX "letter_kept" ON "letters"."letter" USING btree ("link_until") WHERE "letters"."letter"."secret_sealed" is not null;--> statement-breakpoint
ALTER TABLE "approvals"."approval" ADD CONSTRAINT "approval_four_eyes" CHECK ("approvals"."approval"."status" not in ('APPROVED', 'EXECUTED', 'FAILED') or coalesce("approvals"."approval"."decided_by" <> "approvals"."approval"."requested_by", false)) NOT VALID;--> statement-breakpoint
ALTER TABLE "notices"."notice" ADD CONSTRAINT "notice_kind" CHECK ("notices"."notice"."kind" in ('CREATED', 'LINKED', 'FIRST_LOGIN', 'PASSWORD_RESET', 'CONTACT_CHANGE', 'CONTACT_CHANGE_CANCELLED', 'RELEASED')) NOT VALID;