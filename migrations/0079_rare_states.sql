-- Outside a transaction.
-- Servers from 0058 on work with it.
-- What operators list by a state that few rows are in: wallets that are restricted, tags out of use, claims that wait.
create index concurrently if not exists "claim_pending" on "claims"."claim" using btree ("id") where "claims"."claim"."state" = 'PENDING';--> statement-breakpoint
create index concurrently if not exists "account_restricted" on "ledger"."account" using btree ("status", "id") where "ledger"."account"."status" <> 'Enabled';--> statement-breakpoint
create index concurrently if not exists "tag_out_of_use" on "tags"."tag" using btree ("id") where "tags"."tag"."status" <> 'ACTIVE' and "tags"."tag"."released_at" is null;
