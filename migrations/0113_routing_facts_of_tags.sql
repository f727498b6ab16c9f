-- No server from before works with it: accounts, customers, tags, subjects and KYC profiles are written with their MACs.
-- What of them decides where money goes has a MAC, and is read with it where money turns.

do $$ begin
  if exists (select from applications.subject) or exists (select from ledger.account where kind in ('WALLET', 'FLOAT', 'APPLICATION')) then
    raise exception 'this database is of a version that kept no MACs of accounts and tags, and none can be made of what may have been changed since. Begin with an empty database (of the sandbox: delete its DATA_DIR)';
  end if;
end $$;
--> statement-breakpoint
ALTER TABLE "applications"."subject" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "customers"."customer" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "ledger"."account" ADD COLUMN "routing_mac" "bytea";
--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
ALTER TABLE "wallets"."kyc_profile" ADD COLUMN "routing_mac" "bytea" NOT NULL;
--> statement-breakpoint
drop function customers.payee(text);
--> statement-breakpoint
create function customers.payee(p_handle text) returns table (customer_id uuid, is_suspended boolean, tag json, customer json)
language sql stable as $$
  select c.id, t.status = 'SUSPENDED',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         json_build_object('id', c.id, 'tagId', c.tag_id, 'routingMac', encode(c.routing_mac, 'hex'))
    from tags.tag t join customers.customer c on c.tag_id = t.id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;
--> statement-breakpoint
drop function tags.payable(text);
--> statement-breakpoint
create function tags.payable(p_handle text)
returns table (handle text, namespace text, application_id uuid, application_name text, external_id text, is_suspended boolean,
  tag json, subject json)
language sql stable as $$
  select t.handle, a.namespace, a.id, a.name, s.external_id, t.status = 'SUSPENDED' or a.status <> 'ACTIVE',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         json_build_object('id', s.id, 'applicationId', s.application_id, 'externalId', s.external_id,
           'routingMac', encode(s.routing_mac, 'hex'))
    from tags.tag t
    join applications.subject s on s.id = t.subject_id
    join applications.application a on a.id = s.application_id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;
--> statement-breakpoint
drop function wallets.primary_account(uuid);
--> statement-breakpoint
create function wallets.primary_wallet(p_customer uuid) returns table (wallet json) language sql stable as $$
  select json_build_object('reference', w.reference, 'partnerId', w.partner_id, 'customerId', w.customer_id,
           'kycProfileId', w.kyc_profile_id, 'accountId', w.account_id, 'nuban', w.nuban, 'isPrimary', w.is_primary,
           'routingMac', encode(w.routing_mac, 'hex'))
    from wallets.partner_wallet w
   where w.customer_id = p_customer and w.is_primary and w.revoked_at is null
$$;
