-- Comparisons with one provider are walked along, the last one first.
CREATE INDEX "comparison_provider" ON "rail_comparisons"."comparison" USING btree ("provider","id");--> statement-breakpoint
-- A payout that counts as failed and was paid all the same: what took its money after all.
ALTER TABLE "payouts"."payout" ADD COLUMN "correction_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts"."payout" ADD CONSTRAINT "payout_correction_id_transaction_id_fk" FOREIGN KEY ("correction_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts"."payout" ADD CONSTRAINT "payout_corrected" CHECK ("payouts"."payout"."correction_id" is null or "payouts"."payout"."state" = 'FAILED');--> statement-breakpoint
CREATE UNIQUE INDEX "payout_correction" ON "payouts"."payout" USING btree ("correction_id") WHERE "payouts"."payout"."correction_id" is not null;--> statement-breakpoint
-- A message that does not agree with our books, and that an operator has closed as seen.
ALTER TABLE "inbox"."message" DROP CONSTRAINT "message_state";--> statement-breakpoint
ALTER TABLE "inbox"."message" DROP CONSTRAINT "message_different";--> statement-breakpoint
ALTER TABLE "inbox"."message" DROP CONSTRAINT "message_ended";--> statement-breakpoint
ALTER TABLE "inbox"."message" ADD CONSTRAINT "message_state" CHECK ("inbox"."message"."state" in ('RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED', 'DISMISSED'));--> statement-breakpoint
ALTER TABLE "inbox"."message" ADD CONSTRAINT "message_different" CHECK (("inbox"."message"."state" in ('DIFFERENT', 'DISMISSED')) = ("inbox"."message"."difference" is not null));--> statement-breakpoint
ALTER TABLE "inbox"."message" ADD CONSTRAINT "message_ended" CHECK (("inbox"."message"."state" in ('BOOKED', 'IGNORED', 'DISMISSED')) = ("inbox"."message"."ended_at" is not null));
