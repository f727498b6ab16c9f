-- What was refunded of a transaction before its dispute was opened does not count as given back because of it.
ALTER TABLE "disputes"."dispute" ADD COLUMN "refunded_before" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Of those that are there: what had been refunded by then.
update disputes.dispute d set refunded_before = (
  select coalesce(sum(r.amount), 0) from ledger.transaction r
    where r.original_id = d.transaction_id and r.type = 'PARTNER_REFUND' and r.status in ('Successful', 'Pending')
      and r.created_at < d.created_at);
--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ALTER COLUMN "refunded_before" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "disputes"."dispute" DROP CONSTRAINT "dispute_amount";--> statement-breakpoint
ALTER TABLE "disputes"."dispute" ADD CONSTRAINT "dispute_amount" CHECK ("disputes"."dispute"."amount" > 0 and "disputes"."dispute"."refunded_before" >= 0);
