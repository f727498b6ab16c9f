ALTER TABLE "onboarding"."creation_session" ALTER COLUMN "bvn_sealed" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ALTER COLUMN "date_of_birth_sealed" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD COLUMN "kind" text DEFAULT 'CREATION' NOT NULL;--> statement-breakpoint
CREATE INDEX "creation_session_customer" ON "onboarding"."creation_session" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "auth_code_customer" ON "sessions"."auth_code" USING btree ("customer_id");--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD CONSTRAINT "creation_session_kind" CHECK (case "onboarding"."creation_session"."kind" when 'CREATION' then num_nulls("onboarding"."creation_session"."bvn_sealed", "onboarding"."creation_session"."date_of_birth_sealed") = 0
        when 'PASSWORD_RESET' then "onboarding"."creation_session"."customer_id" is not null else false end);