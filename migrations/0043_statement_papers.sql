CREATE TABLE "statements"."paper" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statements"."paper_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code_digest" "bytea" NOT NULL,
	"wallet_id" bigint NOT NULL,
	"holder_masked" text NOT NULL,
	"currency" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"opening" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"debits" bigint NOT NULL,
	"closing" bigint NOT NULL,
	"lines" integer NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "paper_code_digest_unique" UNIQUE("code_digest"),
	CONSTRAINT "paper_balances" CHECK ("statements"."paper"."opening" + "statements"."paper"."credits" - "statements"."paper"."debits" = "statements"."paper"."closing")
);
--> statement-breakpoint
ALTER TABLE "statements"."requested" DROP CONSTRAINT "requested_format";--> statement-breakpoint
ALTER TABLE "statements"."paper" ADD CONSTRAINT "paper_wallet_id_partner_wallet_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "wallets"."partner_wallet"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "paper_wallet" ON "statements"."paper" USING btree ("wallet_id");--> statement-breakpoint
CREATE INDEX "paper_issued" ON "statements"."paper" USING btree ("issued_at");--> statement-breakpoint
ALTER TABLE "statements"."requested" ADD CONSTRAINT "requested_format" CHECK ("statements"."requested"."format" in ('pdf', 'csv', 'html', 'xlsx'));
