-- No server from before works with it: each receiver, partner, API key, application and authorization code has a MAC of what it decides.
-- What decides where events, codes and secrets go is vouched for, and changed by functions that change nothing else; a notice and a
-- piece of evidence have a name of their own.

do $$ begin
  if exists (select from partners.partner) or exists (select from applications.application where not built_in)
    or exists (select from notices.notice) or exists (select from disputes.evidence) then
    raise exception 'this database is of a version that did not vouch for where events and logins go: nothing in it can be trusted to stand as it was stored. Begin with an empty database (of the sandbox: delete its DATA_DIR)';
  end if;
end $$;
--> statement-breakpoint
DROP TABLE "notices"."notice";
--> statement-breakpoint
CREATE TABLE "notices"."notice" (
  "id" uuid PRIMARY KEY NOT NULL,
  "customer_id" uuid NOT NULL,
  "partner_id" uuid,
  "kind" text NOT NULL,
  "channel" text NOT NULL,
  "recipient_sealed" "bytea",
  "detail" text,
  "happened_at" timestamp(3) with time zone NOT NULL,
  "attempts" smallint DEFAULT 0 NOT NULL,
  "due_at" timestamp(3) with time zone,
  "sent_at" timestamp(3) with time zone,
  CONSTRAINT "notice_kind" CHECK ("notices"."notice"."kind" in ('CREATED', 'LINKED', 'FIRST_LOGIN', 'PASSWORD_RESET', 'CONTACT_CHANGE', 'CONTACT_CHANGE_CANCELLED', 'RELEASED')),
  CONSTRAINT "notice_channel" CHECK ("notices"."notice"."channel" in ('sms', 'email')),
  CONSTRAINT "notice_due" CHECK (("notices"."notice"."due_at" is null) = ("notices"."notice"."recipient_sealed" is null)),
  CONSTRAINT "notice_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id"),
  CONSTRAINT "notice_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id")
);
--> statement-breakpoint
CREATE INDEX "notice_due_at" ON "notices"."notice" USING btree ("due_at") WHERE "notices"."notice"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX "notice_customer" ON "notices"."notice" USING btree ("customer_id","happened_at");
--> statement-breakpoint
CREATE INDEX "notice_happened" ON "notices"."notice" USING btree ("happened_at");
--> statement-breakpoint
ALTER TABLE "disputes"."evidence" ADD COLUMN "number" smallint NOT NULL;
--> statement-breakpoint
ALTER TABLE "applications"."application" ADD COLUMN "routing_mac" "bytea";
--> statement-breakpoint
ALTER TABLE "letters"."proven_contact" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "operators"."operator" RENAME COLUMN "mac" TO "routing_mac";
--> statement-breakpoint
ALTER TABLE "operators"."session" RENAME COLUMN "mac" TO "routing_mac";
--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "partners"."api_key" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "partners"."partner" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions"."auth_code" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
create function outbox.route_receiver(p_id uuid, p_url text, p_events text[], p_mac bytea) returns void language sql as $$
  -- By the minute after, every transaction has ended that did not see which events it wants now.
  update outbox.receiver
     set url = p_url, events = p_events, routing_mac = p_mac, updated_at = now(),
         events_from = case when events is distinct from p_events then now() + interval '1 minute' else events_from end
   where id = p_id
$$;
--> statement-breakpoint
create function partners.route_partner(p_id uuid, p_redirect_url text, p_mac bytea) returns void language sql as $$
  update partners.partner set redirect_url = p_redirect_url, routing_mac = p_mac where id = p_id
$$;
--> statement-breakpoint
create function applications.route_application(p_id uuid, p_secret bytea, p_previous_secret bytea, p_previous_until timestamptz,
  p_generation int, p_return_urls text[], p_mac bytea) returns void language sql as $$
  update applications.application
     set secret_digest = p_secret, previous_secret_digest = p_previous_secret, previous_secret_until = p_previous_until,
         token_generation = p_generation, return_urls = p_return_urls, routing_mac = p_mac
   where id = p_id and not built_in
$$;
--> statement-breakpoint
-- What was revoked stays so.
create trigger revoked_for_good before update of revoked_at on partners.api_key for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function ledger.refuse_change();
--> statement-breakpoint
create trigger revoked_for_good before update of revoked_at on sessions.session for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function ledger.refuse_change();
