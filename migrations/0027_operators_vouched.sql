ALTER TABLE "operators"."operator" ADD COLUMN "mac" "bytea";
