ALTER TABLE "tags"."tag" DROP CONSTRAINT "tag_handle_unique";--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD COLUMN "released_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "tag_handle" ON "tags"."tag" USING btree ("handle") WHERE "tags"."tag"."released_at" is null;--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD CONSTRAINT "tag_closed" CHECK (("tags"."tag"."closed_at" is not null) = ("tags"."tag"."status" = 'CLOSED'));--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD CONSTRAINT "tag_released" CHECK ("tags"."tag"."released_at" is null or "tags"."tag"."status" = 'CLOSED');