-- What a delivery is due to may be traced: its transaction leaves the trace in a setting, and the attempts go on with it. The default comes
-- apart from the column, so that no row is rewritten.
ALTER TABLE "webhooks"."delivery" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ALTER COLUMN "traceparent" SET DEFAULT nullif(current_setting('paytag.traceparent', true), '');
