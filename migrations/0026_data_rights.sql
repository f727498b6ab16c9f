-- Of a customer who was erased only what the law has us keep is left: the BVN and the name it was verified with, sealed, for
-- five years. Of a KYC profile that was erased, its number.
ALTER TABLE "customers"."customer" ADD COLUMN "kept_name_sealed" "bytea";
ALTER TABLE "customers"."customer" ADD CONSTRAINT "customer_kept_name" CHECK ("kept_name_sealed" is null or "erased_at" is not null);
ALTER TABLE "customers"."customer" ADD CONSTRAINT "customer_erased"
  CHECK ("erased_at" is null or num_nonnulls("other_name", "phone_sealed", "phone_index", "phone_proven_at", "email_sealed",
    "email_index", "email_proven_at", "date_of_birth_sealed", "address_sealed", "image_url", "password_hash") = 0);
CREATE INDEX "customer_kept" ON "customers"."customer" USING btree ("erased_at") WHERE "bvn_sealed" is not null and "erased_at" is not null;
ALTER TABLE "wallets"."kyc_profile" ADD COLUMN "erased_at" timestamp (3) with time zone;
