CREATE SCHEMA "throttles";
--> statement-breakpoint
CREATE UNLOGGED TABLE "throttles"."counter" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"spent" integer NOT NULL,
	"closed_until" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "counter_expiry" ON "throttles"."counter" USING btree ("expires_at");