-- What operators look for: what was refused (of a wallet too), what is held, and any reference.
DROP INDEX "ledger"."transaction_failed";--> statement-breakpoint
CREATE INDEX "transaction_refused" ON "ledger"."transaction" USING btree ("id") WHERE "ledger"."transaction"."status" in ('Failed', 'Voided');--> statement-breakpoint
CREATE INDEX "transaction_refused_source" ON "ledger"."transaction" USING btree ("source_id","id") WHERE "ledger"."transaction"."status" in ('Failed', 'Voided');--> statement-breakpoint
CREATE INDEX "transaction_refused_destination" ON "ledger"."transaction" USING btree ("destination_id","id") WHERE "ledger"."transaction"."status" in ('Failed', 'Voided');--> statement-breakpoint
CREATE INDEX "transaction_held" ON "ledger"."transaction" USING btree ("id") WHERE "ledger"."transaction"."status" = 'Held';--> statement-breakpoint
CREATE INDEX "transaction_external" ON "ledger"."transaction" USING btree ("external_reference","id") WHERE "ledger"."transaction"."external_reference" is not null;--> statement-breakpoint
CREATE INDEX "hold_open_of_account" ON "ledger"."hold" USING btree ("account_id","id") WHERE "ledger"."hold"."state" = 'OPEN';
