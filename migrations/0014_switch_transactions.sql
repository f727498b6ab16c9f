CREATE SCHEMA "transactions";
--> statement-breakpoint
CREATE TABLE "transactions"."switch_transaction" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"reference" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"sender_app_id" uuid NOT NULL,
	"receiver_app_id" uuid NOT NULL,
	"sender_tag" text NOT NULL,
	"receiver_tag" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'AWAITING_ACCEPTANCE' NOT NULL,
	"code" text,
	"narration" text,
	"hold_id" bigint,
	"posting_id" bigint,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"rejected_at" timestamp (3) with time zone,
	"rejection_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "switch_transaction_reference" UNIQUE("sender_app_id","reference"),
	CONSTRAINT "switch_transaction_amount" CHECK ("transactions"."switch_transaction"."amount" > 0 and "transactions"."switch_transaction"."fee" >= 0),
	CONSTRAINT "switch_transaction_currency" CHECK ("transactions"."switch_transaction"."currency" in ('NGN', 'FP')),
	CONSTRAINT "switch_transaction_status" CHECK ("transactions"."switch_transaction"."status" in ('AWAITING_ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED')),
	CONSTRAINT "switch_transaction_declined" CHECK (("transactions"."switch_transaction"."status" = 'DECLINED') = ("transactions"."switch_transaction"."code" is not null)),
	CONSTRAINT "switch_transaction_accepted" CHECK (("transactions"."switch_transaction"."status" = 'ACCEPTED') = ("transactions"."switch_transaction"."accepted_at" is not null)),
	CONSTRAINT "switch_transaction_rejected" CHECK (("transactions"."switch_transaction"."status" = 'REJECTED') = ("transactions"."switch_transaction"."rejected_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "transactions"."switch_transaction" ADD CONSTRAINT "switch_transaction_sender_app_id_application_id_fk" FOREIGN KEY ("sender_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions"."switch_transaction" ADD CONSTRAINT "switch_transaction_receiver_app_id_application_id_fk" FOREIGN KEY ("receiver_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions"."switch_transaction" ADD CONSTRAINT "switch_transaction_hold_id_hold_id_fk" FOREIGN KEY ("hold_id") REFERENCES "ledger"."hold"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions"."switch_transaction" ADD CONSTRAINT "switch_transaction_posting_id_transaction_id_fk" FOREIGN KEY ("posting_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "switch_transaction_pending" ON "transactions"."switch_transaction" USING btree ("receiver_app_id","created_at","id") WHERE "transactions"."switch_transaction"."status" = 'AWAITING_ACCEPTANCE';--> statement-breakpoint
CREATE INDEX "switch_transaction_due" ON "transactions"."switch_transaction" USING btree ("expires_at") WHERE "transactions"."switch_transaction"."status" = 'AWAITING_ACCEPTANCE';--> statement-breakpoint
CREATE INDEX "event_reference" ON "outbox"."event" USING btree ("receiver_id","reference");