-- What a provider said of a payout that cannot be true beside what it said before: for operators to find out.
ALTER TABLE "payouts"."payout" ADD COLUMN "contradiction" text;--> statement-breakpoint
ALTER TABLE "payouts"."payout" ADD CONSTRAINT "payout_contradiction" CHECK ("payouts"."payout"."contradiction" in ('NOT_FOUND', 'SUCCESSFUL', 'FAILED', 'REVERSED'));
--> statement-breakpoint
CREATE INDEX "payout_state_id" ON "payouts"."payout" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "payout_contradicted" ON "payouts"."payout" USING btree ("id") WHERE "payouts"."payout"."contradiction" is not null;
