-- A customer whom the operator froze, whose BVN was handed back to its owner, or who was erased. A BVN that was given back or
-- erased is found by nobody: its rightful owner, or the same person anew, can onboard with it.
ALTER TABLE "customers"."customer" ADD COLUMN "frozen_at" timestamp (3) with time zone;
ALTER TABLE "customers"."customer" ADD COLUMN "bvn_handed_back_at" timestamp (3) with time zone;
ALTER TABLE "customers"."customer" ADD COLUMN "erased_at" timestamp (3) with time zone;
ALTER TABLE "customers"."customer" ALTER COLUMN "bvn_sealed" DROP NOT NULL;
ALTER TABLE "customers"."customer" ALTER COLUMN "bvn_index" DROP NOT NULL;
ALTER TABLE "customers"."customer" ADD CONSTRAINT "customer_bvn_index"
  CHECK (("bvn_index" is null) = ("bvn_handed_back_at" is not null or "erased_at" is not null));
ALTER TABLE "customers"."customer" ADD CONSTRAINT "customer_bvn_sealed" CHECK ("bvn_sealed" is not null or "erased_at" is not null);
ALTER TABLE "customers"."customer" ADD CONSTRAINT "customer_handed_back" CHECK ("bvn_handed_back_at" is null or "frozen_at" is not null);
CREATE INDEX "customer_phone" ON "customers"."customer" USING btree ("phone_index");
-- What a wallet returns to when its customer is released; null where nothing froze it, or the operator has decided since.
ALTER TABLE "wallets"."partner_wallet" ADD COLUMN "status_before_freeze" text;
ALTER TABLE "wallets"."partner_wallet" ADD CONSTRAINT "wallet_status_before_freeze"
  CHECK ("status_before_freeze" in ('Enabled', 'Blocked', 'PND', 'PNC'));
