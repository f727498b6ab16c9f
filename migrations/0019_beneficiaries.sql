CREATE SCHEMA "beneficiaries";
--> statement-breakpoint
CREATE TABLE "beneficiaries"."beneficiary" (
	"partner_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"payee_id" uuid NOT NULL,
	"last_paid_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "beneficiary_partner_id_customer_id_payee_id_pk" PRIMARY KEY("partner_id","customer_id","payee_id")
);
--> statement-breakpoint
ALTER TABLE "beneficiaries"."beneficiary" ADD CONSTRAINT "beneficiary_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beneficiaries"."beneficiary" ADD CONSTRAINT "beneficiary_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beneficiaries"."beneficiary" ADD CONSTRAINT "beneficiary_payee_id_customer_id_fk" FOREIGN KEY ("payee_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "beneficiary_latest" ON "beneficiaries"."beneficiary" USING btree ("partner_id","customer_id","last_paid_at");