-- What concerns a customer is found without reading what concerns all customers: who has paid them, and what was offered to their
-- PayTag or from it. Operators export and erase it.
CREATE INDEX "beneficiary_payee" ON "beneficiaries"."beneficiary" USING btree ("payee_id");
CREATE INDEX "tag_transaction_sender_tag" ON "tag_transactions"."tag_transaction" USING btree ("sender_tag");
CREATE INDEX "tag_transaction_receiver_tag" ON "tag_transactions"."tag_transaction" USING btree ("receiver_tag");
