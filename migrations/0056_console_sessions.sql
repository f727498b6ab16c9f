CREATE TABLE "operators"."session" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"operator_id" uuid,
	"token_digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"mac" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "operators"."session" ADD CONSTRAINT "session_operator_id_operator_id_fk" FOREIGN KEY ("operator_id") REFERENCES "operators"."operator"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_session_operator" ON "operators"."session" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_session_expiry" ON "operators"."session" USING btree ("expires_at");
