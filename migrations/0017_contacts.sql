-- Which contacts of a customer are proven, changes of them under way, who knows a customer, and notices to customers.

CREATE SCHEMA "notices";
--> statement-breakpoint
CREATE TABLE "customers"."contact_change" (
	"customer_id" uuid NOT NULL,
	"contact" text NOT NULL,
	"value_sealed" "bytea" NOT NULL,
	"confirmed_at" timestamp (3) with time zone NOT NULL,
	"in_force_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_change_customer_id_contact_pk" PRIMARY KEY("customer_id","contact"),
	CONSTRAINT "contact_change_contact" CHECK ("customers"."contact_change"."contact" in ('phone', 'email'))
);
--> statement-breakpoint
CREATE TABLE "notices"."notice" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices"."notice_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" uuid NOT NULL,
	"partner_id" uuid,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"recipient_sealed" "bytea",
	"detail" text,
	"happened_at" timestamp (3) with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "notice_kind" CHECK ("notices"."notice"."kind" in ('CREATED', 'LINKED', 'FIRST_LOGIN', 'PASSWORD_RESET', 'CONTACT_CHANGE', 'CONTACT_CHANGE_CANCELLED')),
	CONSTRAINT "notice_channel" CHECK ("notices"."notice"."channel" in ('sms', 'email')),
	CONSTRAINT "notice_due" CHECK (("notices"."notice"."due_at" is null) = ("notices"."notice"."recipient_sealed" is null))
);
--> statement-breakpoint
ALTER TABLE "customers"."customer" ADD COLUMN "phone_proven_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers"."customer" ADD COLUMN "email_proven_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" DROP CONSTRAINT "creation_session_kind";--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD COLUMN "is_email_proven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD CONSTRAINT "creation_session_kind" CHECK (case "onboarding"."creation_session"."kind" when 'CREATION' then num_nulls("onboarding"."creation_session"."bvn_sealed", "onboarding"."creation_session"."date_of_birth_sealed") = 0
        when 'PASSWORD_RESET' then "onboarding"."creation_session"."customer_id" is not null
        when 'CONTACT_CHANGE' then "onboarding"."creation_session"."customer_id" is not null else false end);--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD COLUMN "known_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD COLUMN "proven_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers"."contact_change" ADD CONSTRAINT "contact_change_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices"."notice" ADD CONSTRAINT "notice_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices"."notice" ADD CONSTRAINT "notice_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_change_in_force" ON "customers"."contact_change" USING btree ("in_force_at");--> statement-breakpoint
CREATE INDEX "notice_due_at" ON "notices"."notice" USING btree ("due_at") WHERE "notices"."notice"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "notice_customer" ON "notices"."notice" USING btree ("customer_id","happened_at");--> statement-breakpoint
CREATE INDEX "notice_happened" ON "notices"."notice" USING btree ("happened_at");--> statement-breakpoint

-- No phone and no e-mail address was ever compared with the register, and a code that was given back shows no more than that
-- somebody had the phone that somebody named. So nothing on record is proven. Of a customer who exists the register is asked
-- when they next need a code; who can log in proves a contact by changing it. Sessions under way hold such contacts, and end.
UPDATE "onboarding"."creation_session" SET "expires_at" = least("expires_at", now()) WHERE "status" <> 'COMPLETED';--> statement-breakpoint

-- A partner knows whom it made, which was with the customer's first wallet, and who proved there who they are.
UPDATE "wallets"."partner_wallet" w SET "known_since" = f.since
  FROM (SELECT DISTINCT ON ("customer_id") "customer_id", "partner_id", "created_at" AS since FROM "wallets"."partner_wallet"
        WHERE "customer_id" IS NOT NULL ORDER BY "customer_id", "id") f
  WHERE w."customer_id" = f."customer_id" AND w."partner_id" = f."partner_id";--> statement-breakpoint
UPDATE "wallets"."partner_wallet" w SET "known_since" = least(w."known_since", p."since") FROM "sessions"."prior_login" p
  WHERE p."customer_id" = w."customer_id" AND p."partner_id" = w."partner_id";--> statement-breakpoint

-- Money sent to a PayTag goes on arriving where it did.
UPDATE "wallets"."partner_wallet" w SET "proven_at" = greatest(p."since", w."created_at") FROM "sessions"."prior_login" p
  WHERE p."customer_id" = w."customer_id" AND p."partner_id" = w."partner_id";--> statement-breakpoint
UPDATE "wallets"."partner_wallet" SET "proven_at" = "created_at" WHERE "is_primary";
