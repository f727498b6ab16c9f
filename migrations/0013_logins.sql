CREATE TABLE "sessions"."acquaintance" (
	"partner_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "acquaintance_customer_id_partner_id_pk" PRIMARY KEY("customer_id","partner_id")
);
--> statement-breakpoint
ALTER TABLE "sessions"."auth_code" ADD COLUMN "code_challenge" text;--> statement-breakpoint
ALTER TABLE "sessions"."acquaintance" ADD CONSTRAINT "acquaintance_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."acquaintance" ADD CONSTRAINT "acquaintance_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;