-- Outside a transaction.
-- Servers from 0087 on work with it.
-- The claims on a tag that one application asked for, page by page: it may have asked for many, and others for many more.
create index concurrently if not exists "claim_tag_requester" on "claims"."claim" using btree ("tag_id", "requested_by_app_id", "id");
