CREATE SCHEMA "bank_accounts";
--> statement-breakpoint
CREATE TABLE "bank_accounts"."linked_account" (
	"customer_id" uuid NOT NULL,
	"partner_id" uuid NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number_sealed" "bytea" NOT NULL,
	"account_index" "bytea" NOT NULL,
	"account_name_sealed" "bytea" NOT NULL,
	"linked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "linked_account_customer_id_partner_id_pk" PRIMARY KEY("customer_id","partner_id")
);
--> statement-breakpoint
ALTER TABLE "bank_accounts"."linked_account" ADD CONSTRAINT "linked_account_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_accounts"."linked_account" ADD CONSTRAINT "linked_account_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;