-- Outside a transaction.
-- Servers from 0058 on work with it.
-- What is kept of a request is found by its id.
create index concurrently if not exists "audit_request" on "audit"."entry" using btree ("request_id", "id") where "audit"."entry"."request_id" is not null;--> statement-breakpoint
create index concurrently if not exists "request_of_id" on "idempotency"."request" using btree ("request_id") where "idempotency"."request"."request_id" is not null;
