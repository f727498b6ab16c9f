CREATE INDEX "tag_creator" ON "tags"."tag" USING btree ("created_by_app_id") WHERE "tags"."tag"."released_at" is null;
