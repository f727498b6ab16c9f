-- Disputes of transactions.

-- A lien that is held for something else, e.g. a dispute, is lifted by that alone.
alter table ledger.lien add column held_for text;
--> statement-breakpoint
CREATE SCHEMA "disputes";
--> statement-breakpoint
CREATE TABLE "disputes"."dispute" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"transaction_id" bigint NOT NULL,
	"partner_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	"account_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'OPEN' NOT NULL,
	"reason" text NOT NULL,
	"lien_id" bigint NOT NULL,
	"respond_by" timestamp (3) with time zone NOT NULL,
	"refund_id" bigint,
	"decision" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expired_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "dispute_amount" CHECK ("disputes"."dispute"."amount" > 0),
	CONSTRAINT "dispute_state" CHECK ("disputes"."dispute"."state" in ('OPEN', 'EXPIRED', 'WON', 'LOST')),
	CONSTRAINT "dispute_expired" CHECK (case "disputes"."dispute"."state" when 'OPEN' then "disputes"."dispute"."expired_at" is null when 'EXPIRED' then "disputes"."dispute"."expired_at" is not null else true end),
	CONSTRAINT "dispute_decided" CHECK (num_nonnulls("disputes"."dispute"."decided_at", "disputes"."dispute"."decision") = case when "disputes"."dispute"."state" in ('WON', 'LOST') then 2 else 0 end),
	CONSTRAINT "dispute_refunded" CHECK ("disputes"."dispute"."refund_id" is null or "disputes"."dispute"."state" = 'LOST')
);
--> statement-breakpoint
CREATE TABLE "disputes"."evidence" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "disputes"."evidence_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"dispute_id" uuid NOT NULL,
	"by" text NOT NULL,
	"said_sealed" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "evidence_by" CHECK ("disputes"."evidence"."by" in ('OPERATOR', 'PARTNER'))
);
--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_transaction_id_transaction_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_wallet_partner_wallet_reference_fk" FOREIGN KEY ("wallet") REFERENCES "wallets"."partner_wallet"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_lien_id_lien_id_fk" FOREIGN KEY ("lien_id") REFERENCES "ledger"."lien"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_refund_id_transaction_id_fk" FOREIGN KEY ("refund_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes"."evidence" ADD CONSTRAINT "evidence_dispute_id_dispute_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "disputes"."dispute"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_undecided" ON "disputes"."dispute" USING btree ("transaction_id") WHERE "disputes"."dispute"."state" in ('OPEN', 'EXPIRED');--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_lien" ON "disputes"."dispute" USING btree ("lien_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_refund" ON "disputes"."dispute" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "dispute_due" ON "disputes"."dispute" USING btree ("respond_by") WHERE "disputes"."dispute"."state" = 'OPEN';--> statement-breakpoint
CREATE INDEX "dispute_partner" ON "disputes"."dispute" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "dispute_wallet" ON "disputes"."dispute" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "evidence_dispute" ON "disputes"."evidence" USING btree ("dispute_id","id");
--> statement-breakpoint
-- Disputes are told to those endpoints that name their events, each with an event of its own.
create or replace function webhooks.is_for_one(p_event text) returns boolean language sql immutable as $$
  select p_event in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed',
    'dispute.opened', 'dispute.expired', 'dispute.decided')
$$;
