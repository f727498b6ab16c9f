-- Lists are read by walking along an index. What a filter finds among very many rows has one of its own, where those rows are few
-- or seldom written: failed deliveries, money in suspense, the audit log.
CREATE INDEX "delivery_failed_newest" ON "webhooks"."delivery" USING btree ("receiver_id","id") WHERE "webhooks"."delivery"."status" = 'FAILED';--> statement-breakpoint
CREATE INDEX "delivery_failed_all" ON "webhooks"."delivery" USING btree ("id") WHERE "webhooks"."delivery"."status" = 'FAILED';--> statement-breakpoint
CREATE INDEX "transaction_pending_oldest" ON "ledger"."transaction" USING btree ("id") WHERE "ledger"."transaction"."status" = 'Pending';--> statement-breakpoint
DROP INDEX "wallets"."wallet_partner";--> statement-breakpoint
CREATE INDEX "wallet_partner" ON "wallets"."partner_wallet" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "wallet_customer" ON "wallets"."partner_wallet" USING btree ("customer_id","id") WHERE "wallets"."partner_wallet"."customer_id" is not null;--> statement-breakpoint
DROP INDEX "audit"."audit_target";--> statement-breakpoint
CREATE INDEX "audit_target" ON "audit"."entry" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit"."entry" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit"."entry" USING btree (split_part("actor", ' ', 1),"id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit"."entry" USING btree ("at","id");--> statement-breakpoint
DROP INDEX "tag_transactions"."tag_transaction_pending";--> statement-breakpoint
CREATE INDEX "tag_transaction_pending" ON "tag_transactions"."tag_transaction" USING btree ("receiver_app_id","created_at","id","expires_at") WHERE "tag_transactions"."tag_transaction"."status" = 'AWAITING_ACCEPTANCE';
