-- What providers tell us of their own accord: stored as it came, once, and booked from here.

CREATE SCHEMA "inbox";
--> statement-breakpoint
CREATE TABLE "inbox"."message" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"provider" text NOT NULL,
	"origin" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"body_sealed" "bytea",
	"event" text,
	"kind" text,
	"reference" text,
	"amount" bigint,
	"currency" text,
	"outcome" text,
	"state" text DEFAULT 'RECEIVED' NOT NULL,
	"difference" text,
	"transaction_id" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"last_error" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "message_digest" UNIQUE("provider","digest"),
	CONSTRAINT "message_state" CHECK ("inbox"."message"."state" in ('RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED')),
	CONSTRAINT "message_origin" CHECK ("inbox"."message"."origin" in ('HOOK', 'COMPARISON')),
	CONSTRAINT "message_different" CHECK (("inbox"."message"."state" = 'DIFFERENT') = ("inbox"."message"."difference" is not null)),
	CONSTRAINT "message_due" CHECK ("inbox"."message"."state" <> 'RECEIVED' or "inbox"."message"."due_at" is not null),
	CONSTRAINT "message_ended" CHECK (("inbox"."message"."state" in ('BOOKED', 'IGNORED')) = ("inbox"."message"."ended_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "inbox"."message" ADD CONSTRAINT "message_transaction_id_transaction_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_due" ON "inbox"."message" USING btree ("due_at") WHERE "inbox"."message"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "message_open" ON "inbox"."message" USING btree ("id") WHERE "inbox"."message"."state" in ('RECEIVED', 'DIFFERENT');--> statement-breakpoint
CREATE INDEX "message_reference" ON "inbox"."message" USING btree ("reference") WHERE "inbox"."message"."reference" is not null;--> statement-breakpoint
CREATE INDEX "message_transaction" ON "inbox"."message" USING btree ("transaction_id") WHERE "inbox"."message"."transaction_id" is not null;
--> statement-breakpoint
CREATE SCHEMA "inbound_accounts";
--> statement-breakpoint
CREATE TABLE "inbound_accounts"."account" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" text NOT NULL,
	"partner_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"account_number_sealed" "bytea",
	"account_index" "bytea",
	"account_name_sealed" "bytea",
	"bank_name" text,
	"bank_code" text,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"assigned_at" timestamp (3) with time zone,
	CONSTRAINT "account_wallet" UNIQUE("wallet","provider"),
	CONSTRAINT "account_number" UNIQUE("account_index"),
	CONSTRAINT "account_assigned" CHECK (num_nonnulls("inbound_accounts"."account"."account_number_sealed", "inbound_accounts"."account"."account_index", "inbound_accounts"."account"."account_name_sealed", "inbound_accounts"."account"."bank_name", "inbound_accounts"."account"."bank_code", "inbound_accounts"."account"."assigned_at") in (0, 6))
);
--> statement-breakpoint
ALTER TABLE "inbound_accounts"."account" ADD CONSTRAINT "account_wallet_partner_wallet_reference_fk" FOREIGN KEY ("wallet") REFERENCES "wallets"."partner_wallet"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_accounts"."account" ADD CONSTRAINT "account_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_partner" ON "inbound_accounts"."account" USING btree ("partner_id","id");
--> statement-breakpoint
-- Where the money that providers collect for us enters the books, in the order of `systemAccount` of src/modules/ledger.
insert into ledger.account (id, kind, reference, currency, lock_mode) overriding system value
select 18 + row_number() over (order by c.place), 'CLEARING_COLLECTION', 'clearing_collection', c.currency, 'deferred'
from unnest(array['NGN', 'FP']) with ordinality c(currency, place);
--> statement-breakpoint
CREATE SCHEMA "rail_comparisons";
--> statement-breakpoint
CREATE TABLE "rail_comparisons"."comparison" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"actor" text NOT NULL,
	"their_count" integer NOT NULL,
	"their_amount" bigint NOT NULL,
	"our_count" integer NOT NULL,
	"our_amount" bigint NOT NULL,
	"differences" jsonb NOT NULL,
	"compared_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "comparison_day" ON "rail_comparisons"."comparison" USING btree ("provider","day","id");
