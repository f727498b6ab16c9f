-- The schema of a migrated database, for readers. Written by `npm run db:dump`; nothing loads it. Rights are in rights.sql.

CREATE SCHEMA applications;

CREATE TABLE applications.application (
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    namespace text NOT NULL,
    secret_digest bytea,
    previous_secret_digest bytea,
    previous_secret_until timestamp(3) with time zone,
    email_sealed bytea,
    image_url text,
    status text NOT NULL,
    built_in boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    token_generation integer DEFAULT 0 NOT NULL,
    client_id_digest bytea,
    return_urls text[] DEFAULT '{}'::text[] NOT NULL,
    routing_mac bytea,
    CONSTRAINT application_pkey PRIMARY KEY (id),
    CONSTRAINT application_client_id_digest_unique UNIQUE (client_id_digest),
    CONSTRAINT application_namespace_unique UNIQUE (namespace),
    CONSTRAINT application_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'SUSPENDED'::text])))
);

CREATE INDEX application_name ON applications.application USING btree (lower(name) text_pattern_ops);

CREATE INDEX application_registrant ON applications.application USING btree (created_at) WHERE ((status = 'PENDING'::text) AND (NOT built_in) AND ((email_sealed IS NOT NULL) OR (image_url IS NOT NULL)));

CREATE INDEX application_waiting ON applications.application USING btree (id) WHERE (status = 'PENDING'::text);

CREATE TRIGGER notify_change AFTER DELETE OR UPDATE ON applications.application FOR EACH ROW EXECUTE FUNCTION applications.notify_change();

CREATE TABLE applications.subject (
    id uuid DEFAULT uuidv7() NOT NULL,
    application_id uuid NOT NULL,
    external_id text NOT NULL,
    display_name text,
    email_sealed bytea,
    image_url text,
    metadata jsonb,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    routing_mac bytea NOT NULL,
    CONSTRAINT subject_pkey PRIMARY KEY (id),
    CONSTRAINT subject_external_id UNIQUE (application_id, external_id),
    CONSTRAINT subject_application_id_application_id_fk FOREIGN KEY (application_id) REFERENCES applications.application(id)
);

CREATE OR REPLACE FUNCTION applications.notify_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('paytag_changes', 'applications');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION applications.route_application(p_id uuid, p_secret bytea, p_previous_secret bytea, p_previous_until timestamp with time zone, p_generation integer, p_return_urls text[], p_mac bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update applications.application
     set secret_digest = p_secret, previous_secret_digest = p_previous_secret, previous_secret_until = p_previous_until,
         token_generation = p_generation, return_urls = p_return_urls, routing_mac = p_mac
   where id = p_id and not built_in
$function$;

CREATE SCHEMA approvals;

CREATE TABLE approvals.approval (
    id uuid DEFAULT uuidv7() NOT NULL,
    operation text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    digest bytea NOT NULL,
    input_sealed bytea,
    amount bigint,
    requested_by text NOT NULL,
    requested_by_name text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    decided_by text,
    decided_by_name text,
    decided_at timestamp(3) with time zone,
    reason text,
    run_id uuid,
    run_until timestamp(3) with time zone,
    answer_sealed bytea,
    error_code text,
    ended_at timestamp(3) with time zone,
    CONSTRAINT approval_pkey PRIMARY KEY (id),
    CONSTRAINT approval_four_eyes CHECK (((status <> ALL (ARRAY['APPROVED'::text, 'EXECUTED'::text, 'FAILED'::text])) OR COALESCE((decided_by <> requested_by), false))),
    CONSTRAINT approval_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'EXECUTED'::text, 'FAILED'::text, 'REJECTED'::text, 'EXPIRED'::text])))
);

CREATE INDEX approval_done ON approvals.approval USING btree (digest) WHERE (status = 'EXECUTED'::text);

CREATE INDEX approval_due ON approvals.approval USING btree (expires_at) WHERE (status = 'PENDING'::text);

CREATE INDEX approval_kept ON approvals.approval USING btree (ended_at) WHERE (input_sealed IS NOT NULL);

CREATE UNIQUE INDEX approval_pending ON approvals.approval USING btree (digest) WHERE (status = 'PENDING'::text);

CREATE INDEX approval_status_id ON approvals.approval USING btree (status, id);

CREATE SCHEMA audit;

CREATE TABLE audit.entry (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    before jsonb,
    after jsonb,
    reason text,
    request_id text,
    CONSTRAINT entry_pkey PRIMARY KEY (id)
);

CREATE INDEX audit_action ON audit.entry USING btree (action, id);

CREATE INDEX audit_actor ON audit.entry USING btree (split_part(actor, ' '::text, 1), id);

CREATE INDEX audit_at ON audit.entry USING btree (at, id);

CREATE INDEX audit_request ON audit.entry USING btree (request_id, id) WHERE (request_id IS NOT NULL);

CREATE INDEX audit_target ON audit.entry USING btree (target, id);

CREATE INDEX entry_time ON audit.entry USING brin (at) WITH (autosummarize='on');

CREATE TRIGGER entry_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON audit.entry FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TRIGGER entry_of_now BEFORE INSERT ON audit.entry FOR EACH ROW EXECUTE FUNCTION audit.refuse_time();

CREATE OR REPLACE FUNCTION audit.refuse_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  if new.at is distinct from null and abs(extract(epoch from new.at - clock_timestamp())) < 60 then
    new.at := clock_timestamp();
    return new;
  end if;
  raise exception 'an audit entry is of now' using errcode = 'PT002';
end $function$;

CREATE SCHEMA bank_accounts;

CREATE TABLE bank_accounts.linked_account (
    customer_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    bank_code text NOT NULL,
    bank_name text NOT NULL,
    account_number_sealed bytea NOT NULL,
    account_index bytea NOT NULL,
    account_name_sealed bytea NOT NULL,
    linked_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT linked_account_customer_id_partner_id_pk PRIMARY KEY (customer_id, partner_id),
    CONSTRAINT linked_account_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT linked_account_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id)
);

CREATE OR REPLACE FUNCTION bank_accounts.link(p_customer uuid, p_partner uuid, p_bank_code text, p_bank_name text, p_index bytea, p_number_sealed bytea, p_name_sealed bytea, p_linked_at timestamp with time zone, p_request text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_linked_at timestamptz;
begin
  insert into bank_accounts.linked_account as l (customer_id, partner_id, bank_code, bank_name, account_number_sealed, account_index,
      account_name_sealed, linked_at)
    values (p_customer, p_partner, p_bank_code, p_bank_name, p_number_sealed, p_index, p_name_sealed, p_linked_at)
    on conflict (customer_id, partner_id) do update set bank_code = excluded.bank_code, bank_name = excluded.bank_name,
      account_number_sealed = excluded.account_number_sealed, account_index = excluded.account_index,
      account_name_sealed = excluded.account_name_sealed,
      linked_at = case when l.account_index = excluded.account_index then l.linked_at else excluded.linked_at end
    returning l.linked_at into v_linked_at;
  insert into audit.entry (actor, action, target, after, request_id)
    values ('customer:' || p_customer, 'bank_account.link', p_customer::text,
      jsonb_build_object('partnerId', p_partner, 'account', encode(p_index, 'hex')), p_request);
  return v_linked_at;
end $function$;

CREATE SCHEMA beneficiaries;

CREATE TABLE beneficiaries.beneficiary (
    partner_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    payee_id uuid NOT NULL,
    last_paid_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT beneficiary_partner_id_customer_id_payee_id_pk PRIMARY KEY (partner_id, customer_id, payee_id),
    CONSTRAINT beneficiary_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT beneficiary_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT beneficiary_payee_id_customer_id_fk FOREIGN KEY (payee_id) REFERENCES customers.customer(id)
);

CREATE INDEX beneficiary_latest ON beneficiaries.beneficiary USING btree (partner_id, customer_id, last_paid_at);

CREATE INDEX beneficiary_payee ON beneficiaries.beneficiary USING btree (payee_id);

CREATE OR REPLACE FUNCTION beneficiaries.record(p_partners uuid[], p_customers uuid[], p_payees uuid[], p_at timestamp with time zone[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into beneficiaries.beneficiary as b (partner_id, customer_id, payee_id, last_paid_at)
    select partner, customer, payee, max(at)
      from unnest(p_partners, p_customers, p_payees, p_at) paid (partner, customer, payee, at)
     group by partner, customer, payee
     order by partner, customer, payee -- one order of locks
    on conflict (partner_id, customer_id, payee_id)
      do update set last_paid_at = greatest(b.last_paid_at, excluded.last_paid_at)
$function$;

CREATE SCHEMA books;

CREATE TABLE books.day_total (
    day date NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    debits bigint NOT NULL,
    credits bigint NOT NULL,
    CONSTRAINT day_total_day_kind_currency_pk PRIMARY KEY (day, kind, currency)
);

CREATE TABLE books.hour_total (
    hour timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    currency text NOT NULL,
    debits bigint NOT NULL,
    transactions bigint NOT NULL,
    CONSTRAINT hour_total_hour_type_currency_pk PRIMARY KEY (hour, type, currency)
);

CREATE TABLE books.partner_day_total (
    partner_id uuid NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    type text NOT NULL,
    debits bigint NOT NULL,
    credits bigint NOT NULL,
    movements bigint NOT NULL,
    CONSTRAINT partner_day_total_partner_id_kind_currency_type_day_pk PRIMARY KEY (partner_id, kind, currency, type, day)
);

CREATE INDEX partner_day_total_float ON books.partner_day_total USING btree (day) WHERE (kind = 'FLOAT'::text);

CREATE TABLE books.totalled (
    "only" boolean DEFAULT true NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    CONSTRAINT totalled_pkey PRIMARY KEY ("only"),
    CONSTRAINT totalled_only CHECK ("only")
);

CREATE OR REPLACE FUNCTION books.add_up(p_until timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_from timestamptz;
  v_to timestamptz;
begin
  p_until := date_trunc('milliseconds', p_until); -- as finely as entries are dated
  select x.until into v_from from books.totalled x for update skip locked;
  if not found or p_until <= v_from then
    return null;
  end if;
  v_to := least(p_until, interval '1 day' + case when isfinite(v_from) then v_from
    else (select e.created_at from ledger.entry e order by e.transaction_id, e.leg limit 1) end);

  with moved as materialized (select * from books.moved_between(v_from, v_to)),
    days as (
      insert into books.day_total as d (day, kind, currency, debits, credits)
        select m.day, m.kind, m.currency, sum(m.debits), sum(m.credits) from moved m group by 1, 2, 3
      on conflict (day, kind, currency) do update set debits = d.debits + excluded.debits, credits = d.credits + excluded.credits)
  insert into books.partner_day_total as d (partner_id, day, kind, currency, type, debits, credits, movements)
    select m.partner_id, m.day, m.kind, m.currency, m.type, m.debits, m.credits, m.movements from moved m
      where m.partner_id is not null and m.kind in ('WALLET', 'FLOAT', 'FEE', 'COMMISSION', 'STAMP_DUTY')
  on conflict (partner_id, day, kind, currency, type) do update
    set debits = d.debits + excluded.debits, credits = d.credits + excluded.credits, movements = d.movements + excluded.movements;

  insert into books.hour_total as h (hour, type, currency, debits, transactions)
    select m.hour, m.type, m.currency, m.debits, m.transactions from books.moved_by_hour(v_from, v_to) m
  on conflict (hour, type, currency) do update
    set debits = h.debits + excluded.debits, transactions = h.transactions + excluded.transactions;

  update books.totalled set until = v_to;
  return v_to;
end $function$;

CREATE OR REPLACE FUNCTION books.moved_between(p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS TABLE(day date, kind text, currency text, partner_id uuid, type text, debits bigint, credits bigint, movements bigint)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
    select e.business_date, a.kind, a.currency, coalesce(a.partner_id, t.partner_id), t.type,
        coalesce(sum(-e.amount) filter (where e.amount < 0), 0)::bigint, coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint,
        count(*)
      from ledger.entry e join ledger.account a on a.id = e.account_id join ledger.transaction t on t.id = e.transaction_id
      where e.created_at >= p_from and e.created_at < p_to
      group by 1, 2, 3, 4, 5;
end $function$;

CREATE OR REPLACE FUNCTION books.moved_by_hour(p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS TABLE(hour timestamp with time zone, type text, currency text, debits bigint, transactions bigint)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
    select date_trunc('hour', e.created_at, 'UTC'), t.type, t.currency, coalesce(sum(-e.amount) filter (where e.amount < 0), 0)::bigint,
        count(*) filter (where e.leg = 1)
      from ledger.entry e join ledger.transaction t on t.id = e.transaction_id
      where e.created_at >= p_from and e.created_at < p_to
      group by 1, 2, 3;
end $function$;

CREATE OR REPLACE FUNCTION books.partner_day(p_partner uuid, p_day date)
 RETURNS TABLE(kind text, currency text, type text, before numeric, debits numeric, credits numeric, movements numeric, after numeric, present numeric)
 LANGUAGE sql
 STABLE
 SET enable_sort TO 'off'
AS $function$
  select m.kind, m.currency, m.type, coalesce(sum(m.credits - m.debits) filter (where m.day < p_day), 0),
      coalesce(sum(m.debits) filter (where m.day = p_day), 0), coalesce(sum(m.credits) filter (where m.day = p_day), 0),
      coalesce(sum(m.movements) filter (where m.day = p_day), 0),
      coalesce(sum(m.credits - m.debits) filter (where m.day > p_day), 0), null
    from (
      select d.day, d.kind, d.currency, d.type, d.debits, d.credits, d.movements from books.partner_day_total d
        where d.partner_id = p_partner
      union all
      select n.day, n.kind, n.currency, n.type, n.debits, n.credits, n.movements
        from books.totalled x cross join lateral books.moved_between(x.until, 'infinity') n where n.partner_id = p_partner) m
    group by m.kind, m.currency, m.type
  union all
  select a.kind, a.currency, null, 0, 0, 0, 0, 0, sum(a.posted) from ledger.account a
    where a.partner_id = p_partner and a.kind in ('FLOAT', 'WALLET') group by a.kind, a.currency
$function$;

CREATE SCHEMA claims;

CREATE TABLE claims.claim (
    id uuid DEFAULT uuidv7() NOT NULL,
    tag_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    requested_by_app_id uuid NOT NULL,
    state text DEFAULT 'PENDING'::text NOT NULL,
    token_digest bytea NOT NULL,
    token_sealed bytea,
    token_expires_at timestamp(3) with time zone NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    approved_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    owner_confirmed_at timestamp(3) with time zone,
    owner_confirmed_by text,
    proof_attempts smallint DEFAULT 0 NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    return_url text,
    CONSTRAINT claim_pkey PRIMARY KEY (id),
    CONSTRAINT claim_token_digest_unique UNIQUE (token_digest),
    CONSTRAINT claim_requested_by_app_id_application_id_fk FOREIGN KEY (requested_by_app_id) REFERENCES applications.application(id),
    CONSTRAINT claim_subject_id_subject_id_fk FOREIGN KEY (subject_id) REFERENCES applications.subject(id),
    CONSTRAINT claim_tag_id_tag_id_fk FOREIGN KEY (tag_id) REFERENCES tags.tag(id),
    CONSTRAINT claim_approved CHECK (((approved_at IS NOT NULL) = (state = ANY (ARRAY['APPROVED'::text, 'REVOKED'::text])))),
    CONSTRAINT claim_owner_confirmed CHECK (((owner_confirmed_at IS NULL) = (owner_confirmed_by IS NULL))),
    CONSTRAINT claim_owner_confirmed_by CHECK ((owner_confirmed_by = ANY (ARRAY['PASSWORD'::text, 'OTP'::text]))),
    CONSTRAINT claim_proof_attempts CHECK (((proof_attempts >= 0) AND (proof_attempts <= 5))),
    CONSTRAINT claim_revoked CHECK (((revoked_at IS NOT NULL) = (state = 'REVOKED'::text))),
    CONSTRAINT claim_state CHECK ((state = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'CANCELLED'::text, 'EXPIRED'::text, 'REVOKED'::text]))),
    CONSTRAINT claim_token_shown CHECK (((token_sealed IS NOT NULL) = (state = 'PENDING'::text)))
);

CREATE INDEX claim_approved ON claims.claim USING btree (tag_id, id) WHERE (state = 'APPROVED'::text);

CREATE INDEX claim_asked ON claims.claim USING btree (tag_id, requested_by_app_id, requested_at);

CREATE INDEX claim_due ON claims.claim USING btree (token_expires_at) WHERE (state = 'PENDING'::text);

CREATE UNIQUE INDEX claim_open ON claims.claim USING btree (tag_id, subject_id, requested_by_app_id) WHERE (state = ANY (ARRAY['PENDING'::text, 'APPROVED'::text]));

CREATE INDEX claim_pending ON claims.claim USING btree (id) WHERE (state = 'PENDING'::text);

CREATE INDEX claim_requester ON claims.claim USING btree (requested_by_app_id, id);

CREATE INDEX claim_tag ON claims.claim USING btree (tag_id, id);

CREATE INDEX claim_tag_requester ON claims.claim USING btree (tag_id, requested_by_app_id, id);

CREATE SCHEMA customers;

CREATE TABLE customers.contact_change (
    customer_id uuid NOT NULL,
    contact text NOT NULL,
    value_sealed bytea NOT NULL,
    confirmed_at timestamp(3) with time zone NOT NULL,
    in_force_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT contact_change_customer_id_contact_pk PRIMARY KEY (customer_id, contact),
    CONSTRAINT contact_change_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT contact_change_contact CHECK ((contact = ANY (ARRAY['phone'::text, 'email'::text])))
);

CREATE INDEX contact_change_in_force ON customers.contact_change USING btree (in_force_at);

CREATE TABLE customers.customer (
    id uuid DEFAULT uuidv7() NOT NULL,
    tag_id uuid,
    bvn_sealed bytea,
    bvn_index bytea,
    first_name text NOT NULL,
    last_name text NOT NULL,
    other_name text,
    phone_sealed bytea,
    phone_index bytea,
    email_sealed bytea,
    email_index bytea,
    date_of_birth_sealed bytea,
    address_sealed bytea,
    image_url text,
    password_hash text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    phone_proven_at timestamp(3) with time zone,
    email_proven_at timestamp(3) with time zone,
    frozen_at timestamp(3) with time zone,
    bvn_handed_back_at timestamp(3) with time zone,
    erased_at timestamp(3) with time zone,
    is_other_name_confirmed boolean DEFAULT false NOT NULL,
    kept_name_sealed bytea,
    routing_mac bytea NOT NULL,
    CONSTRAINT customer_pkey PRIMARY KEY (id),
    CONSTRAINT customer_bvn_index_unique UNIQUE (bvn_index),
    CONSTRAINT customer_tag_id_unique UNIQUE (tag_id),
    CONSTRAINT customer_tag_id_tag_id_fk FOREIGN KEY (tag_id) REFERENCES tags.tag(id),
    CONSTRAINT customer_bvn_index CHECK (((bvn_index IS NULL) = ((bvn_handed_back_at IS NOT NULL) OR (erased_at IS NOT NULL)))),
    CONSTRAINT customer_bvn_sealed CHECK (((bvn_sealed IS NOT NULL) OR (erased_at IS NOT NULL))),
    CONSTRAINT customer_erased CHECK (((erased_at IS NULL) OR (num_nonnulls(other_name, phone_sealed, phone_index, phone_proven_at, email_sealed, email_index, email_proven_at, date_of_birth_sealed, address_sealed, image_url, password_hash) = 0))),
    CONSTRAINT customer_handed_back CHECK (((bvn_handed_back_at IS NULL) OR (frozen_at IS NOT NULL))),
    CONSTRAINT customer_kept_name CHECK (((kept_name_sealed IS NULL) OR (erased_at IS NOT NULL)))
);

CREATE INDEX customer_ended ON customers.customer USING btree (tag_id) WHERE ((frozen_at IS NOT NULL) OR (erased_at IS NOT NULL));

CREATE INDEX customer_kept ON customers.customer USING btree (erased_at) WHERE ((bvn_sealed IS NOT NULL) AND (erased_at IS NOT NULL));

CREATE INDEX customer_phone ON customers.customer USING btree (phone_index);

CREATE OR REPLACE FUNCTION customers.payee(p_handle text)
 RETURNS TABLE(customer_id uuid, is_suspended boolean, tag json, customer json)
 LANGUAGE sql
 STABLE
AS $function$
  select c.id, t.status = 'SUSPENDED',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         json_build_object('id', c.id, 'tagId', c.tag_id, 'routingMac', encode(c.routing_mac, 'hex'))
    from tags.tag t join customers.customer c on c.tag_id = t.id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$function$;

CREATE SCHEMA data_keys;

CREATE TABLE data_keys.data_key (
    id integer NOT NULL,
    use text NOT NULL,
    status text NOT NULL,
    wrapped bytea,
    root_key text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    retired_at timestamp(3) with time zone,
    destroyed_at timestamp(3) with time zone,
    sealed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT data_key_pkey PRIMARY KEY (id),
    CONSTRAINT data_key_destroyed CHECK (((status = 'DESTROYED'::text) = (wrapped IS NULL))),
    CONSTRAINT data_key_status CHECK ((status = ANY (ARRAY['NEXT'::text, 'CURRENT'::text, 'RETIRED'::text, 'DESTROYED'::text]))),
    CONSTRAINT data_key_use CHECK ((use = ANY (ARRAY['SEAL'::text, 'INDEX'::text, 'SIGN'::text, 'POSTING'::text])))
);

CREATE UNIQUE INDEX data_key_current ON data_keys.data_key USING btree (use) WHERE (status = 'CURRENT'::text);

CREATE UNIQUE INDEX data_key_next ON data_keys.data_key USING btree (use) WHERE (status = 'NEXT'::text);

CREATE OR REPLACE FUNCTION data_keys.count_sealed(p_id integer, p_more bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update data_keys.data_key set sealed = sealed + p_more where id = p_id and p_more > 0
$function$;

CREATE SCHEMA disputes;

CREATE TABLE disputes.dispute (
    id uuid DEFAULT uuidv7() NOT NULL,
    transaction_id bigint NOT NULL,
    partner_id uuid NOT NULL,
    wallet text NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    state text DEFAULT 'OPEN'::text NOT NULL,
    reason text NOT NULL,
    lien_id bigint NOT NULL,
    respond_by timestamp(3) with time zone NOT NULL,
    refund_id bigint,
    decision text,
    created_at timestamp(3) with time zone NOT NULL,
    expired_at timestamp(3) with time zone,
    decided_at timestamp(3) with time zone,
    refunded_before bigint NOT NULL,
    CONSTRAINT dispute_pkey PRIMARY KEY (id),
    CONSTRAINT dispute_account_id_account_id_fk FOREIGN KEY (account_id) REFERENCES ledger.account(id),
    CONSTRAINT dispute_lien_id_lien_id_fk FOREIGN KEY (lien_id) REFERENCES ledger.lien(id),
    CONSTRAINT dispute_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT dispute_refund_id_transaction_id_fk FOREIGN KEY (refund_id) REFERENCES ledger.transaction(id),
    CONSTRAINT dispute_transaction_id_transaction_id_fk FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT dispute_wallet_partner_wallet_reference_fk FOREIGN KEY (wallet) REFERENCES wallets.partner_wallet(reference),
    CONSTRAINT dispute_amount CHECK (((amount > 0) AND (refunded_before >= 0))),
    CONSTRAINT dispute_decided CHECK ((num_nonnulls(decided_at, decision) =
CASE
    WHEN (state = ANY (ARRAY['WON'::text, 'LOST'::text])) THEN 2
    ELSE 0
END)),
    CONSTRAINT dispute_expired CHECK (
CASE state
    WHEN 'OPEN'::text THEN (expired_at IS NULL)
    WHEN 'EXPIRED'::text THEN (expired_at IS NOT NULL)
    ELSE true
END),
    CONSTRAINT dispute_refunded CHECK (((refund_id IS NULL) OR (state = 'LOST'::text))),
    CONSTRAINT dispute_state CHECK ((state = ANY (ARRAY['OPEN'::text, 'EXPIRED'::text, 'WON'::text, 'LOST'::text])))
);

CREATE INDEX dispute_due ON disputes.dispute USING btree (respond_by) WHERE (state = 'OPEN'::text);

CREATE UNIQUE INDEX dispute_lien ON disputes.dispute USING btree (lien_id);

CREATE INDEX dispute_partner ON disputes.dispute USING btree (partner_id, id);

CREATE UNIQUE INDEX dispute_refund ON disputes.dispute USING btree (refund_id);

CREATE INDEX dispute_state_id ON disputes.dispute USING btree (state, id);

CREATE INDEX dispute_transaction ON disputes.dispute USING btree (transaction_id, id);

CREATE UNIQUE INDEX dispute_undecided ON disputes.dispute USING btree (transaction_id) WHERE (state = ANY (ARRAY['OPEN'::text, 'EXPIRED'::text]));

CREATE INDEX dispute_wallet ON disputes.dispute USING btree (wallet);

CREATE TABLE disputes.evidence (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    dispute_id uuid NOT NULL,
    by text NOT NULL,
    said_sealed bytea,
    created_at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    CONSTRAINT evidence_pkey PRIMARY KEY (id),
    CONSTRAINT evidence_dispute_id_dispute_id_fk FOREIGN KEY (dispute_id) REFERENCES disputes.dispute(id),
    CONSTRAINT evidence_by CHECK ((by = ANY (ARRAY['OPERATOR'::text, 'PARTNER'::text])))
);

CREATE INDEX evidence_dispute ON disputes.evidence USING btree (dispute_id, id);

CREATE INDEX evidence_said ON disputes.evidence USING btree (created_at) WHERE (said_sealed IS NOT NULL);

CREATE SCHEMA federations;

CREATE TABLE federations.federation (
    id uuid DEFAULT uuidv7() NOT NULL,
    primary_tag_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT federation_pkey PRIMARY KEY (id),
    CONSTRAINT federation_primary UNIQUE (id, primary_tag_id),
    CONSTRAINT federation_primary_tag_id_unique UNIQUE (primary_tag_id),
    CONSTRAINT federation_primary_tag_id_tag_id_fk FOREIGN KEY (primary_tag_id) REFERENCES tags.tag(id)
);

CREATE TABLE federations.link (
    id uuid DEFAULT uuidv7() NOT NULL,
    federation_id uuid NOT NULL,
    primary_tag_id uuid NOT NULL,
    linked_tag_id uuid NOT NULL,
    primary_app_id uuid NOT NULL,
    linked_app_id uuid NOT NULL,
    method text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    token_digest bytea,
    failures smallint DEFAULT 0 NOT NULL,
    proof_attempts smallint DEFAULT 0 NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    verified_at timestamp(3) with time zone,
    verified_by text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    return_url text,
    CONSTRAINT link_pkey PRIMARY KEY (id),
    CONSTRAINT link_federation FOREIGN KEY (federation_id, primary_tag_id) REFERENCES federations.federation(id, primary_tag_id),
    CONSTRAINT link_linked_app_id_application_id_fk FOREIGN KEY (linked_app_id) REFERENCES applications.application(id),
    CONSTRAINT link_linked_tag_id_tag_id_fk FOREIGN KEY (linked_tag_id) REFERENCES tags.tag(id),
    CONSTRAINT link_primary_app_id_application_id_fk FOREIGN KEY (primary_app_id) REFERENCES applications.application(id),
    CONSTRAINT link_failures CHECK (((failures >= 0) AND (failures <= 5))),
    CONSTRAINT link_method CHECK ((method = ANY (ARRAY['OTP'::text, 'CONSENT'::text, 'ATTESTATION'::text]))),
    CONSTRAINT link_proof_attempts CHECK (((proof_attempts >= 0) AND (proof_attempts <= 5))),
    CONSTRAINT link_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text, 'REJECTED'::text, 'FAILED'::text, 'EXPIRED'::text, 'REVOKED'::text]))),
    CONSTRAINT link_token CHECK (((token_digest IS NOT NULL) = ((status = 'PENDING'::text) AND (method = 'OTP'::text)))),
    CONSTRAINT link_two_tags CHECK ((primary_tag_id <> linked_tag_id)),
    CONSTRAINT link_verified CHECK (
CASE status
    WHEN 'VERIFIED'::text THEN (verified_at IS NOT NULL)
    WHEN 'REVOKED'::text THEN true
    ELSE (verified_at IS NULL)
END),
    CONSTRAINT link_verified_by CHECK (((verified_at IS NULL) = (verified_by IS NULL)))
);

CREATE INDEX link_due ON federations.link USING btree (expires_at) WHERE (status = 'PENDING'::text);

CREATE INDEX link_gathered ON federations.link USING btree (federation_id, id);

CREATE INDEX link_linked ON federations.link USING btree (linked_tag_id, id);

CREATE INDEX link_linked_app ON federations.link USING btree (linked_app_id, id);

CREATE UNIQUE INDEX link_open ON federations.link USING btree (LEAST(primary_tag_id, linked_tag_id), GREATEST(primary_tag_id, linked_tag_id)) WHERE (status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text]));

CREATE INDEX link_open_linked ON federations.link USING btree (linked_tag_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text]));

CREATE INDEX link_open_primary ON federations.link USING btree (primary_tag_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text]));

CREATE INDEX link_primary ON federations.link USING btree (primary_tag_id, id);

CREATE INDEX link_primary_app ON federations.link USING btree (primary_app_id, id);

CREATE SCHEMA idempotency;

CREATE TABLE idempotency.request (
    scope bytea NOT NULL,
    body_digest bytea NOT NULL,
    run_id uuid NOT NULL,
    locked_until timestamp(3) with time zone NOT NULL,
    status_code smallint,
    content_type text,
    answer_sealed bytea,
    expires_at timestamp(3) with time zone NOT NULL,
    committed_run uuid,
    request_id text,
    method text,
    route text,
    caller text,
    CONSTRAINT request_pkey PRIMARY KEY (scope)
) WITH (fillfactor=60);

CREATE INDEX request_expiry ON idempotency.request USING btree (expires_at);

CREATE INDEX request_of_id ON idempotency.request USING btree (request_id) WHERE (request_id IS NOT NULL);

CREATE OR REPLACE FUNCTION idempotency.commit_run(run_scope bytea, run uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update idempotency.request set committed_run = run where scope = run_scope and run_id = run;
  if not found then
    raise exception 'another run has this Idempotency-Key' using errcode = '40001';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION idempotency.reserve(p jsonb)
 RETURNS TABLE(ordinal integer, reserved boolean)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_runs uuid[];
  v_more uuid[];
begin
  with made as (
    insert into idempotency.request (scope, body_digest, run_id, locked_until, expires_at, request_id, method, route, caller)
    select decode(scope, 'hex'), decode("bodyDigest", 'hex'), "runId", "lockedUntil", "expiresAt", "requestId", method, route,
        caller
      from jsonb_to_recordset(p) as (scope text, "bodyDigest" text, "runId" uuid, "lockedUntil" timestamptz,
        "expiresAt" timestamptz, "requestId" text, method text, route text, caller text)
      order by scope
    on conflict (scope) do nothing
    returning run_id)
  select coalesce(array_agg(run_id), '{}') into v_runs from made;

  if cardinality(v_runs) < jsonb_array_length(p) then
    with asked as materialized (
      select distinct on (scope) decode(scope, 'hex') as scope, decode("bodyDigest", 'hex') as body_digest, "runId" as run_id,
          "lockedUntil" as locked_until, "expiresAt" as expires_at, "requestId" as request_id, now
        from jsonb_to_recordset(p) as (scope text, "bodyDigest" text, "runId" uuid, "lockedUntil" timestamptz,
          "expiresAt" timestamptz, "requestId" text, now timestamptz)
       where "runId" <> all (v_runs)),
    free as materialized (
      select a.* from asked a join idempotency.request r on r.scope = a.scope
       where r.expires_at < a.now or (r.status_code is null and r.locked_until < a.now and r.body_digest = a.body_digest
           and r.committed_run is distinct from r.run_id)
         -- Reserved by this very run: the answer of the call was lost, and it is asked again.
         or r.run_id = a.run_id
         for update of r skip locked),
    taken as (
      update idempotency.request r
         set body_digest = f.body_digest, run_id = f.run_id, locked_until = f.locked_until, expires_at = f.expires_at,
           request_id = f.request_id, committed_run = null, status_code = null, content_type = null, answer_sealed = null
        from free f where r.scope = f.scope
      returning r.run_id)
    select array_agg(run_id) into v_more from taken;
    v_runs := v_runs || v_more;
  end if;

  return query
    select place::int, (x ->> 'runId')::uuid = any (v_runs) from jsonb_array_elements(p) with ordinality asked (x, place);
end $function$;

CREATE OR REPLACE FUNCTION idempotency.store_answers(p jsonb)
 RETURNS TABLE(ordinal integer)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
begin
  update idempotency.request r
     set status_code = a."statusCode", content_type = a."contentType", answer_sealed = decode(a."answerSealed", 'base64')
    from jsonb_to_recordset(p) as a (scope text, "runId" uuid, "statusCode" smallint, "contentType" text, "answerSealed" text)
   where r.scope = decode(a.scope, 'hex') and r.run_id = a."runId";
  return query select generate_series(1, jsonb_array_length(p));
end $function$;

CREATE SCHEMA inbound_accounts;

CREATE TABLE inbound_accounts.account (
    id uuid DEFAULT uuidv7() NOT NULL,
    wallet text NOT NULL,
    partner_id uuid NOT NULL,
    provider text NOT NULL,
    account_number_sealed bytea,
    account_index bytea,
    account_name_sealed bytea,
    bank_name text,
    bank_code text,
    leased_until timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    assigned_at timestamp(3) with time zone,
    CONSTRAINT account_pkey PRIMARY KEY (id),
    CONSTRAINT account_number UNIQUE (account_index),
    CONSTRAINT account_wallet UNIQUE (wallet, provider),
    CONSTRAINT account_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT account_wallet_partner_wallet_reference_fk FOREIGN KEY (wallet) REFERENCES wallets.partner_wallet(reference),
    CONSTRAINT account_assigned CHECK ((num_nonnulls(account_number_sealed, account_index, account_name_sealed, bank_name, bank_code, assigned_at) = ANY (ARRAY[0, 6])))
);

CREATE INDEX account_partner ON inbound_accounts.account USING btree (partner_id, id);

CREATE OR REPLACE FUNCTION inbound_accounts.assign(p_wallet text, p_provider text, p_number_sealed bytea, p_index bytea, p_name_sealed bytea, p_bank_name text, p_bank_code text, p_now timestamp with time zone, p_request text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_account inbound_accounts.account;
begin
  update inbound_accounts.account set account_number_sealed = p_number_sealed, account_index = p_index,
      account_name_sealed = p_name_sealed, bank_name = p_bank_name, bank_code = p_bank_code, assigned_at = p_now, leased_until = p_now
    where wallet = p_wallet and provider = p_provider and assigned_at is null
      and not exists (select from inbound_accounts.account o where o.account_index = p_index and o.wallet <> p_wallet)
    returning * into v_account;
  if v_account.id is null then return null; end if;
  insert into audit.entry (actor, action, target, after, request_id)
    values ('provider:' || p_provider, 'account_number.assign', p_wallet,
      jsonb_build_object('provider', p_provider, 'partnerId', v_account.partner_id, 'account', encode(p_index, 'hex')), p_request);
  return v_account.id;
end $function$;

CREATE SCHEMA inbox;

CREATE TABLE inbox.message (
    id uuid DEFAULT uuidv7() NOT NULL,
    provider text NOT NULL,
    origin text NOT NULL,
    digest bytea NOT NULL,
    body_sealed bytea,
    event text,
    kind text,
    reference text,
    amount bigint,
    currency text,
    outcome text,
    state text DEFAULT 'RECEIVED'::text NOT NULL,
    difference text,
    transaction_id bigint,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    last_error text,
    received_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT message_pkey PRIMARY KEY (id),
    CONSTRAINT message_digest UNIQUE (provider, digest),
    CONSTRAINT message_transaction_id_transaction_id_fk FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT message_different CHECK (((state = ANY (ARRAY['DIFFERENT'::text, 'DISMISSED'::text])) = (difference IS NOT NULL))),
    CONSTRAINT message_due CHECK (((state <> 'RECEIVED'::text) OR (due_at IS NOT NULL))),
    CONSTRAINT message_ended CHECK (((state = ANY (ARRAY['BOOKED'::text, 'IGNORED'::text, 'DISMISSED'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT message_origin CHECK ((origin = ANY (ARRAY['HOOK'::text, 'COMPARISON'::text]))),
    CONSTRAINT message_state CHECK ((state = ANY (ARRAY['RECEIVED'::text, 'DIFFERENT'::text, 'IGNORED'::text, 'BOOKED'::text, 'DISMISSED'::text])))
);

CREATE INDEX message_due ON inbox.message USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX message_kept ON inbox.message USING btree (ended_at) WHERE (body_sealed IS NOT NULL);

CREATE INDEX message_open ON inbox.message USING btree (id) WHERE (state = ANY (ARRAY['RECEIVED'::text, 'DIFFERENT'::text]));

CREATE INDEX message_reference ON inbox.message USING btree (reference) WHERE (reference IS NOT NULL);

CREATE INDEX message_transaction ON inbox.message USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE SCHEMA installation;

CREATE TABLE installation.stamp (
    id smallint DEFAULT 1 NOT NULL,
    environment text NOT NULL,
    master_key_fingerprint text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT stamp_pkey PRIMARY KEY (id),
    CONSTRAINT one_row CHECK ((id = 1))
);

CREATE SCHEMA integrity;

CREATE TABLE integrity.run (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    since timestamp(3) with time zone,
    started_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone NOT NULL,
    ok boolean NOT NULL,
    results jsonb NOT NULL,
    CONSTRAINT run_pkey PRIMARY KEY (id)
);

CREATE INDEX run_started ON integrity.run USING btree (started_at);

CREATE SCHEMA known_addresses;

CREATE TABLE known_addresses.known_address (
    credential text NOT NULL,
    digest bytea NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT known_address_credential_digest_pk PRIMARY KEY (credential, digest)
);

CREATE INDEX known_address_last_used ON known_addresses.known_address USING btree (last_used_at);

CREATE SCHEMA ledger;

CREATE TABLE ledger.account (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    kind text NOT NULL,
    partner_id uuid,
    reference text NOT NULL,
    currency text NOT NULL,
    lock_mode text DEFAULT 'strict'::text NOT NULL,
    floor bigint,
    posted bigint DEFAULT 0 NOT NULL,
    suspended bigint DEFAULT 0 NOT NULL,
    liens bigint DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    status text DEFAULT 'Enabled'::text NOT NULL,
    closed_at timestamp(3) with time zone,
    daily_limit bigint,
    emits boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    holder_id uuid DEFAULT uuidv7() NOT NULL,
    moved_at timestamp(3) with time zone,
    routing_mac bytea,
    CONSTRAINT account_pkey PRIMARY KEY (id),
    CONSTRAINT account_reference UNIQUE (kind, reference, currency),
    CONSTRAINT account_floor CHECK (((floor IS NULL) OR ((lock_mode = 'strict'::text) AND ((posted - suspended) >= floor))))
) WITH (fillfactor=60);

CREATE INDEX account_partner ON ledger.account USING btree (partner_id, kind) WHERE (partner_id IS NOT NULL);

CREATE INDEX account_restricted ON ledger.account USING btree (status, id) WHERE (status <> 'Enabled'::text);

CREATE TRIGGER account_kept BEFORE DELETE ON ledger.account FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TRIGGER account_opened_empty BEFORE INSERT ON ledger.account FOR EACH ROW EXECUTE FUNCTION ledger.refuse_opening();

CREATE TRIGGER account_rules BEFORE UPDATE OF status, closed_at, daily_limit, liens ON ledger.account FOR EACH ROW WHEN ((((old.kind <> 'WALLET'::text) AND ((((new.status IS DISTINCT FROM old.status) OR (new.closed_at IS DISTINCT FROM old.closed_at)) OR (new.daily_limit IS DISTINCT FROM old.daily_limit)) OR (new.liens IS DISTINCT FROM old.liens))) OR ((old.closed_at IS NOT NULL) AND (new.closed_at IS DISTINCT FROM old.closed_at)))) EXECUTE FUNCTION ledger.refuse_rules();

CREATE TRIGGER account_sound BEFORE INSERT OR UPDATE OF currency, lock_mode, status, closed_at, suspended, liens ON ledger.account FOR EACH ROW EXECUTE FUNCTION ledger.refuse_unsound_account();

CREATE TABLE ledger.archive (
    ends_at timestamp(3) with time zone NOT NULL,
    starts_at timestamp(3) with time zone,
    part text NOT NULL,
    entries bigint NOT NULL,
    manifest_digest bytea NOT NULL,
    carried_digest bytea NOT NULL,
    archived_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT archive_pkey PRIMARY KEY (ends_at),
    CONSTRAINT archive_part_unique UNIQUE (part)
);

CREATE TRIGGER archive_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.archive FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TABLE ledger.carried (
    account_id bigint NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    entries bigint NOT NULL,
    debits bigint NOT NULL,
    credits bigint NOT NULL,
    opening bigint,
    version bigint,
    closing bigint,
    moved_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT carried_account_id_ends_at_pk PRIMARY KEY (account_id, ends_at),
    CONSTRAINT carried_ends_at_archive_ends_at_fk FOREIGN KEY (ends_at) REFERENCES ledger.archive(ends_at),
    CONSTRAINT carried_sound CHECK (((entries > 0) AND (LEAST(debits, credits) >= 0) AND
CASE
    WHEN (version IS NULL) THEN (num_nonnulls(opening, closing) = 0)
    ELSE COALESCE((closing = ((opening + credits) - debits)), false)
END))
);

CREATE TRIGGER carried_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.carried FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TABLE ledger.deferred_delta (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT deferred_delta_pkey PRIMARY KEY (id),
    CONSTRAINT deferred_delta_account_id_account_id_fk FOREIGN KEY (account_id) REFERENCES ledger.account(id)
);

CREATE TABLE ledger.entry (
    transaction_id bigint NOT NULL,
    leg smallint NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    fee bigint DEFAULT 0 NOT NULL,
    version bigint,
    opening bigint,
    closing bigint,
    business_date date NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT entry_sound CHECK (((amount <> 0) AND
CASE
    WHEN (version IS NULL) THEN (num_nonnulls(opening, closing) = 0)
    ELSE COALESCE((closing = (opening + amount)), false)
END))
) PARTITION BY RANGE (created_at);

CREATE TRIGGER entry_balanced AFTER INSERT ON ledger.entry REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_unbalanced();

CREATE TRIGGER entry_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.entry FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TABLE ledger.hold (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    owner_id uuid NOT NULL,
    reference text NOT NULL,
    request_hash bytea NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL,
    code text,
    counted boolean NOT NULL,
    held_day date NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    closed_at timestamp(3) with time zone,
    CONSTRAINT hold_pkey PRIMARY KEY (id),
    CONSTRAINT hold_reference UNIQUE (owner_id, reference),
    CONSTRAINT hold_account_id_account_id_fk FOREIGN KEY (account_id) REFERENCES ledger.account(id),
    CONSTRAINT hold_amount CHECK ((amount > 0)),
    CONSTRAINT hold_closed CHECK (((state = 'OPEN'::text) = (closed_at IS NULL))),
    CONSTRAINT hold_state CHECK ((state = ANY (ARRAY['OPEN'::text, 'CAPTURED'::text, 'RELEASED'::text, 'EXPIRED'::text, 'REFUSED'::text])))
);

CREATE INDEX hold_open ON ledger.hold USING btree (expires_at) WHERE (state = 'OPEN'::text);

CREATE INDEX hold_open_of_account ON ledger.hold USING btree (account_id, id) WHERE (state = 'OPEN'::text);

CREATE TABLE ledger.lien (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    reason text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    lifted_at timestamp(3) with time zone,
    held_for text,
    CONSTRAINT lien_pkey PRIMARY KEY (id),
    CONSTRAINT lien_account_id_account_id_fk FOREIGN KEY (account_id) REFERENCES ledger.account(id),
    CONSTRAINT lien_amount CHECK ((amount > 0))
);

CREATE INDEX lien_account ON ledger.lien USING btree (account_id);

CREATE TABLE ledger.spending (
    holder_id uuid NOT NULL,
    day date NOT NULL,
    spent bigint NOT NULL,
    CONSTRAINT spending_pkey PRIMARY KEY (holder_id),
    CONSTRAINT spending_spent CHECK ((spent >= 0))
);

CREATE TABLE ledger.transaction (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    owner_id uuid NOT NULL,
    reference text NOT NULL,
    partner_id uuid,
    type text NOT NULL,
    status text NOT NULL,
    code text,
    request_hash bytea NOT NULL,
    amount bigint NOT NULL,
    fee bigint DEFAULT 0 NOT NULL,
    commission bigint DEFAULT 0 NOT NULL,
    stamp_duty bigint DEFAULT 0 NOT NULL,
    currency text NOT NULL,
    source_id bigint,
    destination_id bigint,
    refunded bigint DEFAULT 0 NOT NULL,
    external_reference text,
    comment text,
    metadata jsonb,
    original_id bigint,
    created_at timestamp(3) with time zone NOT NULL,
    completed_at timestamp(3) with time zone,
    namer text NOT NULL,
    pending_reason text,
    mac bytea,
    hold_id bigint,
    void_reason text,
    CONSTRAINT transaction_pkey PRIMARY KEY (id),
    CONSTRAINT transaction_reference UNIQUE (owner_id, namer, reference),
    CONSTRAINT transaction_destination_id_account_id_fk FOREIGN KEY (destination_id) REFERENCES ledger.account(id),
    CONSTRAINT transaction_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES ledger.hold(id),
    CONSTRAINT transaction_original_id_transaction_id_fk FOREIGN KEY (original_id) REFERENCES ledger.transaction(id),
    CONSTRAINT transaction_source_id_account_id_fk FOREIGN KEY (source_id) REFERENCES ledger.account(id),
    CONSTRAINT transaction_mac CHECK (((mac IS NOT NULL) OR (id <= 0))),
    CONSTRAINT transaction_sound CHECK (((amount > 0) AND (LEAST(fee, commission, stamp_duty) >= 0) AND ((refunded >= 0) AND (refunded <= amount)) AND (namer = ANY (ARRAY['PARTNER'::text, 'CUSTOMER'::text, 'APPLICATION'::text, 'RAIL'::text, 'OPERATOR'::text])) AND (status = ANY (ARRAY['Pending'::text, 'Successful'::text, 'Failed'::text, 'Reversed'::text, 'Held'::text, 'Voided'::text])) AND ((status = 'Failed'::text) = (code IS NOT NULL)) AND ((status <> 'Pending'::text) OR (pending_reason IS NOT NULL)) AND
CASE
    WHEN (status = ANY (ARRAY['Held'::text, 'Voided'::text])) THEN (hold_id IS NOT NULL)
    ELSE true
END AND ((status = 'Voided'::text) = (void_reason IS NOT NULL))))
);

CREATE INDEX transaction_external ON ledger.transaction USING btree (external_reference, id) WHERE (external_reference IS NOT NULL);

CREATE INDEX transaction_held ON ledger.transaction USING btree (id) WHERE (status = 'Held'::text);

CREATE UNIQUE INDEX transaction_hold ON ledger.transaction USING btree (hold_id) WHERE (hold_id IS NOT NULL);

CREATE INDEX transaction_not_partners ON ledger.transaction USING btree (reference) WHERE (namer <> 'PARTNER'::text);

CREATE INDEX transaction_original ON ledger.transaction USING btree (original_id) WHERE (original_id IS NOT NULL);

CREATE INDEX transaction_partner ON ledger.transaction USING btree (partner_id, id);

CREATE INDEX transaction_pending ON ledger.transaction USING btree (destination_id) WHERE (status = 'Pending'::text);

CREATE INDEX transaction_pending_oldest ON ledger.transaction USING btree (id) WHERE (status = 'Pending'::text);

CREATE INDEX transaction_refused ON ledger.transaction USING btree (id) WHERE (status = ANY (ARRAY['Failed'::text, 'Voided'::text]));

CREATE INDEX transaction_refused_destination ON ledger.transaction USING btree (destination_id, id) WHERE (status = ANY (ARRAY['Failed'::text, 'Voided'::text]));

CREATE INDEX transaction_refused_source ON ledger.transaction USING btree (source_id, id) WHERE (status = ANY (ARRAY['Failed'::text, 'Voided'::text]));

CREATE INDEX transaction_time ON ledger.transaction USING brin (created_at) WITH (autosummarize='on');

CREATE TRIGGER transaction_kept BEFORE DELETE ON ledger.transaction FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE OR REPLACE FUNCTION ledger.answer_again(p jsonb, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamp with time zone, OUT entries jsonb)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  t ledger.transaction;
begin
  select x.* into strict t from ledger.transaction x
    where x.owner_id = (p ->> 'owner')::uuid and x.namer = p ->> 'namer' and x.reference = p ->> 'reference';
  replayed := true;
  transaction_id := t.id;
  created_at := t.created_at;
  outcome := case
    when not ledger.is_repeated(t, p) then 'REFERENCE_REUSED'
    when t.hold_id is not null then 'Pending'
    else coalesce(t.code, case when t.pending_reason is null then 'Successful' else 'Pending' end) end;
  entries := case when t.hold_id is null then ledger.entries_of(t.id) else '[]' end;
  if t.pending_reason is not null and t.completed_at is not null then
    entries := entries - -1 - -1; -- the two that settled it
  end if;
end $function$;

CREATE OR REPLACE FUNCTION ledger.apply_deferred(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_accounts bigint[];
  v_applied int;
begin
  select array_agg(a.id) into v_accounts from (
    select id from ledger.account
      where id in (select d.account_id from (select account_id from ledger.deferred_delta order by id limit p_limit) d)
      order by id for no key update skip locked) a;
  with picked as (
    delete from ledger.deferred_delta
      where id in (select id from ledger.deferred_delta where account_id = any (v_accounts) order by id limit p_limit)
      returning account_id, amount),
  summed as (select account_id, sum(amount)::bigint amount, count(*)::int movements from picked group by account_id),
  written as (
    update ledger.account a set posted = a.posted + s.amount from summed s where a.id = s.account_id)
  select coalesce(sum(movements), 0) into v_applied from summed;
  return v_applied;
end $function$;

CREATE OR REPLACE FUNCTION ledger.archived_until()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(max(ends_at), '-infinity') from ledger.archive
$function$;

CREATE OR REPLACE FUNCTION ledger.authorize(p jsonb, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  a ledger.account;
  v_id bigint;
  v_hold bigint;
  v_now timestamptz;
  v_code text;
  v_held bigint;
begin
  perform ledger.refuse_time(p_now);
  select * into strict a from ledger.account x where x.id = (p ->> 'source')::bigint for no key update;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  if p ? 'limitAccount' then select coalesce(p_now, x) into v_now from ledger.lock_spending(array[a.holder_id], v_now) x; end if;
  insert into ledger.transaction as t (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, created_at, completed_at)
    select x.owner, x.namer, x.reference, x.partner, x.type, 'Successful', decode(x."requestHash", 'hex'), decode(x.mac, 'hex'),
      x.amount, coalesce(x.fee, 0), coalesce(x.commission, 0), coalesce(x."stampDuty", 0), x.currency, x.source, x.destination,
      x."externalReference", x.comment, x.metadata, v_now, null
    from jsonb_to_record(p) x(owner uuid, namer text, reference text, partner uuid, type text, "requestHash" text, mac text,
      amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint, destination bigint,
      "externalReference" text, comment text, metadata jsonb)
    on conflict (owner_id, namer, reference) do nothing returning t.id into v_id;
  if v_id is null then
    return query select 1, again.* from ledger.answer_again(p) again;
    return;
  end if;

  v_code := ledger.refusal(p, null, null, v_now);
  if v_code is not null then
    update ledger.transaction set status = 'Failed', code = v_code where id = v_id;
    return query select 1, v_code, false, v_id, v_now, null::jsonb;
    return;
  end if;
  select -l.amount into strict v_held from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint) where l.account = a.id;
  insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values ((p ->> 'owner')::uuid, 'transaction ' || v_id, decode(p ->> 'requestHash', 'hex'), a.id, v_held, 'OPEN', p ? 'limitAccount',
      ledger.business_day(v_now), 'infinity', v_now)
    returning id into v_hold;
  update ledger.transaction set status = 'Held', hold_id = v_hold where id = v_id;
  update ledger.account set suspended = suspended + v_held, updated_at = greatest(updated_at, v_now) where id = a.id;
  update ledger.spending s
    set spent = ledger.spent_on(s, ledger.business_day(v_now)) + v_held, day = ledger.business_day(v_now)
    where p ? 'limitAccount' and s.holder_id = a.holder_id;
  return query select 1, 'Pending', false, v_id, v_now, '[]'::jsonb;
end $function$;

CREATE OR REPLACE FUNCTION ledger.authorize_all(p_postings jsonb)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_count int := jsonb_array_length(p_postings);
  v_sources bigint[] := translate(jsonb_path_query_array(p_postings, '$[*].source')::text, '[]', '{}')::bigint[];
  v_known bigint[];
  v_accounts ledger.account[];
  v_before ledger.account[];
  v_now timestamptz;
  v_plain boolean;
  v_ids bigint[];
  v_holds bigint[];
  v_held bigint[];
  v_made bigint[];
  v_posting jsonb;
  a ledger.account;
  k int;
begin
  select array_agg(x.a), array_agg((x.a).id), max((x.a).moved_at) into v_accounts, v_known, v_now from (
    select y as a from ledger.account y where y.id = any (v_sources) order by y.id for no key update) x;
  v_before := v_accounts;
  v_now := greatest(v_now, date_trunc('milliseconds', clock_timestamp()));
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    perform ledger.lock_spending(array(
        select y.holder_id from ledger.account y join jsonb_array_elements(p_postings) p on y.id = (p ->> 'limitAccount')::bigint),
      v_now);
    v_plain := false;
  else
    -- What it is paid to is not locked: our own accounts, which take what they are given.
    v_plain := not jsonb_path_exists(p_postings, '$[*] ? (exists(@.predecidedRefusal) || exists(@.hold) || exists(@.original))')
      and not exists (
        select from jsonb_array_elements(p_postings) p, jsonb_to_recordset(p -> 'legs') l (account bigint, amount bigint)
          left join ledger.account y on y.id = l.account
         where l.account <> (p ->> 'source')::bigint
           and (l.amount > 0 and y.lock_mode = 'deferred' and y.status = 'Enabled' and y.currency = p ->> 'currency') is not true);
  end if;

  for i in 1 .. case when v_plain then v_count else 0 end loop
    v_posting := p_postings -> (i - 1);
    k := array_position(v_known, (v_posting ->> 'source')::bigint);
    a := v_accounts[k];
    v_held[i] := (
      select -l.amount from jsonb_to_recordset(v_posting -> 'legs') l (account bigint, amount bigint) where l.account = a.id);
    v_plain := (a.status = 'Enabled' and a.currency = v_posting ->> 'currency' and v_held[i] > 0
      and (a.floor is null or a.posted - a.suspended - a.liens - v_held[i] >= a.floor)) is true;
    exit when not v_plain;
    a.suspended := a.suspended + v_held[i];
    v_accounts[k] := a;
    v_ids[i] := nextval('ledger.transaction_id_seq');
    v_holds[i] := nextval('ledger.hold_id_seq');
  end loop;
  if not v_plain then
    return query
      select p.place::int, x.outcome, x.replayed, x.transaction_id, x.created_at, x.entries
        from jsonb_array_elements(p_postings) with ordinality p (body, place), ledger.authorize(p.body) x;
    return;
  end if;

  with asked as materialized (
    select x.*
      from rows from (jsonb_to_recordset(p_postings) as (owner uuid, namer text, reference text, partner uuid, type text,
          "requestHash" text, mac text, amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text,
          source bigint, destination bigint, "externalReference" text, comment text, metadata jsonb)) with ordinality
        x (owner, namer, reference, partner, type, "requestHash", mac, amount, fee, commission, "stampDuty", currency, source,
          destination, "externalReference", comment, metadata, place)),
  made as (
    insert into ledger.transaction as t (id, owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
        commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, hold_id, created_at)
      overriding system value
      select v_ids[x.place], x.owner, x.namer, x.reference, x.partner, x.type, 'Held', decode(x."requestHash", 'hex'),
        decode(x.mac, 'hex'), x.amount, coalesce(x.fee, 0), coalesce(x.commission, 0), coalesce(x."stampDuty", 0), x.currency,
        x.source, x.destination, x."externalReference", x.comment, x.metadata, v_holds[x.place], v_now
      from asked x order by x.owner, x.namer, x.reference, x.place
      on conflict (owner_id, namer, reference) do nothing
      returning t.id, t.owner_id, t.request_hash, t.source_id, t.hold_id),
  held as (
    insert into ledger.hold (id, owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at,
        created_at) overriding system value
      select m.hold_id, m.owner_id, 'transaction ' || m.id, m.request_hash, m.source_id, v_held[array_position(v_ids, m.id)], 'OPEN',
        false, ledger.business_day(v_now), 'infinity', v_now
      from made m)
  select coalesce(array_agg(m.id), '{}') into v_made from made m;

  -- Less than was judged, where a reference had been used before.
  if cardinality(v_made) < v_count then
    v_accounts := v_before;
    for i in 1 .. v_count loop
      continue when v_ids[i] <> all (v_made);
      k := array_position(v_known, (p_postings -> (i - 1) ->> 'source')::bigint);
      a := v_accounts[k];
      a.suspended := a.suspended + v_held[i];
      v_accounts[k] := a;
    end loop;
  end if;
  update ledger.account x set suspended = (n.a).suspended, updated_at = greatest(x.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n where x.id = (n.a).id and x.suspended <> (n.a).suspended;

  for i in 1 .. v_count loop
    if v_ids[i] = any (v_made) then
      ordinal := i;
      outcome := 'Pending';
      replayed := false;
      transaction_id := v_ids[i];
      created_at := v_now;
      entries := '[]';
      return next;
    else
      return query select i, again.* from ledger.answer_again(p_postings -> (i - 1)) again;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION ledger.balance_max()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$ select 999999999999999 $function$;

CREATE OR REPLACE FUNCTION ledger.business_day(p_at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (p_at at time zone 'Africa/Lagos')::date
$function$;

CREATE OR REPLACE FUNCTION ledger.capture(p_transaction bigint, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  t ledger.transaction;
  h ledger.hold;
  a ledger.account;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction where id = p_transaction for no key update;
  if t.status <> 'Held' then return t.status; end if;
  select * into strict h from ledger.hold where id = t.hold_id for no key update;
  select * into strict a from ledger.account where id = t.source_id for no key update;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  update ledger.hold set state = 'CAPTURED', closed_at = v_now where id = h.id;
  update ledger.account set suspended = suspended - h.amount where id = a.id;
  perform ledger.write_legs(t, (
    select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount, 'fee', l.fee) order by l.place)
    from (
      select 1 as place, t.source_id as account, -h.amount as amount, h.amount - t.amount as fee
      union all select 2, t.destination_id, t.amount, 0
      union all select 3, x.id, c.amount, 0
        from (values ('FEE', t.fee), ('COMMISSION', t.commission), ('STAMP_DUTY', t.stamp_duty)) c(kind, amount)
          join ledger.account x on x.kind = c.kind and x.reference = lower(c.kind) and x.currency = t.currency
        where c.amount > 0) l), 1, v_now);
  return t.status;
end $function$;

CREATE OR REPLACE FUNCTION ledger.carried_digest(p_ends timestamp with time zone)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(coalesce(string_agg(concat_ws(',', c.account_id, c.entries, c.debits, c.credits, coalesce(c.opening::text, ''),
      coalesce(c.version::text, ''), coalesce(c.closing::text, ''),
      to_char(c.moved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || E'\n', '' order by c.account_id), ''), 'UTF8'))
    from ledger.carried c where c.ends_at = p_ends
$function$;

CREATE OR REPLACE FUNCTION ledger.close_holds(p_holds bigint[], p_state text, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_closed int;
begin
  perform ledger.refuse_time(p_now);
  perform 1 from ledger.hold h where h.id = any (p_holds) order by h.id for no key update;
  perform 1 from ledger.account a
    where a.id in (select h.account_id from ledger.hold h where h.id = any (p_holds) and h.state = 'OPEN')
    order by a.id for no key update;
  perform 1 from ledger.spending s
    where s.holder_id in (select a.holder_id from ledger.hold h join ledger.account a on a.id = h.account_id
                           where h.id = any (p_holds) and h.state = 'OPEN' and h.counted)
    order by s.holder_id for no key update;
  with closed as (
    update ledger.hold h set state = p_state, closed_at = v_now
      where h.id = any (p_holds) and h.state = 'OPEN' and (p_state <> 'EXPIRED' or h.expires_at <= v_now)
      returning h.*),
  given as (
    update ledger.account a set suspended = a.suspended - c.held, updated_at = greatest(a.updated_at, v_now)
      from (select account_id, sum(amount) held from closed group by account_id) c
      where a.id = c.account_id),
  uncounted as (
    update ledger.spending s set spent = s.spent - c.amount
      from (select a.holder_id, h.held_day, sum(h.amount) amount from closed h join ledger.account a on a.id = h.account_id
              where h.counted group by 1, 2) c
      where s.holder_id = c.holder_id and s.day = c.held_day)
  select count(*) into v_closed from closed;
  return v_closed;
end $function$;

CREATE OR REPLACE FUNCTION ledger.entries_of(p_transaction bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_agg(jsonb_build_object('account', e.account_id, 'amount', e.amount::text,
      'opening', e.opening::text, 'closing', e.closing::text) order by e.leg)
    from ledger.entry e where e.transaction_id = p_transaction
$function$;

CREATE OR REPLACE FUNCTION ledger.entry_parts()
 RETURNS TABLE(part text, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
AS $function$
  select c.relname::text, coalesce(substring(b.bound from 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
      coalesce(substring(b.bound from 'TO \(''([^'']+)''\)')::timestamptz, 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = 'ledger.entry'::regclass and not i.inhdetachpending
$function$;

CREATE OR REPLACE FUNCTION ledger.id_since(p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  low bigint := 0;
  high bigint := coalesce((select max(id) from ledger.transaction), 0) + 1;
  middle bigint;
  found record;
begin
  -- Everything below low is earlier; high and above is not.
  while low < high loop
    middle := low + (high - low) / 2;
    select id, created_at into found from ledger.transaction where id >= middle order by id limit 1;
    if found.id is null or found.id >= high then
      high := middle;
    elsif found.created_at < p_at then
      low := found.id + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $function$;

CREATE OR REPLACE FUNCTION ledger.is_repeated(t ledger.transaction, p jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when t.mac is not null then t.request_hash = decode(p ->> 'requestHash', 'hex')
    else t.type = p ->> 'type' and t.currency = coalesce(p ->> 'currency', t.currency)
      and (t.amount = (p ->> 'amount')::bigint or p ? 'refundsRemainder')
      and t.comment is not distinct from p ->> 'comment'
      and t.external_reference is not distinct from p ->> 'externalReference'
      and (not p ? 'source' or t.type not like 'PARTNER_WALLET_%'
           or (t.source_id, t.destination_id) = ((p ->> 'source')::bigint, (p ->> 'destination')::bigint))
      and (not p ? 'destination' or t.type <> 'TRANSFER'
           or (select count(distinct a.holder_id) = 1 from ledger.account a
                where a.id in (t.destination_id, (p ->> 'destination')::bigint)))
  end
$function$;

CREATE OR REPLACE FUNCTION ledger.lock_spending(p_holders uuid[], p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  v_day date := ledger.business_day(p_now);
  v_last date;
begin
  insert into ledger.spending (holder_id, day, spent)
    select h, v_day, 0 from (select distinct h from unnest(p_holders) h where h is not null order by h) x
    where not exists (select from ledger.spending s where s.holder_id = h)
    on conflict do nothing;
  select max(x.day) into v_last from (
    select s.day from ledger.spending s where s.holder_id = any (p_holders) order by s.holder_id for no key update) x;
  return case when v_last > v_day then v_last::timestamp at time zone 'Africa/Lagos' else p_now end;
end $function$;

CREATE OR REPLACE FUNCTION ledger.lock_transaction(p_id bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select from ledger.transaction where id = p_id for no key update
$function$;

CREATE OR REPLACE FUNCTION ledger.major(p_minor bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select trim_scale(p_minor / 100.0)::text
$function$;

CREATE OR REPLACE FUNCTION ledger.make_months()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET lock_timeout TO '200ms'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_start timestamptz;
  v_name text;
  v_made int := 0;
begin
  for v_start in
    select month.starts_at from (
      select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at from generate_series(0, 12) ahead) month
     where not exists (select from ledger.entry_parts() p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at)
     order by 1
  loop
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock('ledger.entry'::regclass::oid::bigint) then return v_made; end if;
    lock table ledger.account, ledger.transaction in share row exclusive mode;
    lock table ledger.entry in share update exclusive mode;
    continue when exists (select from ledger.entry_parts() p where p.starts_at <= v_start and p.ends_at > v_start);
    v_name := 'entry_' || to_char(v_start at time zone 'Africa/Lagos', 'YYYY_MM');
    execute format('create table ledger.%I (like ledger.entry including all, primary key (transaction_id, leg),
      unique (account_id, version), foreign key (transaction_id) references ledger.transaction (id),
      foreign key (account_id) references ledger.account (id))', v_name);
    execute format('create index %I on ledger.%I using brin (created_at) with (autosummarize = on)', v_name || '_time', v_name);
    execute format('create trigger entry_balanced after insert on ledger.%I
      referencing new table as written for each statement execute function ledger.refuse_unbalanced()', v_name);
    execute format('create trigger entry_immutable before update or delete or truncate on ledger.%I
      for each statement execute function ledger.refuse_change()', v_name);
    execute format('alter table ledger.entry attach partition ledger.%I for values from (%L) to (%L)', v_name, v_start,
      (v_start at time zone 'Africa/Lagos' + interval '1 month') at time zone 'Africa/Lagos');
    v_made := v_made + 1;
  end loop;
  -- Not while those locks are held.
  if v_made = 0 and (select coalesce(s.last_analyze < now() - interval '1 day', true) from pg_stat_all_tables s where s.relid = 'ledger.entry'::regclass)
  then analyze only ledger.entry; end if;
  return v_made;
end $function$;

CREATE OR REPLACE FUNCTION ledger.movement_event(p_wallet text, e ledger.entry, p_principal bigint, p_fee bigint, p_reference text, p_external_reference text, p_comment text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select format('{"event":"%s","reference":%s,"data":{"Amount":%s,"Operation":"%s","Transaction":{"Amount":%s,"Fee":%s,'
      '"Status":"Successful","Reference":%s,"ExternalReference":%s,"Comment":%s},"OpeningBalance":%s,"ClosingBalance":%s,"CreatedAt":"%s"}}',
    case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, to_json(p_wallet), ledger.major(e.amount),
    case when e.amount > 0 then 'Credit' else 'Debit' end, ledger.major(p_principal), ledger.major(p_fee), to_json(p_reference),
    to_json(coalesce(p_external_reference, '')), to_json(coalesce(p_comment, '')), ledger.major(e.opening), ledger.major(e.closing),
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$function$;

CREATE OR REPLACE FUNCTION ledger.parking_reason(a ledger.account, p_amount bigint, p_currency text, p_arrived boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_amount <= 0 or a.lock_mode <> 'strict' then null
    when a.closed_at is not null then case when p_arrived then 'WALLET_REVOKED' end
    when a.currency <> p_currency then case when p_arrived then 'CURRENCY_MISMATCH' end
    when a.status = 'Blocked' then 'WALLET_BLOCKED'
    when a.status = 'PNC' then 'WALLET_PNC'
    when a.posted + p_amount > ledger.balance_max() then case when p_arrived then 'BALANCE_EXCEEDED' end
  end
$function$;

CREATE OR REPLACE FUNCTION ledger.place_hold(p_owner uuid, p_reference text, p_hash bytea, p_account bigint, p_amount bigint, p_expires_at timestamp with time zone, p_counts boolean DEFAULT false, p_default_daily_limit bigint DEFAULT NULL::bigint, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(outcome text, hold_id bigint, replayed boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  h ledger.hold;
  a ledger.account;
  s ledger.spending;
  v_now timestamptz;
  v_code text;
begin
  perform ledger.refuse_time(p_now);
  insert into ledger.hold as n (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at, created_at)
    values (p_owner, p_reference, p_hash, p_account, p_amount, 'OPEN', p_counts,
      ledger.business_day(coalesce(p_now, clock_timestamp())), p_expires_at, coalesce(p_now, clock_timestamp()))
    on conflict (owner_id, reference) do nothing returning n.* into h;
  if h.id is null then
    select * into strict h from ledger.hold x where x.owner_id = p_owner and x.reference = p_reference;
    return query select case when h.request_hash <> p_hash then 'REFERENCE_REUSED' else coalesce(h.code, h.state) end, h.id, true;
    return;
  end if;

  select * into strict a from ledger.account x where x.id = p_account for no key update;
  v_now := coalesce(p_now, clock_timestamp());
  if p_counts then
    select coalesce(p_now, x) into v_now from ledger.lock_spending(array[a.holder_id], v_now) x;
    select * into strict s from ledger.spending x where x.holder_id = a.holder_id;
  end if;
  v_code := case
    when a.status = 'Blocked' then 'WALLET_BLOCKED'
    when a.status = 'PND' then 'WALLET_PND'
    when a.posted - a.suspended - a.liens - p_amount < a.floor then 'INSUFFICIENT_FUNDS'
    when p_counts and ledger.spent_on(s, ledger.business_day(v_now)) + p_amount > coalesce(a.daily_limit, p_default_daily_limit)
      then 'LIMIT_EXCEEDED'
  end;
  if v_code is not null then
    update ledger.hold set state = 'REFUSED', code = v_code, closed_at = v_now where id = h.id;
    return query select v_code, h.id, false;
    return;
  end if;
  update ledger.hold set held_day = ledger.business_day(v_now) where id = h.id;
  update ledger.account x set suspended = x.suspended + p_amount, updated_at = greatest(x.updated_at, v_now) where x.id = p_account;
  update ledger.spending x
    set spent = ledger.spent_on(x, ledger.business_day(v_now)) + p_amount, day = ledger.business_day(v_now)
    where p_counts and x.holder_id = a.holder_id;
  return query select 'OPEN', h.id, false;
end $function$;

CREATE OR REPLACE FUNCTION ledger.place_holds(p_holds jsonb)
 RETURNS TABLE(ordinal integer, outcome text, hold_id bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  v_accounts ledger.account[];
  v_known bigint[];
  v_refused bigint[];
  v_codes text[];
  v_now timestamptz;
  a ledger.account;
  h record;
  k int;
begin
  if (select count(*) > count(distinct x ->> 'reference') from jsonb_array_elements(p_holds) x) then
    raise exception 'a reference stands twice in one call';
  end if;
  select array_agg(x.a), array_agg((x.a).id) into v_accounts, v_known from (
    select y as a from ledger.account y
      where y.id in (select (x ->> 'account')::bigint from jsonb_array_elements(p_holds) x)
      order by y.id for no key update) x;
  v_now := clock_timestamp();

  for h in
    with asked as materialized (
      select p.*
        from rows from (jsonb_to_recordset(p_holds) as (owner uuid, reference text, hash text, account bigint, amount bigint,
          "expiresAt" timestamptz)) with ordinality p(owner, reference, hash, account, amount, expires_at, place)),
    made as (
      insert into ledger.hold (owner_id, reference, request_hash, account_id, amount, state, counted, held_day, expires_at,
        created_at)
      select owner, reference, decode(hash, 'hex'), account, amount, 'OPEN', false, ledger.business_day(v_now), expires_at, v_now
        from asked order by owner, reference
      on conflict (owner_id, reference) do nothing
      returning id, owner_id, reference)
    select asked.*, made.id from asked left join made on made.owner_id = asked.owner and made.reference = asked.reference
     order by place
  loop
    ordinal := h.place;
    hold_id := h.id;
    if h.id is null then
      select case when x.request_hash <> decode(h.hash, 'hex') then 'REFERENCE_REUSED' else coalesce(x.code, x.state) end, x.id
        into strict outcome, hold_id
        from ledger.hold x where x.owner_id = h.owner and x.reference = h.reference;
      return next;
      continue;
    end if;
    k := array_position(v_known, h.account);
    a := v_accounts[k];
    outcome := case
      when a.status = 'Blocked' then 'WALLET_BLOCKED'
      when a.status = 'PND' then 'WALLET_PND'
      when a.posted - a.suspended - a.liens - h.amount < a.floor then 'INSUFFICIENT_FUNDS'
      else 'OPEN'
    end;
    if outcome = 'OPEN' then
      a.suspended := a.suspended + h.amount;
      v_accounts[k] := a;
    else
      v_refused := v_refused || h.id;
      v_codes := v_codes || outcome;
    end if;
    return next;
  end loop;

  if v_refused is not null then
    update ledger.hold x set state = 'REFUSED', code = r.code, closed_at = v_now
      from unnest(v_refused, v_codes) r(id, code) where x.id = r.id;
  end if;
  update ledger.account x set suspended = (n.a).suspended, updated_at = greatest(x.updated_at, v_now)
    from (select unnest(v_accounts) as a offset 0) n
   where x.id = (n.a).id and x.suspended <> (n.a).suspended;
end $function$;

CREATE OR REPLACE FUNCTION ledger.post(p_postings jsonb, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_count int := jsonb_array_length(p_postings);
  v_named bigint[];
  v_special boolean;
  v_accounts ledger.account[];
  v_ids bigint[] := '{}';
  v_now timestamptz;
  v_reserved int;
  v_answers jsonb[];
  v_alone record;
  v_counted boolean;
begin
  if p_now is not null then perform ledger.refuse_time(p_now); end if;
  if v_count = 1 then
    if jsonb_array_length(p_postings #> '{0,legs}') = 2
        and not p_postings -> 0 ?| '{original,hold,limitAccount,predecidedRefusal,pendingReason}' then
      v_alone := ledger.post_pair(p_postings -> 0, p_now);
      if v_alone.outcome is not null then
        ordinal := 1;
        outcome := v_alone.outcome;
        replayed := v_alone.replayed;
        transaction_id := v_alone.transaction_id;
        created_at := v_alone.created_at;
        entries := v_alone.entries;
        return next;
        return;
      end if;
    end if;
  end if;
  v_named := translate(jsonb_path_query_array(p_postings, '$[*].legs[*].account')::text, '[]', '{}')::bigint[];
  v_special := jsonb_path_exists(p_postings,
    '$[*] ? (exists(@.original) || exists(@.predecidedRefusal) || exists(@.pendingReason))');
  if v_special and jsonb_path_exists(p_postings, '$[*].original') then
    perform 1 from ledger.transaction t
      where t.id in (
        select unnest(array[o.id, case when o.status = 'Pending' then o.original_id end])
        from jsonb_array_elements(p_postings) x join ledger.transaction o on o.id = (x -> 'original')::bigint)
      order by t.id for no key update;
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select bool_or(x.counted) into v_counted from (
      select h.counted from ledger.hold h
        where h.id = any (translate(jsonb_path_query_array(p_postings, '$[*].hold')::text, '[]', '{}')::bigint[])
        order by h.id for no key update) x;
  end if;
  select array_agg(x.a), max(x.moved_at) into v_accounts, v_now from (
    select y as a, y.moved_at from ledger.account y where y.id = any (v_named) and y.lock_mode = 'strict'
      order by y.id for no key update) x;
  if coalesce(cardinality(v_accounts), 0) < cardinality(v_named) then
    v_accounts := v_accounts || array(select x from ledger.account x where x.id = any (v_named) and x.lock_mode <> 'strict');
  end if;
  v_now := coalesce(p_now, greatest(v_now, date_trunc('milliseconds', clock_timestamp())));
  if v_counted or jsonb_path_exists(p_postings, '$[*] ? (exists(@.limitAccount) || exists(@.reverses))') then
    select coalesce(p_now, x) into v_now from ledger.lock_spending(array(
      select a.holder_id from jsonb_array_elements(p_postings) p(body)
        left join ledger.hold h on h.id = (p.body -> 'hold')::bigint
        join ledger.account a on a.id = coalesce(case when h.counted then h.account_id end, (p.body -> 'limitAccount')::bigint,
          case when p.body ? 'reverses' then (
            select o.source_id from ledger.transaction o
              where o.id = (p.body -> 'original')::bigint and o.type in ('TRANSFER', 'PAYOUT')) end)), v_now) x;
  end if;

  for i in 1 .. v_count loop v_ids[i] := nextval('ledger.transaction_id_seq'); end loop;
  insert into ledger.transaction (id, owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, original_id,
      created_at, completed_at) overriding system value
    select v_ids[p.ordinal], p.owner, p.namer, p.reference, p.partner, p.type, 'Successful', decode(p."requestHash", 'hex'),
      decode(p.mac, 'hex'), p.amount, coalesce(p.fee, 0), coalesce(p.commission, 0), coalesce(p."stampDuty", 0), p.currency, p.source,
      p.destination, p."externalReference", p.comment, p.metadata, p.original, v_now, v_now
    from rows from (jsonb_to_recordset(p_postings) as (owner uuid, namer text, reference text, partner uuid, type text,
        "requestHash" text, mac text, amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint,
        destination bigint, "externalReference" text, comment text, metadata jsonb, original bigint)) with ordinality
      p(owner, namer, reference, partner, type, "requestHash", mac, amount, fee, commission, "stampDuty", currency, source,
        destination, "externalReference", comment, metadata, original, ordinal)
    order by p.owner, p.namer, p.reference, p.ordinal
    on conflict (owner_id, namer, reference) do nothing;
  get diagnostics v_reserved = row_count;

  if v_reserved < v_count then
    v_ids := array(select t.id from unnest(v_ids) with ordinality u(id, place)
      left join ledger.transaction t on t.id = u.id order by u.place);
  elsif not v_special then
    v_answers := ledger.post_batch(p_postings, v_ids, v_accounts, v_now);
  end if;
  if v_answers is null then
    return query select i, r.* from generate_series(1, v_count) i,
      ledger.post_one(p_postings -> (i - 1), v_ids[i], v_now) r;
    return;
  end if;
  outcome := 'Successful';
  replayed := false;
  created_at := v_now;
  for i in 1 .. v_count loop
    ordinal := i;
    transaction_id := v_ids[i];
    entries := v_answers[i];
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION ledger.post_batch(p_postings jsonb, p_ids bigint[], p_accounts ledger.account[], p_now timestamp with time zone)
 RETURNS jsonb[]
 LANGUAGE plpgsql
AS $function$
declare
  v_known bigint[];
  v_last int[];
  v_deltas bigint[];
  v_holders uuid[];
  v_spent bigint[];
  v_day date := ledger.business_day(p_now);
  v_posting jsonb;
  v_legs jsonb;
  v_leg jsonb;
  v_amount bigint;
  k int;
  h int;
  a ledger.account;
  e ledger.entry;
  v_entries ledger.entry[];
  v_answer jsonb;
  v_answers jsonb[];
  v_events outbox.event[];
  v_holds ledger.hold[];
  v_held bigint[];
  v_hold ledger.hold;
  v_captured int;
begin
  for k in 1 .. coalesce(cardinality(p_accounts), 0) loop v_known[k] := p_accounts[k].id; end loop;
  if jsonb_path_exists(p_postings, '$[*].limitAccount') then
    select array_agg(s.holder_id), array_agg(ledger.spent_on(s, v_day)) into v_holders, v_spent from ledger.spending s
      where s.holder_id in (select x.holder_id from unnest(p_accounts) x where x.id = any (
        translate(jsonb_path_query_array(p_postings, '$[*].limitAccount')::text, '[]', '{}')::bigint[]));
  end if;
  if jsonb_path_exists(p_postings, '$[*].hold') then
    select array_agg(x), array_agg(x.id) into v_holds, v_held from ledger.hold x
      where x.id = any (translate(jsonb_path_query_array(p_postings, '$[*].hold')::text, '[]', '{}')::bigint[]);
  end if;
  for i in 1 .. cardinality(p_ids) loop
    v_posting := p_postings -> (i - 1);
    v_legs := v_posting -> 'legs';
    v_answer := '[]';
    v_hold := null;
    if v_posting ? 'hold' then
      h := array_position(v_held, (v_posting ->> 'hold')::bigint);
      v_hold := v_holds[h];
      if (v_hold.state = 'OPEN' and v_hold.expires_at > p_now and not v_hold.counted) is not true
          or v_posting ? 'limitAccount' then return null; end if;
      v_holds[h].state := 'CAPTURED';
      v_captured := 0;
    end if;
    for j in 1 .. coalesce(jsonb_array_length(v_legs), 0) loop
      v_leg := v_legs -> (j - 1);
      v_amount := (v_leg ->> 'amount')::bigint;
      k := array_position(v_known, (v_leg ->> 'account')::bigint);
      a := p_accounts[k];
      -- An account that is named twice, is not known, or may not be moved so.
      if (v_last[k] is distinct from i and a.currency = v_posting ->> 'currency'
          and case when v_amount > 0 then a.posted + v_amount <= ledger.balance_max() or a.lock_mode = 'deferred'
            else a.floor is null or a.id = v_hold.account_id or a.posted - a.suspended - a.liens + v_amount >= a.floor end) is not true then return null; end if;
      if a.status <> 'Enabled' then
        if a.status in ('Blocked', case when v_amount > 0 then 'PNC' else 'PND' end) then return null; end if;
      end if;
      if v_holders is not null then
        if v_posting ->> 'limitAccount' = a.id::text then
          h := array_position(v_holders, a.holder_id);
          v_spent[h] := v_spent[h] - v_amount;
          if v_spent[h] > coalesce(a.daily_limit, (v_posting ->> 'defaultDailyLimit')::bigint) then return null; end if;
        end if;
      end if;
      if a.id = v_hold.account_id and v_amount < 0 then
        if v_hold.amount + v_amount < 0 or a.lock_mode <> 'strict' then return null; end if;
        a.suspended := a.suspended - v_hold.amount;
        v_captured := v_captured + 1;
      end if;
      v_last[k] := i;
      if a.lock_mode = 'strict' then
        a.posted := a.posted + v_amount;
        a.version := a.version + 1;
        p_accounts[k] := a;
        e := row(p_ids[i], j, a.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), a.version, a.posted - v_amount, a.posted,
          v_day, p_now)::ledger.entry;
      else
        v_deltas[k] := coalesce(v_deltas[k], 0) + v_amount;
        e := row(p_ids[i], j, a.id, v_amount, coalesce((v_leg ->> 'fee')::bigint, 0), null, null, null, v_day, p_now)::ledger.entry;
      end if;
      v_entries := v_entries || e;
      v_answer := v_answer || jsonb_build_object('account', a.id, 'amount', v_amount::text, 'opening', e.opening::text,
        'closing', e.closing::text);
      if a.emits then
        v_events := v_events || row(null, a.partner_id, case when v_amount > 0 then 'wallet.credited' else 'wallet.debited' end,
          a.reference, null,
          ledger.movement_event(a.reference, e,
            ledger.told_amount(v_posting ->> 'type', (v_posting ->> 'amount')::bigint, v_amount),
            ledger.told_fee(v_posting ->> 'type', coalesce((v_posting ->> 'fee')::bigint, 0),
              coalesce((v_posting ->> 'stampDuty')::bigint, 0), coalesce(a.partner_id = (v_posting ->> 'partner')::uuid, false),
              v_amount, e.fee), v_posting ->> 'reference',
            case when v_posting ->> 'namer' in ('CUSTOMER', 'APPLICATION') and a.id::text is distinct from v_posting ->> 'source' then ''
              else v_posting ->> 'externalReference' end, v_posting ->> 'comment'), a.version, p_now, null)::outbox.event;
      end if;
    end loop;
    if v_answer = '[]' or v_hold.id is not null and v_captured = 0 then return null; end if;
    v_answers[i] := v_answer;
  end loop;

  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    select (n.e).* from (select unnest(v_entries) as e offset 0) n;
  if v_holds is null then
    update ledger.account x set posted = (n.a).posted, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
  else
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = any (v_held);
    update ledger.account x
      set posted = (n.a).posted, suspended = (n.a).suspended, version = (n.a).version, updated_at = p_now, moved_at = p_now
      from (select unnest(p_accounts) as a offset 0) n where x.id = (n.a).id and (n.a).lock_mode = 'strict';
  end if;
  if v_holders is not null then
    update ledger.spending s set spent = u.spent, day = v_day
      from unnest(v_holders, v_spent) u(holder, spent) where s.holder_id = u.holder;
  end if;
  if v_deltas is not null then
    insert into ledger.deferred_delta (account_id, amount)
      select v_known[s.k], v_deltas[s.k] from generate_subscripts(v_deltas, 1) s(k) where v_deltas[s.k] is not null;
  end if;
  if v_events is not null then k := outbox.emit_all(v_events); end if;
  return v_answers;
end $function$;

CREATE OR REPLACE FUNCTION ledger.post_one(p jsonb, p_id bigint, p_now timestamp with time zone, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamp with time zone, OUT entries jsonb)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  t ledger.transaction;
  o ledger.transaction;
  h ledger.hold;
  v_legs jsonb := p -> 'legs';
  v_reason text;
  v_code text;
begin
  if p_id is null then
    select * into outcome, replayed, transaction_id, created_at, entries from ledger.answer_again(p);
    return;
  end if;
  select x.* into o from ledger.transaction x where x.id = (p -> 'original')::bigint;
  select x.* into h from ledger.hold x where x.id = (p -> 'hold')::bigint;
  if p ? 'refundsRemainder' and o.refunded < o.amount then
    p := p || jsonb_build_object('amount', o.amount - o.refunded, 'legs', (
      select jsonb_agg(leg || jsonb_build_object('amount', sign((leg ->> 'amount')::bigint)::bigint * (o.amount - o.refunded)))
        from jsonb_array_elements(p -> 'legs') leg));
    v_legs := p -> 'legs';
    update ledger.transaction x set amount = o.amount - o.refunded where x.id = p_id;
  end if;
  if p ? 'reverses' and exists (
      select from (select e.account_id as account, e.amount from ledger.entry e where e.transaction_id = o.id
                   union all select l.account, l.amount from jsonb_to_recordset(v_legs) l(account bigint, amount bigint)) x
        group by x.account having sum(x.amount) <> 0) then
    raise exception 'the original has got other entries meanwhile' using errcode = 'serialization_failure';
  end if;
  if p ? 'suspenseAccount' then
    select coalesce(jsonb_agg(
             case when r.reason is null then r.leg else jsonb_set(r.leg, '{account}', p -> 'suspenseAccount') end
             order by r.ordinal), '[]'),
        min(r.reason)
      into v_legs, v_reason
      from (select leg, ordinal, case
              when p ? 'pendingReason' and p -> 'destination' = leg -> 'account' then p ->> 'pendingReason'
              else ledger.parking_reason(a, (leg ->> 'amount')::bigint, p ->> 'currency', p ? 'arrived') end as reason
              from jsonb_array_elements(v_legs) with ordinality x(leg, ordinal)
              join ledger.account a on a.id = (leg ->> 'account')::bigint) r;
  end if;
  v_code := ledger.refusal(jsonb_set(p, '{legs}', v_legs), o, h, p_now);

  if v_code is not null then
    update ledger.transaction x set status = 'Failed', code = v_code, completed_at = null
      where x.id = p_id returning x.* into t;
  else
    if v_reason is not null then
      update ledger.transaction x set status = 'Pending', pending_reason = v_reason, completed_at = null where x.id = p_id;
    end if;
    select x.* into t from ledger.transaction x where x.id = p_id;
    update ledger.transaction x
      set refunded = x.refunded + t.amount,
        status = case when x.refunded + t.amount = x.amount then 'Reversed' else x.status end
      where x.id = o.id;
    if o.status = 'Pending' then -- a refund that never arrived gives nothing back any more
      update ledger.transaction x
        set refunded = x.refunded - o.amount, status = case x.status when 'Reversed' then 'Successful' else x.status end
        where x.id = o.original_id;
    end if;
    update ledger.hold x set state = 'CAPTURED', closed_at = p_now where x.id = h.id;
    update ledger.account a set suspended = a.suspended - h.amount where a.id = h.account_id;
    update ledger.spending s
      set spent = case
          when h.id is null then ledger.spent_on(s, ledger.business_day(p_now)) - l.amount
          when h.counted and s.day = h.held_day then s.spent - h.amount - l.amount
          else s.spent end,
        day = case when h.id is null then ledger.business_day(p_now) else s.day end
      from jsonb_to_recordset(v_legs) l(account bigint, amount bigint) join ledger.account a on a.id = l.account
      where a.id = coalesce(h.account_id, (p -> 'limitAccount')::bigint) and s.holder_id = a.holder_id;
    -- What comes back counts no more: on the day on which it was spent, and where a later day counts by now, on none.
    if p ? 'reverses' and o.type in ('TRANSFER', 'PAYOUT') then
      update ledger.spending s set spent = s.spent - x.amount
        from (
          select a.holder_id, y.held_day as day, y.amount from ledger.hold y join ledger.account a on a.id = y.account_id
            where y.id = o.hold_id and y.counted
          union all
          select a.holder_id, e.business_date, -e.amount from ledger.entry e join ledger.account a on a.id = e.account_id
            where o.type = 'TRANSFER' and e.transaction_id = o.id and e.account_id = o.source_id and e.created_at = o.created_at) x
        where s.holder_id = x.holder_id and s.day = x.day;
    end if;
    perform ledger.write_legs(t, v_legs, 1, p_now);
  end if;
  outcome := coalesce(v_code, t.status);
  replayed := false;
  transaction_id := t.id;
  created_at := t.created_at;
  entries := ledger.entries_of(t.id);
end $function$;

CREATE OR REPLACE FUNCTION ledger.post_pair(p jsonb, p_now timestamp with time zone, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamp with time zone, OUT entries jsonb)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  a ledger.account;
  b ledger.account;
  e ledger.entry;
  f ledger.entry;
  v_legs jsonb := p -> 'legs';
  v_first bigint := (v_legs #>> '{0,account}')::bigint;
  v_second bigint := (v_legs #>> '{1,account}')::bigint;
  v_amount bigint := (v_legs #>> '{1,amount}')::bigint;
  v_name text;
  v_now timestamptz;
  v_day date;
  v_id bigint;
begin
  if v_first < v_second then
    select x.* into a from ledger.account x where x.id = v_first and x.lock_mode = 'strict' for no key update;
    select x.* into b from ledger.account x where x.id = v_second and x.lock_mode = 'strict' for no key update;
  elsif v_first > v_second then
    select x.* into b from ledger.account x where x.id = v_second and x.lock_mode = 'strict' for no key update;
    select x.* into a from ledger.account x where x.id = v_first and x.lock_mode = 'strict' for no key update;
  end if;
  if a.id is null or b.id is null then return; end if;
  v_now := coalesce(p_now, greatest(a.moved_at, b.moved_at, date_trunc('milliseconds', clock_timestamp())));

  insert into ledger.transaction as t (owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
      commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, created_at, completed_at)
    values ((p ->> 'owner')::uuid, p ->> 'namer', p ->> 'reference', (p ->> 'partner')::uuid, p ->> 'type', 'Successful',
      decode(p ->> 'requestHash', 'hex'), decode(p ->> 'mac', 'hex'), (p ->> 'amount')::bigint, coalesce((p ->> 'fee')::bigint, 0),
      coalesce((p ->> 'commission')::bigint, 0), coalesce((p ->> 'stampDuty')::bigint, 0), p ->> 'currency',
      (p ->> 'source')::bigint, (p ->> 'destination')::bigint, p ->> 'externalReference', p ->> 'comment',
      nullif(p -> 'metadata', 'null'), v_now, v_now)
    on conflict (owner_id, namer, reference) do nothing
    returning t.id into v_id;
  -- As ledger.post_batch judges.
  if (v_id is not null and a.currency = p ->> 'currency' and b.currency = a.currency
      and a.status = 'Enabled' and b.status = 'Enabled'
      and case when v_amount > 0
          then b.posted + v_amount <= ledger.balance_max()
            and (a.floor is null or a.posted - a.suspended - a.liens - v_amount >= a.floor)
          else a.posted - v_amount <= ledger.balance_max()
            and (b.floor is null or b.posted - b.suspended - b.liens + v_amount >= b.floor) end) is not true then
    select r.* into outcome, replayed, transaction_id, created_at, entries from ledger.post_one(p, v_id, v_now) r;
    return;
  end if;

  v_day := ledger.business_day(v_now);
  e := row(v_id, 1, a.id, (v_legs #>> '{0,amount}')::bigint, coalesce((v_legs #>> '{0,fee}')::bigint, 0), a.version + 1, a.posted,
    a.posted + (v_legs #>> '{0,amount}')::bigint, v_day, v_now)::ledger.entry;
  f := row(v_id, 2, b.id, v_amount, coalesce((v_legs #>> '{1,fee}')::bigint, 0), b.version + 1, b.posted, b.posted + v_amount,
    v_day, v_now)::ledger.entry;
  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
    values (e.transaction_id, e.leg, e.account_id, e.amount, e.fee, e.version, e.opening, e.closing, v_day, v_now),
      (f.transaction_id, f.leg, f.account_id, f.amount, f.fee, f.version, f.opening, f.closing, v_day, v_now);
  update ledger.account x
    set posted = case x.id when e.account_id then e.closing else f.closing end, version = x.version + 1, updated_at = v_now, moved_at = v_now
    where x.id in (e.account_id, f.account_id);
  if a.emits then
    v_name := case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end;
    v_first := outbox.emit_movement(a.partner_id, v_name, a.reference, ledger.movement_event(a.reference, e,
      ledger.told_amount(p ->> 'type', (p ->> 'amount')::bigint, e.amount),
      ledger.told_fee(p ->> 'type', coalesce((p ->> 'fee')::bigint, 0), coalesce((p ->> 'stampDuty')::bigint, 0),
        coalesce(a.partner_id = (p ->> 'partner')::uuid, false), e.amount, e.fee), p ->> 'reference', case when p ->> 'namer' in ('CUSTOMER', 'APPLICATION') and a.id::text is distinct from p ->> 'source' then ''
        else p ->> 'externalReference' end, p ->> 'comment'), e.version);
  end if;
  if b.emits then
    v_name := case when f.amount > 0 then 'wallet.credited' else 'wallet.debited' end;
    v_first := outbox.emit_movement(b.partner_id, v_name, b.reference, ledger.movement_event(b.reference, f,
      ledger.told_amount(p ->> 'type', (p ->> 'amount')::bigint, f.amount),
      ledger.told_fee(p ->> 'type', coalesce((p ->> 'fee')::bigint, 0), coalesce((p ->> 'stampDuty')::bigint, 0),
        coalesce(b.partner_id = (p ->> 'partner')::uuid, false), f.amount, f.fee), p ->> 'reference', case when p ->> 'namer' in ('CUSTOMER', 'APPLICATION') and b.id::text is distinct from p ->> 'source' then ''
        else p ->> 'externalReference' end, p ->> 'comment'), f.version);
  end if;
  outcome := 'Successful';
  replayed := false;
  transaction_id := v_id;
  created_at := v_now;
  entries := jsonb_build_array(
    jsonb_build_object('account', e.account_id, 'amount', e.amount::text, 'opening', e.opening::text, 'closing', e.closing::text),
    jsonb_build_object('account', f.account_id, 'amount', f.amount::text, 'opening', f.opening::text, 'closing', f.closing::text));
end $function$;

CREATE OR REPLACE FUNCTION ledger.publish_movements(p_transactions bigint[], p_first integer DEFAULT 1)
 RETURNS void
 LANGUAGE sql
AS $function$
  select outbox.emit_all(array_agg(row(null, a.partner_id, event.name, a.reference, null,
      ledger.wallet_event(event.name, a.reference, t, e), e.version, e.created_at, null)::outbox.event order by e.transaction_id, e.leg))
  from ledger.entry e
    join ledger.transaction t on t.id = e.transaction_id
    cross join lateral (select * from ledger.account a where a.id = e.account_id offset 0) a,
    lateral (select case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end) event(name)
  where e.transaction_id = any (p_transactions) and e.leg >= p_first and a.emits
$function$;

CREATE OR REPLACE FUNCTION ledger.refusal(p jsonb, o ledger.transaction, h ledger.hold, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    case
      when p ? 'predecidedRefusal' then p ->> 'predecidedRefusal'
      when p ? 'hold' and h.id is null then 'HOLD_NOT_FOUND'
      when h.state <> 'OPEN' then 'HOLD_NOT_OPEN'
      when h.expires_at <= p_now then 'HOLD_EXPIRED'
      when p ? 'reverses' and (coalesce(o.status, 'Failed') not in ('Successful', 'Pending') or o.refunded > 0)
        then 'TRANSACTION_NOT_REVERSIBLE'
      when p ? 'original' and not p ? 'reverses' and coalesce(o.status, 'Failed') not in ('Successful', 'Reversed')
        then 'TRANSACTION_NOT_REFUNDABLE'
      when o.refunded + (p ->> 'amount')::bigint > o.amount then 'REFUND_EXCEEDS'
      when p ? 'suspenseAccount' and not p ? 'arrived' and exists (
             select from ledger.account a where a.id = (p ->> 'destination')::bigint and a.closed_at is not null)
        then 'WALLET_REVOKED'
    end,
    (select case
        when count(a.id) < greatest(count(*), 1) then 'ACCOUNT_NOT_FOUND'
        when bool_or(a.currency <> p ->> 'currency') then 'CURRENCY_MISMATCH'
        when h.id is not null and not bool_or(a.id = h.account_id and l.amount < 0) then 'HOLD_NOT_FOUND'
        when bool_or(a.status = 'Blocked') then 'WALLET_BLOCKED'
        when bool_or(a.status = 'PND' and l.amount < 0) then 'WALLET_PND'
        when bool_or(a.status = 'PNC' and l.amount > 0) then 'WALLET_PNC'
        when bool_or(a.id = h.account_id and h.amount + l.amount < 0) then 'HOLD_EXCEEDED'
        when bool_or(l.amount < 0 and a.floor is not null and a.id is distinct from h.account_id
                     and a.posted - a.suspended - a.liens + l.amount < a.floor) then 'INSUFFICIENT_FUNDS'
        when bool_or(a.lock_mode = 'strict' and a.posted + l.amount > ledger.balance_max()) then 'BALANCE_EXCEEDED'
        when h.id is null and bool_or(a.id = (p ->> 'limitAccount')::bigint
                     and coalesce(ledger.spent_on(s.today, ledger.business_day(p_now)), 0) - l.amount
                         > coalesce(a.daily_limit, (p ->> 'defaultDailyLimit')::bigint)) then 'LIMIT_EXCEEDED'
      end
      from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint)
      left join lateral (select * from ledger.account x where x.id = l.account offset 0) a on true
      left join lateral (select x as today from ledger.spending x
                          where x.holder_id = a.holder_id and a.id = (p ->> 'limitAccount')::bigint offset 0) s on true))
$function$;

CREATE OR REPLACE FUNCTION ledger.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'PT002'; end $function$;

CREATE OR REPLACE FUNCTION ledger.refuse_opening()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.posted <> 0 or new.suspended <> 0 or new.liens <> 0 or new.version <> 0 then
    raise exception 'an account is opened empty' using errcode = 'PT002';
  end if;
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  if new.kind not in ('WALLET', 'FLOAT', 'APPLICATION') or new.floor is distinct from 0 or new.lock_mode <> 'strict'
      or new.status <> 'Enabled' or new.moved_at is not null then
    raise exception 'an account of this kind is the owner''s to open' using errcode = 'PT002';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION ledger.refuse_rules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  raise exception 'the rules of this account are never changed' using errcode = 'PT002';
end $function$;

CREATE OR REPLACE FUNCTION ledger.refuse_time(p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- Called by a function with its owner's rights: current_user is that owner, session_user who logged in.
  if p_now is not null and not pg_has_role(session_user, current_user, 'member') then
    raise exception 'only the owner says when' using errcode = 'insufficient_privilege';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION ledger.refuse_unbalanced()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select 1 from written w join ledger.account a on a.id = w.account_id
    group by w.transaction_id, a.currency having sum(w.amount) <> 0)
  then raise exception 'the legs of a posting must sum to zero' using errcode = 'PT001'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION ledger.refuse_unsound_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.currency in ('NGN', 'FP') and new.lock_mode in ('strict', 'deferred') and new.status in ('Enabled', 'Blocked', 'PND', 'PNC')
      and (new.closed_at is null or new.status = 'Blocked') and new.suspended >= 0 and new.liens >= 0) is not true then
    raise exception 'this is no account' using errcode = 'check_violation', constraint = 'account_sound';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION ledger.settle_pending(p_transaction bigint, p_account bigint DEFAULT NULL::bigint, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  t ledger.transaction;
  a ledger.account;
  w ledger.entry;
  v_now timestamptz;
begin
  perform ledger.refuse_time(p_now);
  select * into t from ledger.transaction where id = p_transaction for no key update skip locked;
  if t.id is null then return 'Pending'; end if;
  -- Whoever found it waiting did so before another session settled or returned it: nothing is done here, and nothing is to be told.
  if t.status <> 'Pending' then return case when p_account is null then 'Pending' else t.status end; end if;
  select e.* into strict w from ledger.entry e join ledger.account s on s.id = e.account_id
    where e.transaction_id = t.id and s.kind = 'SUSPENSE' and e.amount > 0;
  select * into strict a from ledger.account where id = coalesce(p_account, t.destination_id) for no key update;
  if (p_account is null and t.pending_reason not in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED'))
      or ledger.parking_reason(a, w.amount, t.currency, true) is not null then
    return t.status;
  end if;
  v_now := coalesce(p_now, greatest(a.moved_at, date_trunc('milliseconds', clock_timestamp())));
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  perform ledger.write_legs(t, jsonb_build_array(
      jsonb_build_object('account', w.account_id, 'amount', -w.amount),
      jsonb_build_object('account', a.id, 'amount', w.amount, 'fee', w.fee)),
    (select count(*)::int + 1 from ledger.entry e where e.transaction_id = t.id), v_now);
  return t.status;
end $function$;

CREATE OR REPLACE FUNCTION ledger.spent_on(s ledger.spending, p_day date)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when s.day = p_day then s.spent else 0 end
$function$;

CREATE OR REPLACE FUNCTION ledger.told_amount(p_type text, p_amount bigint, p_effect bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_type = 'REVERSAL' then abs(p_effect) else p_amount end
$function$;

CREATE OR REPLACE FUNCTION ledger.told_fee(p_type text, p_fee bigint, p_stamp_duty bigint, p_is_own boolean, p_effect bigint, p_taken bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_type in ('REVERSAL', 'PARTNER_WALLET_DEBIT') or p_type in ('TRANSFER', 'SWITCH') and p_effect > 0 then 0
    when not p_is_own then case when p_effect < 0 then p_taken else 0 end
    when p_type = 'PAYOUT' then p_fee + p_stamp_duty
    else p_fee end
$function$;

CREATE OR REPLACE FUNCTION ledger.void(p_transaction bigint, p_reason text, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  t ledger.transaction;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction where id = p_transaction for no key update;
  if t.status <> 'Held' then return t.status; end if;
  perform ledger.close_holds(array[t.hold_id], 'RELEASED', p_now);
  update ledger.transaction set status = 'Voided', void_reason = p_reason, completed_at = null where id = t.id;
  return 'Voided';
end $function$;

CREATE OR REPLACE FUNCTION ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select ledger.movement_event(p_wallet, e, ledger.told_amount(t.type, t.amount, e.amount),
    ledger.told_fee(t.type, t.fee, t.stamp_duty,
      coalesce(t.partner_id = (select a.partner_id from ledger.account a where a.id = e.account_id), false), e.amount, e.fee),
    t.reference,
    case when t.namer in ('CUSTOMER', 'APPLICATION') and e.account_id is distinct from t.source_id then '' else t.external_reference end,
    t.comment)
$function$;

CREATE OR REPLACE FUNCTION ledger.write_legs(t ledger.transaction, p_legs jsonb, p_first integer, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
  select t.id, p_first + l.ordinal - 1, a.id, l.amount, coalesce(l.fee, 0),
    case when a.lock_mode = 'strict' then a.version + 1 end,
    case when a.lock_mode = 'strict' then a.posted end,
    case when a.lock_mode = 'strict' then a.posted + l.amount end,
    ledger.business_day(p_now), p_now
  from rows from (jsonb_to_recordset(p_legs) as (account bigint, amount bigint, fee bigint))
    with ordinality l(account, amount, fee, ordinal)
  join ledger.account a on a.id = l.account;

  update ledger.account a set posted = e.closing, version = e.version, updated_at = p_now, moved_at = p_now
    from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and a.id = e.account_id and e.version is not null;

  insert into ledger.deferred_delta (account_id, amount)
    select e.account_id, e.amount from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and e.version is null;

  perform ledger.publish_movements(array[t.id], p_first);
end $function$;

CREATE SCHEMA letters;

CREATE TABLE letters.letter (
    id uuid NOT NULL,
    owner_kind text NOT NULL,
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    facts jsonb NOT NULL,
    recipient_sealed bytea,
    address_digest bytea NOT NULL,
    happened_at timestamp(3) with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    sent_at timestamp(3) with time zone,
    link_until timestamp(3) with time zone,
    token_digest bytea,
    secret_sealed bytea,
    opened_at timestamp(3) with time zone,
    cause uuid,
    CONSTRAINT letter_pkey PRIMARY KEY (id),
    CONSTRAINT letter_cause_unique UNIQUE (cause),
    CONSTRAINT letter_token_digest_unique UNIQUE (token_digest),
    CONSTRAINT letter_due CHECK (((due_at IS NULL) = (recipient_sealed IS NULL))),
    CONSTRAINT letter_kind CHECK ((kind = ANY (ARRAY['CONTACT_PROOF'::text, 'API_KEY'::text, 'CLIENT_SECRET'::text, 'WEBHOOK_SECRET'::text, 'PARTNER_CHANGED'::text, 'MONEY_FREED'::text, 'LIMIT_LIFTED'::text]))),
    CONSTRAINT letter_link CHECK (
CASE
    WHEN (link_until IS NULL) THEN (num_nonnulls(token_digest, secret_sealed, opened_at) = 0)
    ELSE (kind = ANY (ARRAY['CONTACT_PROOF'::text, 'API_KEY'::text, 'CLIENT_SECRET'::text, 'WEBHOOK_SECRET'::text]))
END),
    CONSTRAINT letter_opened CHECK (((opened_at IS NULL) OR (secret_sealed IS NULL))),
    CONSTRAINT letter_owner_kind CHECK ((owner_kind = ANY (ARRAY['PARTNER'::text, 'APPLICATION'::text])))
);

CREATE INDEX letter_due_at ON letters.letter USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX letter_happened ON letters.letter USING btree (happened_at);

CREATE INDEX letter_kept ON letters.letter USING btree (link_until) WHERE (secret_sealed IS NOT NULL);

CREATE INDEX letter_owner ON letters.letter USING btree (owner_id, happened_at);

CREATE TABLE letters.proven_contact (
    owner_id uuid NOT NULL,
    address_digest bytea NOT NULL,
    proven_at timestamp(3) with time zone NOT NULL,
    routing_mac bytea NOT NULL,
    CONSTRAINT proven_contact_pkey PRIMARY KEY (owner_id)
);

CREATE SCHEMA notices;

CREATE TABLE notices.notice (
    id uuid NOT NULL,
    customer_id uuid NOT NULL,
    partner_id uuid,
    kind text NOT NULL,
    channel text NOT NULL,
    recipient_sealed bytea,
    detail text,
    happened_at timestamp(3) with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    sent_at timestamp(3) with time zone,
    CONSTRAINT notice_pkey PRIMARY KEY (id),
    CONSTRAINT notice_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT notice_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT notice_channel CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text]))),
    CONSTRAINT notice_due CHECK (((due_at IS NULL) = (recipient_sealed IS NULL))),
    CONSTRAINT notice_kind CHECK ((kind = ANY (ARRAY['CREATED'::text, 'LINKED'::text, 'FIRST_LOGIN'::text, 'PASSWORD_RESET'::text, 'CONTACT_CHANGE'::text, 'CONTACT_CHANGE_CANCELLED'::text, 'RELEASED'::text])))
);

CREATE INDEX notice_customer ON notices.notice USING btree (customer_id, happened_at);

CREATE INDEX notice_due_at ON notices.notice USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX notice_happened ON notices.notice USING btree (happened_at);

CREATE SCHEMA onboarding;

CREATE TABLE onboarding.creation_session (
    digest bytea NOT NULL,
    partner_id uuid NOT NULL,
    kind text DEFAULT 'CREATION'::text NOT NULL,
    customer_id uuid,
    bvn_sealed bytea,
    first_name text NOT NULL,
    last_name text NOT NULL,
    other_name text,
    date_of_birth_sealed bytea,
    phone_sealed bytea,
    email_sealed bytea,
    paytag text,
    status text DEFAULT 'STARTED'::text NOT NULL,
    otp_digest bytea,
    otp_channel text,
    otp_reference text,
    otp_expires_at timestamp(3) with time zone,
    otp_sends smallint DEFAULT 0 NOT NULL,
    otp_sent_at jsonb DEFAULT '{}'::jsonb NOT NULL,
    otp_failures smallint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    is_email_proven boolean DEFAULT false NOT NULL,
    is_other_name_confirmed boolean DEFAULT false NOT NULL,
    CONSTRAINT creation_session_pkey PRIMARY KEY (digest),
    CONSTRAINT creation_session_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT creation_session_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT creation_session_kind CHECK (
CASE kind
    WHEN 'CREATION'::text THEN (num_nulls(bvn_sealed, date_of_birth_sealed) = 0)
    WHEN 'PASSWORD_RESET'::text THEN (customer_id IS NOT NULL)
    WHEN 'CONTACT_CHANGE'::text THEN (customer_id IS NOT NULL)
    ELSE false
END),
    CONSTRAINT creation_session_status CHECK ((status = ANY (ARRAY['STARTED'::text, 'VALIDATED'::text, 'COMPLETED'::text])))
);

CREATE INDEX creation_session_customer ON onboarding.creation_session USING btree (customer_id);

CREATE INDEX creation_session_expiry ON onboarding.creation_session USING btree (expires_at);

CREATE SCHEMA operators;

CREATE TABLE operators.operator (
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    token_digest bytea NOT NULL,
    token_expires_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    routing_mac bytea,
    CONSTRAINT operator_pkey PRIMARY KEY (id),
    CONSTRAINT operator_token_digest_unique UNIQUE (token_digest),
    CONSTRAINT operator_role CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'finance'::text, 'admin'::text]))),
    CONSTRAINT operator_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);

CREATE UNIQUE INDEX operator_name ON operators.operator USING btree (lower(name));

CREATE TABLE operators.session (
    digest bytea NOT NULL,
    operator_id uuid,
    token_digest bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    routing_mac bytea NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (digest),
    CONSTRAINT session_operator_id_operator_id_fk FOREIGN KEY (operator_id) REFERENCES operators.operator(id)
);

CREATE INDEX operator_session_expiry ON operators.session USING btree (expires_at);

CREATE INDEX operator_session_operator ON operators.session USING btree (operator_id);

CREATE SCHEMA outbox;

CREATE TABLE outbox.event (
    id uuid DEFAULT uuidv7() NOT NULL,
    receiver_id uuid NOT NULL,
    event text NOT NULL,
    reference text NOT NULL,
    subject_id uuid,
    body text,
    sequence bigint,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    body_digest bytea,
    CONSTRAINT event_pkey PRIMARY KEY (id),
    CONSTRAINT event_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) NOT ENFORCED
) PARTITION BY RANGE (id);

CREATE INDEX event_receiver ON ONLY outbox.event USING btree (receiver_id, created_at);

CREATE INDEX event_subject ON ONLY outbox.event USING btree (receiver_id, subject_id) WHERE (subject_id IS NOT NULL);

CREATE INDEX event_time ON ONLY outbox.event USING brin (created_at) WITH (autosummarize='on');

CREATE TRIGGER create_deliveries AFTER INSERT ON outbox.event REFERENCING NEW TABLE AS emitted FOR EACH STATEMENT EXECUTE FUNCTION webhooks.create_deliveries();

CREATE TRIGGER event_immutable BEFORE UPDATE ON outbox.event FOR EACH ROW WHEN (((new.* IS DISTINCT FROM old.*) AND (NOT ((new.body IS NULL) AND (old.body IS NOT NULL) AND (NOT (new.body_digest IS DISTINCT FROM sha256(convert_to(old.body, 'UTF8'::name)))) AND (NOT ((new.id IS DISTINCT FROM old.id) OR (new.receiver_id IS DISTINCT FROM old.receiver_id) OR (new.event IS DISTINCT FROM old.event) OR (new.reference IS DISTINCT FROM old.reference) OR (new.subject_id IS DISTINCT FROM old.subject_id) OR (new.sequence IS DISTINCT FROM old.sequence) OR (new.created_at IS DISTINCT FROM old.created_at))))))) EXECUTE FUNCTION ledger.refuse_change();

CREATE TRIGGER event_kept BEFORE DELETE ON outbox.event FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();

CREATE TABLE outbox.receiver (
    id uuid DEFAULT uuidv7() NOT NULL,
    owner_id uuid,
    owner_kind text NOT NULL,
    url text,
    client_id_sealed bytea NOT NULL,
    secret_sealed bytea NOT NULL,
    secret_rotated_at timestamp(3) with time zone,
    previous_secret_sealed bytea,
    previous_secret_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    default_id uuid,
    others smallint DEFAULT 0 NOT NULL,
    description text,
    events text[],
    events_from timestamp(3) with time zone,
    header_names text[],
    headers_sealed bytea,
    ordered boolean DEFAULT false NOT NULL,
    deleted_at timestamp(3) with time zone,
    routing_mac bytea NOT NULL,
    CONSTRAINT receiver_pkey PRIMARY KEY (id),
    CONSTRAINT receiver_owner_id_unique UNIQUE (owner_id),
    CONSTRAINT receiver_default_id_receiver_id_fk FOREIGN KEY (default_id) REFERENCES outbox.receiver(id),
    CONSTRAINT receiver_default CHECK (((owner_id IS NULL) = (default_id IS NOT NULL))),
    CONSTRAINT receiver_deleted CHECK (((deleted_at IS NULL) OR ((default_id IS NOT NULL) AND (url IS NULL)))),
    CONSTRAINT receiver_headers CHECK (((header_names IS NULL) = (headers_sealed IS NULL))),
    CONSTRAINT receiver_others CHECK ((((others >= 0) AND (others <= 10)) AND ((others = 0) OR (default_id IS NULL)))),
    CONSTRAINT receiver_owner_kind CHECK ((owner_kind = ANY (ARRAY['PARTNER'::text, 'APPLICATION'::text]))),
    CONSTRAINT receiver_previous_secret CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)))
);

CREATE INDEX receiver_beside ON outbox.receiver USING btree (default_id, id) WHERE (default_id IS NOT NULL);

CREATE INDEX receiver_previous_secret ON outbox.receiver USING btree (previous_secret_until) WHERE (previous_secret_until IS NOT NULL);

CREATE TRIGGER receiver_id_kept BEFORE UPDATE OF id ON outbox.receiver FOR EACH ROW WHEN ((new.id <> old.id)) EXECUTE FUNCTION ledger.refuse_change();

CREATE TRIGGER receiver_kept BEFORE DELETE ON outbox.receiver FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TRIGGER receiver_url_changed AFTER UPDATE OF url ON outbox.receiver FOR EACH ROW WHEN (((old.url IS NULL) <> (new.url IS NULL))) EXECUTE FUNCTION webhooks.receiver_url_changed();

CREATE OR REPLACE FUNCTION outbox.emit(p_owner uuid, p_event text, p_reference text, p_body text, p_subject uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into outbox.event (receiver_id, event, reference, body, subject_id)
  select r.id, p_event, p_reference, p_body, p_subject from outbox.receiver r where r.owner_id = p_owner
  returning id
$function$;

CREATE OR REPLACE FUNCTION outbox.emit_all(p_events outbox.event[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, subject_id, body, sequence)
  select r.id, (u.e).event, (u.e).reference, (u.e).subject_id, (u.e).body, (u.e).sequence
  from (select unnest(p_events) as e offset 0) u
    cross join lateral (select x.id from outbox.receiver x where x.owner_id = (u.e).receiver_id offset 0) r;
  get diagnostics v_written = row_count;
  return v_written;
end $function$;

CREATE OR REPLACE FUNCTION outbox.emit_all(p_events outbox.event_before[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, subject_id, body, sequence)
  select r.id, (u.e).event, (u.e).reference, (u.e).subject_id, (u.e).body, (u.e).sequence
  from (select unnest(p_events) as e offset 0) u
    cross join lateral (select x.id from outbox.receiver x where x.owner_id = (u.e).receiver_id offset 0) r;
  get diagnostics v_written = row_count;
  return v_written;
end $function$;

CREATE OR REPLACE FUNCTION outbox.emit_movement(p_owner uuid, p_event text, p_reference text, p_body text, p_sequence bigint)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, body, sequence)
    select x.id, p_event, p_reference, p_body, p_sequence from outbox.receiver x where x.owner_id = p_owner;
  get diagnostics v_written = row_count;
  return v_written;
end $function$;

CREATE OR REPLACE FUNCTION outbox.emit_to(p_receiver uuid, p_event text, p_reference text, p_body text)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into outbox.event (receiver_id, event, reference, body) values (p_receiver, p_event, p_reference, p_body) returning id
$function$;

CREATE OR REPLACE FUNCTION outbox.first_id_at(p_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$function$;

CREATE OR REPLACE FUNCTION outbox.make_months()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET lock_timeout TO '200ms'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select outbox.make_parts('outbox.event')
$function$;

CREATE OR REPLACE FUNCTION outbox.make_parts(p_table regclass)
 RETURNS integer
 LANGUAGE plpgsql
 SET lock_timeout TO '200ms'
AS $function$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_space name;
  v_name name;
  v_part name;
  v_start timestamptz;
  v_stored text;
  v_made int := 0;
begin
  select n.nspname, c.relname into strict v_space, v_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = p_table;
  for v_start in
    select month.starts_at from (
      select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at from generate_series(0, 12) ahead) month
     where not exists (select from outbox.parts(p_table) p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at)
     order by 1
  loop
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock(p_table::oid::bigint) then return v_made; end if;
    execute format('lock table only %s in share update exclusive mode', p_table);
    continue when exists (select from outbox.parts(p_table) p where p.starts_at <= v_start and p.ends_at > v_start);
    v_part := v_name || '_' || to_char(v_start at time zone 'Africa/Lagos', 'YYYY_MM');
    select ' with (' || array_to_string(c.reloptions, ', ') || ')' into v_stored
      from outbox.parts(p_table) p join pg_class c on c.relname = p.part and c.relnamespace = to_regnamespace(v_space)
     order by p.starts_at desc limit 1;
    execute format('create table %I.%I (like %s including all)%s', v_space, v_part, p_table, coalesce(v_stored, ''));
    execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)', p_table, v_space, v_part,
      outbox.first_id_at(v_start),
      outbox.first_id_at((v_start at time zone 'Africa/Lagos' + interval '1 month') at time zone 'Africa/Lagos'));
    v_made := v_made + 1;
  end loop;
  -- Not while those locks are held.
  if v_made = 0 and (select coalesce(s.last_analyze < now() - interval '1 day', true) from pg_stat_all_tables s where s.relid = p_table)
  then execute format('analyze only %s', p_table); end if;
  return v_made;
end $function$;

CREATE OR REPLACE FUNCTION outbox.parts(p_table regclass)
 RETURNS TABLE(part text, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select c.relname::text, coalesce(uuid_extract_timestamp(substring(b.bound from 'FROM \(''([^'']+)''\)')::uuid), '-infinity'),
      coalesce(uuid_extract_timestamp(substring(b.bound from 'TO \(''([^'']+)''\)')::uuid), 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = p_table and not i.inhdetachpending offset 0
$function$;

CREATE OR REPLACE FUNCTION outbox.route_receiver(p_id uuid, p_url text, p_events text[], p_mac bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- By the minute after, every transaction has ended that did not see which events it wants now.
  update outbox.receiver
     set url = p_url, events = p_events, routing_mac = p_mac, updated_at = now(),
         events_from = case when events is distinct from p_events then now() + interval '1 minute' else events_from end
   where id = p_id
$function$;

CREATE SCHEMA owner_proofs;

CREATE TABLE owner_proofs.owner_code (
    purpose text NOT NULL,
    code_digest bytea,
    code_expires_at timestamp(3) with time zone,
    sends smallint DEFAULT 0 NOT NULL,
    sent_at jsonb DEFAULT '{}'::jsonb NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT owner_code_pkey PRIMARY KEY (purpose),
    CONSTRAINT owner_code_expires CHECK (((code_digest IS NULL) OR (code_expires_at IS NOT NULL)))
);

CREATE INDEX owner_code_expiry ON owner_proofs.owner_code USING btree (expires_at);

CREATE SCHEMA partners;

CREATE TABLE partners.api_key (
    id uuid DEFAULT uuidv7() NOT NULL,
    partner_id uuid NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp(3) with time zone,
    routing_mac bytea NOT NULL,
    CONSTRAINT api_key_pkey PRIMARY KEY (id),
    CONSTRAINT api_key_digest_unique UNIQUE (digest),
    CONSTRAINT api_key_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id)
);

CREATE INDEX api_key_partner ON partners.api_key USING btree (partner_id);

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE ON partners.api_key FOR EACH ROW EXECUTE FUNCTION partners.notify_change();

CREATE TRIGGER revoked_for_good BEFORE UPDATE OF revoked_at ON partners.api_key FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND (new.revoked_at IS DISTINCT FROM old.revoked_at))) EXECUTE FUNCTION ledger.refuse_change();

CREATE TABLE partners.closed_portal_link (
    id bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT closed_portal_link_pkey PRIMARY KEY (id)
);

CREATE INDEX closed_portal_link_expiry ON partners.closed_portal_link USING btree (expires_at);

CREATE TABLE partners.partner (
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    redirect_url text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    client_id_digest bytea NOT NULL,
    contact_email_sealed bytea,
    routing_mac bytea NOT NULL,
    CONSTRAINT partner_pkey PRIMARY KEY (id),
    CONSTRAINT partner_client_id_digest_unique UNIQUE (client_id_digest),
    CONSTRAINT partner_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])))
);

CREATE INDEX partner_name ON partners.partner USING btree (lower(name) text_pattern_ops);

CREATE TRIGGER notify_change AFTER DELETE OR UPDATE ON partners.partner FOR EACH ROW EXECUTE FUNCTION partners.notify_change();

CREATE OR REPLACE FUNCTION partners.notify_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('paytag_changes', 'partners');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION partners.route_partner(p_id uuid, p_redirect_url text, p_mac bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update partners.partner set redirect_url = p_redirect_url, routing_mac = p_mac where id = p_id
$function$;

CREATE SCHEMA payments;

CREATE TABLE payments.payment (
    transaction_id bigint NOT NULL,
    terminal_id bigint,
    split_id bigint,
    sender_name text,
    sender_paytag text,
    sender_type text,
    CONSTRAINT payment_pkey PRIMARY KEY (transaction_id),
    CONSTRAINT payment_split_id_split_id_fk FOREIGN KEY (split_id) REFERENCES terminals.split(id),
    CONSTRAINT payment_terminal_id_terminal_id_fk FOREIGN KEY (terminal_id) REFERENCES terminals.terminal(id),
    CONSTRAINT payment_transaction_id_transaction_id_fk FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT payment_split CHECK (((split_id IS NULL) OR (terminal_id IS NOT NULL)))
);

CREATE INDEX payment_split ON payments.payment USING btree (split_id) WHERE (split_id IS NOT NULL);

CREATE INDEX payment_terminal ON payments.payment USING btree (terminal_id) WHERE (terminal_id IS NOT NULL);

CREATE SCHEMA payouts;

CREATE TABLE payouts.payout (
    id uuid DEFAULT uuidv7() NOT NULL,
    transaction_id bigint NOT NULL,
    partner_id uuid NOT NULL,
    wallet text NOT NULL,
    provider text NOT NULL,
    state text DEFAULT 'PENDING'::text NOT NULL,
    amount bigint NOT NULL,
    bank_code text NOT NULL,
    bank_name text NOT NULL,
    account_number_sealed bytea NOT NULL,
    account_name_sealed bytea NOT NULL,
    account_index bytea NOT NULL,
    provider_reference text NOT NULL,
    provider_id text,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    failure_reason text,
    failure_detail text,
    sent_at timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    reversed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contradiction text,
    correction_id bigint,
    CONSTRAINT payout_pkey PRIMARY KEY (id),
    CONSTRAINT payout_provider_reference UNIQUE (provider_reference),
    CONSTRAINT payout_transaction UNIQUE (transaction_id),
    CONSTRAINT payout_correction_id_transaction_id_fk FOREIGN KEY (correction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT payout_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT payout_transaction_id_transaction_id_fk FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT payout_wallet_partner_wallet_reference_fk FOREIGN KEY (wallet) REFERENCES wallets.partner_wallet(reference),
    CONSTRAINT payout_contradiction CHECK ((contradiction = ANY (ARRAY['NOT_FOUND'::text, 'SUCCESSFUL'::text, 'FAILED'::text, 'REVERSED'::text]))),
    CONSTRAINT payout_corrected CHECK (((correction_id IS NULL) OR (state = 'FAILED'::text))),
    CONSTRAINT payout_ended CHECK (((state = ANY (ARRAY['SUCCESSFUL'::text, 'FAILED'::text, 'REVERSED'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT payout_failed CHECK (((state = 'FAILED'::text) = (failure_reason IS NOT NULL))),
    CONSTRAINT payout_reversed CHECK (((state = 'REVERSED'::text) = (reversed_at IS NOT NULL))),
    CONSTRAINT payout_sent CHECK (((state = ANY (ARRAY['PENDING'::text, 'FAILED'::text])) OR (sent_at IS NOT NULL))),
    CONSTRAINT payout_state CHECK ((state = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'UNKNOWN'::text, 'SUCCESSFUL'::text, 'FAILED'::text, 'REVERSED'::text])))
);

CREATE INDEX payout_account ON payouts.payout USING btree (account_index);

CREATE INDEX payout_contradicted ON payouts.payout USING btree (id) WHERE (contradiction IS NOT NULL);

CREATE UNIQUE INDEX payout_correction ON payouts.payout USING btree (correction_id) WHERE (correction_id IS NOT NULL);

CREATE INDEX payout_due ON payouts.payout USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX payout_state_id ON payouts.payout USING btree (state, id);

CREATE INDEX payout_wallet ON payouts.payout USING btree (wallet, id);

CREATE OR REPLACE FUNCTION payouts.order_all(p_orders jsonb)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_places int[];
  v_ids bigint[];
  v_at timestamptz[];
begin
  for ordinal, outcome, replayed, transaction_id, created_at, entries in
    select x.ordinal, x.outcome, x.replayed, x.transaction_id, x.created_at, x.entries
      from ledger.authorize_all(jsonb_path_query_array(p_orders, '$[*].posting')) x
  loop
    if outcome = 'Pending' and not replayed then
      v_places := v_places || ordinal;
      v_ids := v_ids || transaction_id;
      v_at := v_at || created_at;
    end if;
    return next;
  end loop;
  if v_places is null then return; end if;
  insert into payouts.payout (transaction_id, partner_id, wallet, provider, amount, provider_reference, bank_code, bank_name,
      account_number_sealed, account_name_sealed, account_index, due_at, created_at, updated_at)
    select n.id, o."partnerId", o.wallet, o.provider, o.amount, o."providerReference", o."bankCode", o."bankName",
      decode(o."accountNumberSealed", 'base64'), decode(o."accountNameSealed", 'base64'), decode(o."accountIndex", 'base64'), o.now,
      n.at, o.now
    from unnest(v_places, v_ids, v_at) n (place, id, at),
      jsonb_to_record(p_orders -> (n.place - 1)) o ("partnerId" uuid, wallet text, provider text, amount bigint,
        "providerReference" text, "bankCode" text, "bankName" text, "accountNumberSealed" text, "accountNameSealed" text,
        "accountIndex" text, now timestamptz);
end $function$;

CREATE SCHEMA rail_comparisons;

CREATE TABLE rail_comparisons.comparison (
    id uuid DEFAULT uuidv7() NOT NULL,
    provider text NOT NULL,
    day date NOT NULL,
    actor text NOT NULL,
    their_count integer NOT NULL,
    their_amount bigint NOT NULL,
    our_count integer NOT NULL,
    our_amount bigint NOT NULL,
    differences jsonb NOT NULL,
    compared_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT comparison_pkey PRIMARY KEY (id)
);

CREATE INDEX comparison_day ON rail_comparisons.comparison USING btree (provider, day, id);

CREATE INDEX comparison_provider ON rail_comparisons.comparison USING btree (provider, id);

CREATE SCHEMA reconciliation;

CREATE TABLE reconciliation.import (
    id uuid DEFAULT uuidv7() NOT NULL,
    rail text NOT NULL,
    format text NOT NULL,
    digest bytea NOT NULL,
    account text,
    from_day date NOT NULL,
    to_day date NOT NULL,
    opening bigint,
    closing bigint,
    lines integer NOT NULL,
    credits bigint NOT NULL,
    debits bigint NOT NULL,
    tolerance_days smallint NOT NULL,
    imported_by text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    proved_by text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT import_pkey PRIMARY KEY (id),
    CONSTRAINT import_digest UNIQUE (rail, digest),
    CONSTRAINT import_days CHECK ((from_day <= to_day)),
    CONSTRAINT import_ties CHECK (((credits >= 0) AND (debits <= 0) AND ((opening IS NULL) = (closing IS NULL)) AND COALESCE((((opening + credits) + debits) = closing), true)))
);

CREATE TABLE reconciliation.item (
    id uuid DEFAULT uuidv7() NOT NULL,
    rail text NOT NULL,
    status text NOT NULL,
    import_id uuid NOT NULL,
    line integer,
    place integer,
    bank_day date,
    bank_amount bigint,
    said_sealed bytea,
    line_digest bytea,
    transaction_id bigint,
    our_day date,
    our_amount bigint,
    adjustment_id bigint,
    action text,
    reason text,
    resolved_by text,
    resolved_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    bank_balance bigint,
    statement text,
    CONSTRAINT item_pkey PRIMARY KEY (id),
    CONSTRAINT item_adjustment_id_fkey FOREIGN KEY (adjustment_id) REFERENCES ledger.transaction(id),
    CONSTRAINT item_import_id_fkey FOREIGN KEY (import_id) REFERENCES reconciliation.import(id),
    CONSTRAINT item_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT item_action CHECK ((num_nonnulls(action, reason, resolved_by, resolved_at) = ANY (ARRAY[0, 4]))),
    CONSTRAINT item_equal CHECK (((status <> ALL (ARRAY['MATCHED'::text, 'DAY_DIFFERS'::text])) OR (bank_amount = our_amount))),
    CONSTRAINT item_resolved CHECK (((status = 'RESOLVED'::text) = (adjustment_id IS NOT NULL))),
    CONSTRAINT item_sides CHECK (((num_nonnulls(line, place, bank_day, bank_amount, line_digest) = ANY (ARRAY[0, 5])) AND (num_nonnulls(transaction_id, our_day, our_amount) = ANY (ARRAY[0, 3])) AND
CASE status
    WHEN 'OURS_ALONE'::text THEN ((line IS NULL) AND (transaction_id IS NOT NULL))
    WHEN 'THEIRS_ALONE'::text THEN ((line IS NOT NULL) AND (transaction_id IS NULL))
    WHEN 'DUPLICATE'::text THEN ((line IS NOT NULL) AND (transaction_id IS NULL))
    WHEN 'REPEATED'::text THEN ((line IS NOT NULL) AND (transaction_id IS NULL))
    WHEN 'TIMING'::text THEN (num_nonnulls(line, transaction_id) = 1)
    WHEN 'RESOLVED'::text THEN (num_nonnulls(line, transaction_id) > 0)
    ELSE ((line IS NOT NULL) AND (transaction_id IS NOT NULL))
END)),
    CONSTRAINT item_status CHECK ((status = ANY (ARRAY['OURS_ALONE'::text, 'THEIRS_ALONE'::text, 'DUPLICATE'::text, 'AMOUNT_DIFFERS'::text, 'DAY_DIFFERS'::text, 'TIMING'::text, 'MATCHED'::text, 'REPEATED'::text, 'RESOLVED'::text])))
);

CREATE UNIQUE INDEX item_adjustment ON reconciliation.item USING btree (adjustment_id) WHERE (adjustment_id IS NOT NULL);

CREATE INDEX item_digest ON reconciliation.item USING btree (line_digest) WHERE (line_digest IS NOT NULL);

CREATE INDEX item_import ON reconciliation.item USING btree (import_id, id);

CREATE UNIQUE INDEX item_place ON reconciliation.item USING btree (import_id, place) WHERE (place IS NOT NULL);

CREATE INDEX item_said ON reconciliation.item USING btree (created_at) WHERE (said_sealed IS NOT NULL);

CREATE INDEX item_status ON reconciliation.item USING btree (rail, status, id);

CREATE UNIQUE INDEX item_transaction ON reconciliation.item USING btree (rail, transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE TRIGGER item_stays BEFORE DELETE ON reconciliation.item FOR EACH ROW EXECUTE FUNCTION reconciliation.refuse_loss();

CREATE OR REPLACE FUNCTION reconciliation.refuse_loss()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.line is not null then raise exception 'a line of a bank is never deleted'; end if;
  return old;
end $function$;

CREATE SCHEMA sandbox;

CREATE TABLE sandbox.counterpart (
    id smallint DEFAULT 1 NOT NULL,
    application_id uuid NOT NULL,
    tag text NOT NULL,
    CONSTRAINT counterpart_pkey PRIMARY KEY (id),
    CONSTRAINT counterpart_application_id_application_id_fk FOREIGN KEY (application_id) REFERENCES applications.application(id),
    CONSTRAINT counterpart_one_row CHECK ((id = 1))
);

CREATE TABLE sandbox.disturbance (
    owner_id uuid NOT NULL,
    provider text NOT NULL,
    answer text NOT NULL,
    delay_ms integer NOT NULL,
    times_left smallint NOT NULL,
    CONSTRAINT disturbance_owner_id_provider_pk PRIMARY KEY (owner_id, provider),
    CONSTRAINT disturbance_answer CHECK ((answer = ANY (ARRAY['fail'::text, 'timeout'::text, 'slow'::text]))),
    CONSTRAINT disturbance_delay CHECK (((delay_ms >= 0) AND (delay_ms <= 10000))),
    CONSTRAINT disturbance_provider CHECK ((provider = ANY (ARRAY['bvn'::text, 'bank'::text, 'messaging'::text, 'email'::text]))),
    CONSTRAINT disturbance_times CHECK (((times_left >= 1) AND (times_left <= 100)))
);

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE ON sandbox.disturbance FOR EACH STATEMENT EXECUTE FUNCTION sandbox.notify_change();

CREATE TABLE sandbox.hook_request (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    owner_id uuid NOT NULL,
    mode text NOT NULL,
    message text NOT NULL,
    headers jsonb NOT NULL,
    body text NOT NULL,
    status smallint NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT hook_request_pkey PRIMARY KEY (id),
    CONSTRAINT hook_request_mode CHECK ((mode = ANY (ARRAY['200'::text, '500'::text, 'slow'::text, 'flaky'::text])))
);

CREATE INDEX hook_request_newest ON sandbox.hook_request USING btree (owner_id, id);

CREATE OR REPLACE FUNCTION sandbox.notify_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('paytag_changes', 'sandbox');
  return null;
end $function$;

CREATE SCHEMA seals;

CREATE TABLE seals.seal (
    number bigint NOT NULL,
    period text NOT NULL,
    starts_at timestamp(3) with time zone,
    ends_at timestamp(3) with time zone NOT NULL,
    jws text NOT NULL,
    sealed_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT seal_pkey PRIMARY KEY (number),
    CONSTRAINT seal_period UNIQUE (period, ends_at),
    CONSTRAINT seal_first CHECK (((starts_at IS NULL) = (number = 1))),
    CONSTRAINT seal_kind CHECK ((period = ANY (ARRAY['HOUR'::text, 'DAY'::text])))
);

CREATE TRIGGER seal_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON seals.seal FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

CREATE TRIGGER seal_in_turn BEFORE INSERT ON seals.seal FOR EACH ROW EXECUTE FUNCTION seals.refuse_out_of_turn();

CREATE OR REPLACE FUNCTION seals.contents(p_starts timestamp with time zone, p_ends timestamp with time zone)
 RETURNS TABLE(name text, rows bigint, digest bytea)
 LANGUAGE sql
 STABLE
 SET jit TO 'off'
 SET work_mem TO '64MB'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
  select 'entries', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select e.transaction_id >> 12 as chunk, count(*) as rows, sha256(string_agg(record_send((e.transaction_id, e.leg,
        e.account_id, e.amount, e.fee, e.version, e.opening, e.closing, e.business_date, e.created_at)), ''::bytea
        order by e.transaction_id, e.leg)) as digest
    from ledger.entry e
    where e.created_at >= coalesce(p_starts, '-infinity') and e.created_at < p_ends group by 1) c
  union all
  select 'transactions', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select t.id >> 12 as chunk, count(*) as rows, sha256(string_agg(record_send((t.id, t.owner_id, t.namer, t.reference,
        t.partner_id, t.type, t.request_hash, t.mac, t.code, t.pending_reason, t.amount, t.fee, t.commission, t.stamp_duty, t.currency, t.source_id, t.destination_id,
        t.external_reference, t.comment, t.metadata, t.original_id, t.created_at)), ''::bytea order by t.id)) as digest
    from ledger.transaction t
    where t.created_at >= coalesce(p_starts, '-infinity') and t.created_at < p_ends group by 1) c
  union all
  select 'events', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select left(v.id::text, 9) as chunk, count(*) as rows, sha256(string_agg(record_send((v.id, v.receiver_id, v.event,
        v.reference, v.subject_id, v.body_digest, v.sequence, v.created_at)), ''::bytea order by v.id)) as digest
    from (
      select n.id, n.receiver_id, n.event, n.reference, n.subject_id, n.sequence, n.created_at,
        case when n.body is null then n.body_digest else sha256(convert_to(n.body, 'UTF8')) end as body_digest
      from outbox.event n
      where n.created_at >= coalesce(p_starts, '-infinity') and n.created_at < p_ends offset 0) v group by 1) c
  union all
  select 'audit', coalesce(sum(c.rows), 0)::bigint, sha256(coalesce(string_agg(c.digest, ''::bytea order by c.chunk), ''))
  from (
    select a.id >> 12 as chunk, count(*) as rows, sha256(string_agg(record_send((a.id, a.at, a.actor, a.action, a.target,
        a.before, a.after, a.reason)), ''::bytea order by a.id)) as digest
    from audit.entry a
    where a.at >= coalesce(p_starts, '-infinity') and a.at < p_ends group by 1) c
$function$;

CREATE OR REPLACE FUNCTION seals.has_ended(p_ends timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select clock_timestamp() > p_ends
    and not exists (
      select from pg_stat_activity s
        join pg_database d on d.oid = s.datid and d.datname = current_database()
      where s.pid <> pg_backend_pid() and s.usesysid is not null
        and (s.xact_start < p_ends
             or (s.query = '<insufficient privilege>'
                 and exists (select from pg_locks l where l.pid = s.pid and l.locktype = 'virtualxid'))))
    and not exists (select from pg_prepared_xacts x where x.database = current_database() and x.prepared < p_ends)
$function$;

CREATE OR REPLACE FUNCTION seals.refuse_out_of_turn()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  l seals.seal;
  v_day boolean;
begin
  select * into l from seals.seal order by number desc limit 1;
  v_day := l.period is not distinct from 'HOUR'
    and l.ends_at = date_trunc('day', l.ends_at, 'Africa/Lagos');
  if new.number <> coalesce(l.number, 0) + 1
      or (new.period = 'DAY') <> v_day
      or (l.number is not null and v_day and (new.ends_at, new.starts_at) is distinct from (l.ends_at, l.ends_at - interval '24 hours'))
      or (l.number is not null and not v_day and (new.starts_at, new.ends_at) is distinct from (l.ends_at, l.ends_at + interval '1 hour'))
      or new.ends_at <> date_trunc('hour', new.ends_at, 'UTC')
      or new.sealed_at < new.ends_at or new.sealed_at > clock_timestamp() then
    raise exception 'this seal is not the next' using errcode = 'PT002';
  end if;
  return new;
end $function$;

CREATE SCHEMA sessions;

CREATE TABLE sessions.auth_code (
    digest bytea NOT NULL,
    partner_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    scope text NOT NULL,
    code_challenge text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    exchanged_at timestamp(3) with time zone,
    session_id uuid,
    routing_mac bytea NOT NULL,
    CONSTRAINT auth_code_pkey PRIMARY KEY (digest),
    CONSTRAINT auth_code_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT auth_code_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT auth_code_session_id_session_id_fk FOREIGN KEY (session_id) REFERENCES sessions.session(id)
);

CREATE INDEX auth_code_customer ON sessions.auth_code USING btree (customer_id);

CREATE INDEX auth_code_expiry ON sessions.auth_code USING btree (expires_at);

CREATE INDEX auth_code_session ON sessions.auth_code USING btree (session_id);

CREATE TABLE sessions.prior_login (
    partner_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    sessions_ended_at timestamp(3) with time zone,
    CONSTRAINT prior_login_customer_id_partner_id_pk PRIMARY KEY (customer_id, partner_id),
    CONSTRAINT prior_login_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT prior_login_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id)
);

CREATE TABLE sessions.session (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    customer_id uuid NOT NULL,
    issued_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT session_pkey PRIMARY KEY (id),
    CONSTRAINT session_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT session_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id)
);

CREATE INDEX session_expiry ON sessions.session USING btree (expires_at);

CREATE INDEX session_of_customer ON sessions.session USING btree (customer_id, id);

CREATE INDEX session_of_partner ON sessions.session USING btree (partner_id, id);

CREATE TRIGGER notify_end AFTER UPDATE OF revoked_at ON sessions.session FOR EACH ROW WHEN ((new.revoked_at IS NOT NULL)) EXECUTE FUNCTION sessions.notify_end();

CREATE TRIGGER revoked_for_good BEFORE UPDATE OF revoked_at ON sessions.session FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND (new.revoked_at IS DISTINCT FROM old.revoked_at))) EXECUTE FUNCTION ledger.refuse_change();

CREATE OR REPLACE FUNCTION sessions.notify_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('paytag_changes', 'sessions ' || old.id);
  return null;
end $function$;

CREATE SCHEMA signing_keys;

CREATE TABLE signing_keys.signing_key (
    kid text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_jwk_sealed bytea NOT NULL,
    status text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    retired_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT signing_key_pkey PRIMARY KEY (kid),
    CONSTRAINT signing_key_status CHECK ((status = ANY (ARRAY['CURRENT'::text, 'NEXT'::text, 'RETIRED'::text, 'REVOKED'::text])))
);

CREATE UNIQUE INDEX one_current ON signing_keys.signing_key USING btree (status) WHERE (status = 'CURRENT'::text);

CREATE UNIQUE INDEX one_next ON signing_keys.signing_key USING btree (status) WHERE (status = 'NEXT'::text);

CREATE SCHEMA statements;

CREATE TABLE statements.paper (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    code_digest bytea NOT NULL,
    wallet_id bigint NOT NULL,
    holder_masked text NOT NULL,
    currency text NOT NULL,
    from_at timestamp(3) with time zone NOT NULL,
    to_at timestamp(3) with time zone NOT NULL,
    opening bigint NOT NULL,
    credits bigint NOT NULL,
    debits bigint NOT NULL,
    closing bigint NOT NULL,
    lines integer NOT NULL,
    issued_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT paper_pkey PRIMARY KEY (id),
    CONSTRAINT paper_code_digest_unique UNIQUE (code_digest),
    CONSTRAINT paper_wallet_id_partner_wallet_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets.partner_wallet(id),
    CONSTRAINT paper_balances CHECK ((((opening + credits) - debits) = closing))
);

CREATE INDEX paper_issued ON statements.paper USING btree (issued_at);

CREATE INDEX paper_wallet ON statements.paper USING btree (wallet_id);

CREATE TABLE statements.requested (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    reference text NOT NULL,
    wallet_id bigint NOT NULL,
    from_at timestamp(3) with time zone NOT NULL,
    to_at timestamp(3) with time zone NOT NULL,
    format text NOT NULL,
    status text DEFAULT 'Pending'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    mailed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    failure_reason text,
    CONSTRAINT requested_pkey PRIMARY KEY (id),
    CONSTRAINT requested_reference_unique UNIQUE (reference),
    CONSTRAINT requested_wallet_id_partner_wallet_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets.partner_wallet(id),
    CONSTRAINT requested_due CHECK (((status <> 'Pending'::text) OR (due_at IS NOT NULL))),
    CONSTRAINT requested_format CHECK ((format = ANY (ARRAY['pdf'::text, 'csv'::text, 'html'::text, 'xlsx'::text]))),
    CONSTRAINT requested_status CHECK ((status = ANY (ARRAY['Pending'::text, 'Ready'::text, 'Failed'::text])))
);

CREATE INDEX requested_created ON statements.requested USING btree (created_at);

CREATE INDEX requested_due_at ON statements.requested USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE SCHEMA tag_transactions;

CREATE TABLE tag_transactions.tag_transaction (
    id uuid DEFAULT uuidv7() NOT NULL,
    reference text NOT NULL,
    request_hash bytea NOT NULL,
    sender_app_id uuid NOT NULL,
    receiver_app_id uuid NOT NULL,
    sender_tag text NOT NULL,
    receiver_tag text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL,
    currency text NOT NULL,
    status text DEFAULT 'AWAITING_ACCEPTANCE'::text NOT NULL,
    code text,
    narration text,
    hold_id bigint,
    posting_id bigint,
    expires_at timestamp(3) with time zone NOT NULL,
    accepted_at timestamp(3) with time zone,
    rejected_at timestamp(3) with time zone,
    rejection_reason text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT tag_transaction_pkey PRIMARY KEY (id),
    CONSTRAINT tag_transaction_reference UNIQUE (sender_app_id, reference),
    CONSTRAINT tag_transaction_hold_id_hold_id_fk FOREIGN KEY (hold_id) REFERENCES ledger.hold(id),
    CONSTRAINT tag_transaction_posting_id_transaction_id_fk FOREIGN KEY (posting_id) REFERENCES ledger.transaction(id),
    CONSTRAINT tag_transaction_receiver_app_id_application_id_fk FOREIGN KEY (receiver_app_id) REFERENCES applications.application(id),
    CONSTRAINT tag_transaction_sender_app_id_application_id_fk FOREIGN KEY (sender_app_id) REFERENCES applications.application(id),
    CONSTRAINT tag_transaction_accepted CHECK (((status = 'ACCEPTED'::text) = (accepted_at IS NOT NULL))),
    CONSTRAINT tag_transaction_amount CHECK (((amount > 0) AND (fee >= 0))),
    CONSTRAINT tag_transaction_currency CHECK ((currency = ANY (ARRAY['NGN'::text, 'FP'::text]))),
    CONSTRAINT tag_transaction_declined CHECK (((status = 'DECLINED'::text) = (code IS NOT NULL))),
    CONSTRAINT tag_transaction_rejected CHECK (((status = 'REJECTED'::text) = (rejected_at IS NOT NULL))),
    CONSTRAINT tag_transaction_status CHECK ((status = ANY (ARRAY['AWAITING_ACCEPTANCE'::text, 'ACCEPTED'::text, 'REJECTED'::text, 'CANCELLED'::text, 'EXPIRED'::text, 'DECLINED'::text])))
);

CREATE INDEX tag_transaction_due ON tag_transactions.tag_transaction USING btree (expires_at) WHERE (status = 'AWAITING_ACCEPTANCE'::text);

CREATE INDEX tag_transaction_pending ON tag_transactions.tag_transaction USING btree (receiver_app_id, created_at, id, expires_at) WHERE (status = 'AWAITING_ACCEPTANCE'::text);

CREATE INDEX tag_transaction_received ON tag_transactions.tag_transaction USING btree (receiver_app_id, reference);

CREATE INDEX tag_transaction_receiver_tag ON tag_transactions.tag_transaction USING btree (receiver_tag);

CREATE INDEX tag_transaction_sender_tag ON tag_transactions.tag_transaction USING btree (sender_tag);

CREATE OR REPLACE FUNCTION tag_transactions.bring_forward(p_application uuid, p_counterpart uuid, p_seconds integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  moved integer;
begin
  if exists (select from installation.stamp where environment = 'live') then
    raise exception 'time is not brought forward in live';
  end if;
  update tag_transactions.tag_transaction
     set expires_at = expires_at - make_interval(secs => greatest(p_seconds, 0))
   where status = 'AWAITING_ACCEPTANCE'
     and (sender_app_id = p_application or (receiver_app_id = p_application and sender_app_id = p_counterpart));
  get diagnostics moved = row_count;
  return moved;
end $function$;

CREATE OR REPLACE FUNCTION tag_transactions.decide(p_decisions jsonb)
 RETURNS TABLE(ordinal integer, outcome text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_open uuid[];
  v_turns int[];
  v_refused text;
  v_posted bigint[];
begin
  select array_agg(locked.id) into v_open from (
    select t.id from tag_transactions.tag_transaction t
      join (select (x ->> 'id')::uuid as id, min((x ->> 'now')::timestamptz) as now
              from jsonb_array_elements(p_decisions) x group by 1) asked on asked.id = t.id
     where t.status = 'AWAITING_ACCEPTANCE' and t.expires_at > asked.now
     order by t.id for no key update of t) locked;
  select array_agg(first.place order by first.place) into v_turns from (
    select distinct on (body ->> 'id') place::int
      from jsonb_array_elements(p_decisions) with ordinality asked (body, place)
     where (body ->> 'id')::uuid = any (v_open) order by body ->> 'id', place) first;

  if exists (select from jsonb_array_elements(p_decisions) x where x ? 'release') then
    perform ledger.close_holds(array(
      select (p_decisions -> (turn - 1) ->> 'release')::bigint from unnest(v_turns) turn
       where p_decisions -> (turn - 1) ? 'release'), 'RELEASED');
  end if;
  if exists (select from unnest(v_turns) turn where p_decisions -> (turn - 1) ? 'posting') then
    select array_agg(posted.transaction_id order by posted.ordinal),
        min(posted.outcome) filter (where posted.outcome <> 'Successful')
      into v_posted, v_refused
      from ledger.post((select jsonb_agg(p_decisions -> (turn - 1) -> 'posting' order by turn) from unnest(v_turns) turn
                         where p_decisions -> (turn - 1) ? 'posting')) posted;
    if v_refused is not null then raise exception '%', v_refused using errcode = 'PT010'; end if;
  end if;

  update tag_transactions.tag_transaction t
    set status = x.body ->> 'to', updated_at = x.now,
      accepted_at = case x.body ->> 'to' when 'ACCEPTED' then x.now end,
      rejected_at = case x.body ->> 'to' when 'REJECTED' then x.now end,
      rejection_reason = x.body ->> 'rejectionReason',
      posting_id = case when x.body ? 'posting' then v_posted[x.posting] end
    from (select body, (body ->> 'id')::uuid as id, (body ->> 'now')::timestamptz as now,
                 count(*) filter (where body ? 'posting') over (order by turn) as posting
            from unnest(v_turns) turn, lateral (select p_decisions -> (turn - 1) as body) b) x
    where t.id = x.id;

  if v_turns is not null then
    perform outbox.emit_all(array(
      select row(null, (body #>> '{event,owner}')::uuid, body #>> '{event,name}', body ->> 'reference', (body ->> 'id')::uuid,
          body #>> '{event,body}', null, null, null)::outbox.event
        from unnest(v_turns) turn, lateral (select p_decisions -> (turn - 1) as body offset 0) b order by turn));
  end if;
  return query
    select turn, case when turn = any (v_turns) then 'DONE' else 'NOT_PENDING' end
      from generate_series(1, jsonb_array_length(p_decisions)) turn;
end $function$;

CREATE OR REPLACE FUNCTION tag_transactions.newest_waiting(p_app uuid, p_at timestamp with time zone, p_size integer, p_passed bigint, p_most integer)
 RETURNS TABLE(ids uuid[], total integer)
 LANGUAGE sql
 STABLE ROWS 1
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_sort TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
  select array(
      select id from tag_transactions.tag_transaction
       where receiver_app_id = p_app and status = 'AWAITING_ACCEPTANCE' and expires_at > p_at
       order by created_at desc, id desc limit p_size offset p_passed),
    (select count(*)::int from (
      select from tag_transactions.tag_transaction
       where receiver_app_id = p_app and status = 'AWAITING_ACCEPTANCE' and expires_at > p_at
       order by created_at desc, id desc limit p_most) counted)
$function$;

CREATE OR REPLACE FUNCTION tag_transactions.offer(p_offers jsonb)
 RETURNS TABLE(ordinal integer, outcome text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_new int[];
  v_outcomes text[];
  v_holds bigint[];
  v_postings bigint[];
  v_places int[];
  v_asked jsonb;
  h record;
begin
  -- Offers of one sender wait here for each other, so that what is found of their references below stays true.
  perform 1 from ledger.account a
    where a.lock_mode = 'strict' and a.id in (
      select (x #>> '{hold,account}')::bigint from jsonb_array_elements(p_offers) x
      union all
      select (leg ->> 'account')::bigint
        from jsonb_array_elements(p_offers) x, jsonb_array_elements(x #> '{posting,legs}') leg)
    order by a.id for no key update;

  select array_agg(place) into v_new from (
    select distinct on (sender, reference) sender, reference, place::int
      from rows from (jsonb_to_recordset(p_offers) as ("senderAppId" uuid, reference text)) with ordinality x (sender, reference, place)
     order by sender, reference, place) asked
    where not exists (
      select from tag_transactions.tag_transaction t where t.sender_app_id = asked.sender and t.reference = asked.reference);

  select array_agg(place order by place), jsonb_agg(body -> 'hold' || jsonb_build_object('owner', body -> 'senderAppId',
      'amount', (body ->> 'amount')::bigint + (body ->> 'fee')::bigint) order by place)
    into v_places, v_asked
    from unnest(v_new) place, lateral (select p_offers -> (place - 1) as body offset 0) b
   where body ? 'hold';
  if v_places is not null then
    for h in select * from ledger.place_holds(v_asked) loop
      v_outcomes[v_places[h.ordinal]] := case h.outcome when 'OPEN' then 'AWAITING_ACCEPTANCE' else h.outcome end;
      v_holds[v_places[h.ordinal]] := case h.outcome when 'OPEN' then h.hold_id end;
    end loop;
  end if;

  if jsonb_path_exists(p_offers, '$[*].posting') then
    select array_agg(place order by place), jsonb_agg(p_offers -> (place - 1) -> 'posting' order by place)
      into v_places, v_asked from unnest(v_new) place where p_offers -> (place - 1) ? 'posting';
    if v_places is not null then
      for h in select * from ledger.post(v_asked) loop
        v_outcomes[v_places[h.ordinal]] := case h.outcome when 'Successful' then 'ACCEPTED' else h.outcome end;
        v_postings[v_places[h.ordinal]] := case h.outcome when 'Successful' then h.transaction_id end;
      end loop;
    end if;
  end if;

  with made as (
    insert into tag_transactions.tag_transaction (id, reference, request_hash, sender_app_id, receiver_app_id, sender_tag,
      receiver_tag, amount, fee, currency, status, code, narration, hold_id, posting_id, expires_at, accepted_at, created_at,
      updated_at)
    select id, reference, decode("requestHash", 'hex'), "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount,
      fee, currency, case when outcome in ('AWAITING_ACCEPTANCE', 'ACCEPTED') then outcome else 'DECLINED' end,
      case when outcome not in ('AWAITING_ACCEPTANCE', 'ACCEPTED') then outcome end, narration, v_holds[place], v_postings[place],
      "expiresAt", case outcome when 'ACCEPTED' then now end, now, now
    from rows from (jsonb_to_recordset(p_offers) as (id uuid, reference text, "requestHash" text, "senderAppId" uuid,
        "receiverAppId" uuid, "senderTag" text, "receiverTag" text, amount bigint, fee bigint, currency text, code text,
        narration text, "expiresAt" timestamptz, now timestamptz)) with ordinality
      x (id, reference, "requestHash", "senderAppId", "receiverAppId", "senderTag", "receiverTag", amount, fee, currency, code,
        narration, "expiresAt", now, place),
      lateral (select coalesce(code, v_outcomes[place]) as outcome offset 0) o
    where place = any (v_new)
    order by "senderAppId", reference
    on conflict (sender_app_id, reference) do nothing
    returning id)
  select array(select place from unnest(v_new) place where exists (
    select from made where made.id = (p_offers -> (place - 1) ->> 'id')::uuid)) into v_places;
  -- An offer of other money, or of none, took the reference meanwhile: what was set aside for this one is given back, and its
  -- caller asks again.
  if exists (select from unnest(v_new) place where place <> all (v_places) and v_outcomes[place] is not null) then
    raise exception 'another offer has just taken this reference' using errcode = '40001';
  end if;

  perform outbox.emit_all(array(
    select row(null, (body #>> '{event,owner}')::uuid, body #>> '{event,name}', body ->> 'reference', (body ->> 'id')::uuid,
        body #>> '{event,body}', null, null, null)::outbox.event
      from unnest(v_places) place, lateral (select p_offers -> (place - 1) as body offset 0) b
     where v_outcomes[place] in ('AWAITING_ACCEPTANCE', 'ACCEPTED') order by place));
  return query
    select place::int, case when place = any (v_places) then coalesce(body ->> 'code', v_outcomes[place]) else 'TAKEN' end
      from jsonb_array_elements(p_offers) with ordinality asked (body, place);
end $function$;

CREATE SCHEMA tags;

CREATE TABLE tags.tag (
    id uuid DEFAULT uuidv7() NOT NULL,
    handle text NOT NULL,
    subject_id uuid NOT NULL,
    created_by_app_id uuid NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    closed_at timestamp(3) with time zone,
    released_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    routing_mac bytea NOT NULL,
    CONSTRAINT tag_pkey PRIMARY KEY (id),
    CONSTRAINT tag_created_by_app_id_application_id_fk FOREIGN KEY (created_by_app_id) REFERENCES applications.application(id),
    CONSTRAINT tag_subject_id_subject_id_fk FOREIGN KEY (subject_id) REFERENCES applications.subject(id),
    CONSTRAINT tag_closed CHECK (((closed_at IS NOT NULL) = (status = 'CLOSED'::text))),
    CONSTRAINT tag_released CHECK (((released_at IS NULL) OR (status = 'CLOSED'::text))),
    CONSTRAINT tag_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text, 'CLOSED'::text])))
);

CREATE UNIQUE INDEX tag_handle ON tags.tag USING btree (handle) WHERE (released_at IS NULL);

CREATE INDEX tag_made_by ON tags.tag USING btree (created_by_app_id, id) WHERE (released_at IS NULL);

CREATE INDEX tag_out_of_use ON tags.tag USING btree (id) WHERE ((status <> 'ACTIVE'::text) AND (released_at IS NULL));

CREATE INDEX tag_subject ON tags.tag USING btree (subject_id);

CREATE OR REPLACE FUNCTION tags.payable(p_handle text)
 RETURNS TABLE(handle text, namespace text, application_id uuid, application_name text, external_id text, is_suspended boolean, tag json, subject json)
 LANGUAGE sql
 STABLE
AS $function$
  select t.handle, a.namespace, a.id, a.name, s.external_id, t.status = 'SUSPENDED' or a.status <> 'ACTIVE',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         json_build_object('id', s.id, 'applicationId', s.application_id, 'externalId', s.external_id,
           'routingMac', encode(s.routing_mac, 'hex'))
    from tags.tag t
    join applications.subject s on s.id = t.subject_id
    join applications.application a on a.id = s.application_id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$function$;

CREATE SCHEMA terminals;

CREATE TABLE terminals.split (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    terminal_id bigint NOT NULL,
    reference text NOT NULL,
    amount bigint NOT NULL,
    total_paid bigint DEFAULT 0 NOT NULL,
    currency text DEFAULT 'NGN'::text NOT NULL,
    status text DEFAULT 'Pending'::text NOT NULL,
    title text NOT NULL,
    description text,
    expires_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT split_pkey PRIMARY KEY (id),
    CONSTRAINT split_reference UNIQUE (terminal_id, reference),
    CONSTRAINT split_terminal_id_terminal_id_fk FOREIGN KEY (terminal_id) REFERENCES terminals.terminal(id),
    CONSTRAINT split_currency CHECK ((currency = 'NGN'::text)),
    CONSTRAINT split_paid CHECK (((amount > 0) AND ((total_paid >= 0) AND (total_paid <= amount)))),
    CONSTRAINT split_status CHECK (
CASE status
    WHEN 'Pending'::text THEN (total_paid < amount)
    WHEN 'Paid'::text THEN (total_paid = amount)
    WHEN 'Cancelled'::text THEN (total_paid = 0)
    WHEN 'Expired'::text THEN (total_paid = 0)
    ELSE false
END)
);

CREATE INDEX split_expiring ON terminals.split USING btree (expires_at) WHERE ((status = 'Pending'::text) AND (total_paid = 0));

CREATE INDEX split_named ON terminals.split USING btree (reference, id);

CREATE INDEX split_newest ON terminals.split USING btree (terminal_id, id);

CREATE TABLE terminals.terminal (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    serial_number text NOT NULL,
    partner_id uuid NOT NULL,
    terminal_id text,
    merchant text,
    email_sealed bytea,
    phone_sealed bytea,
    paytag text,
    status text DEFAULT 'Active'::text NOT NULL,
    metadata jsonb,
    balance bigint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT terminal_pkey PRIMARY KEY (id),
    CONSTRAINT terminal_serial_number_unique UNIQUE (serial_number),
    CONSTRAINT terminal_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT terminal_balance CHECK ((balance >= 0))
);

CREATE INDEX terminal_newest ON terminals.terminal USING btree (partner_id, id);

CREATE OR REPLACE FUNCTION terminals.bring_forward(p_partner uuid, p_seconds integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  moved integer;
begin
  if exists (select from installation.stamp where environment = 'live') then
    raise exception 'time is not brought forward in live';
  end if;
  update terminals.split
     set expires_at = expires_at - make_interval(secs => greatest(p_seconds, 0))
   where status = 'Pending' and total_paid = 0 and expires_at is not null
     and terminal_id in (select id from terminals.terminal where partner_id = p_partner);
  get diagnostics moved = row_count;
  return moved;
end $function$;

CREATE SCHEMA throttles;

CREATE TABLE throttles.counter (
    key bytea NOT NULL,
    spent integer NOT NULL,
    closed_until timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL,
    name text,
    about text,
    CONSTRAINT counter_pkey PRIMARY KEY (key)
);

CREATE INDEX counter_expiry ON throttles.counter USING btree (expires_at);

CREATE INDEX counter_refusing ON throttles.counter USING btree (closed_until) WHERE ((closed_until IS NOT NULL) AND (name IS NOT NULL));

CREATE SCHEMA wallets;

CREATE SEQUENCE wallets.nuban_serial AS bigint INCREMENT BY 1 MINVALUE 1 MAXVALUE 999999999 START WITH 1 CACHE 1;

CREATE TABLE wallets.kyc_numbering (
    partner_id uuid NOT NULL,
    last bigint NOT NULL,
    CONSTRAINT kyc_numbering_pkey PRIMARY KEY (partner_id),
    CONSTRAINT kyc_numbering_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id)
);

CREATE TABLE wallets.kyc_profile (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    partner_id uuid NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    other_name text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    number bigint NOT NULL,
    erased_at timestamp(3) with time zone,
    routing_mac bytea NOT NULL,
    CONSTRAINT kyc_profile_pkey PRIMARY KEY (id),
    CONSTRAINT kyc_profile_numbered UNIQUE (partner_id, number),
    CONSTRAINT kyc_profile_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT kyc_profile_number CHECK (((number >= 1) AND (number <= '9007199254740991'::bigint)))
);

CREATE TABLE wallets.partner_wallet (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    reference text NOT NULL,
    partner_id uuid NOT NULL,
    customer_id uuid,
    kyc_profile_id bigint,
    account_id bigint NOT NULL,
    nuban text NOT NULL,
    is_primary boolean DEFAULT false NOT NULL,
    tier smallint NOT NULL,
    revoked_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    metadata jsonb,
    known_since timestamp(3) with time zone,
    proven_at timestamp(3) with time zone,
    status_before_freeze text,
    routing_mac bytea NOT NULL,
    CONSTRAINT partner_wallet_pkey PRIMARY KEY (id),
    CONSTRAINT partner_wallet_account_id_unique UNIQUE (account_id),
    CONSTRAINT partner_wallet_nuban_unique UNIQUE (nuban),
    CONSTRAINT partner_wallet_reference_unique UNIQUE (reference),
    CONSTRAINT partner_wallet_account_id_account_id_fk FOREIGN KEY (account_id) REFERENCES ledger.account(id),
    CONSTRAINT partner_wallet_customer_id_customer_id_fk FOREIGN KEY (customer_id) REFERENCES customers.customer(id),
    CONSTRAINT partner_wallet_kyc_profile_id_kyc_profile_id_fk FOREIGN KEY (kyc_profile_id) REFERENCES wallets.kyc_profile(id),
    CONSTRAINT partner_wallet_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT wallet_holder CHECK ((num_nonnulls(customer_id, kyc_profile_id) = 1)),
    CONSTRAINT wallet_status_before_freeze CHECK ((status_before_freeze = ANY (ARRAY['Enabled'::text, 'Blocked'::text, 'PND'::text, 'PNC'::text]))),
    CONSTRAINT wallet_tier CHECK (((tier >= 1) AND (tier <= 3)))
);

CREATE UNIQUE INDEX primary_wallet ON wallets.partner_wallet USING btree (customer_id) WHERE is_primary;

CREATE INDEX wallet_customer ON wallets.partner_wallet USING btree (customer_id, id) WHERE (customer_id IS NOT NULL);

CREATE UNIQUE INDEX wallet_of_customer ON wallets.partner_wallet USING btree (partner_id, customer_id) WHERE (revoked_at IS NULL);

CREATE INDEX wallet_partner ON wallets.partner_wallet USING btree (partner_id, id);

CREATE TRIGGER notify_revoked AFTER UPDATE OF revoked_at ON wallets.partner_wallet FOR EACH ROW WHEN ((new.revoked_at IS NOT NULL)) EXECUTE FUNCTION wallets.notify_revoked();

CREATE OR REPLACE FUNCTION wallets.next_kyc_number(p_partner uuid)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  v_number bigint;
begin
  insert into wallets.kyc_numbering (partner_id, last) values (p_partner, 0) on conflict do nothing;
  select last + 1 into v_number from wallets.kyc_numbering where partner_id = p_partner for update;
  if exists (select from wallets.kyc_profile where partner_id = p_partner and number = v_number) then
    select p.number + 1 into v_number from wallets.kyc_profile p
      where p.partner_id = p_partner and p.number >= v_number
        and not exists (select from wallets.kyc_profile q where q.partner_id = p_partner and q.number = p.number + 1)
      order by p.number limit 1;
  end if;
  update wallets.kyc_numbering set last = v_number where partner_id = p_partner;
  return v_number;
end
$function$;

CREATE OR REPLACE FUNCTION wallets.notify_revoked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('paytag_changes', 'wallets ' || new.partner_id || '/' || new.reference);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION wallets.primary_wallet(p_customer uuid)
 RETURNS TABLE(wallet json)
 LANGUAGE sql
 STABLE
AS $function$
  select json_build_object('reference', w.reference, 'partnerId', w.partner_id, 'customerId', w.customer_id,
           'kycProfileId', w.kyc_profile_id, 'accountId', w.account_id, 'nuban', w.nuban, 'isPrimary', w.is_primary,
           'routingMac', encode(w.routing_mac, 'hex'))
    from wallets.partner_wallet w
   where w.customer_id = p_customer and w.is_primary and w.revoked_at is null
$function$;

CREATE OR REPLACE FUNCTION wallets.transfer(p_transfers jsonb)
 RETURNS TABLE(ordinal integer, outcome text, replayed boolean, transaction_id bigint, created_at timestamp with time zone, entries jsonb)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_transfer jsonb;
  v_partners uuid[];
  v_customers uuid[];
  v_payees uuid[];
  v_at timestamptz[];
begin
  for ordinal, outcome, replayed, transaction_id, created_at, entries in
    select p.ordinal, p.outcome, p.replayed, p.transaction_id, p.created_at, p.entries
      from ledger.post(jsonb_path_query_array(p_transfers, '$[*].posting')) p
  loop
    if outcome = 'Successful' and not replayed then
      v_transfer := p_transfers -> (ordinal - 1);
      v_partners := v_partners || (v_transfer #>> '{posting,partner}')::uuid;
      v_customers := v_customers || (v_transfer #>> '{posting,owner}')::uuid;
      v_payees := v_payees || (v_transfer ->> 'payee')::uuid;
      v_at := v_at || created_at;
    end if;
    return next;
  end loop;
  if v_at is not null then perform beneficiaries.record(v_partners, v_customers, v_payees, v_at); end if;
end $function$;

CREATE SCHEMA webhooks;

CREATE TABLE webhooks.attempt (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    status_code integer,
    duration_ms integer,
    error text,
    response bytea,
    url text,
    CONSTRAINT attempt_delivery_id_number_pk PRIMARY KEY (delivery_id, number),
    CONSTRAINT attempt_delivery_id_delivery_id_fk FOREIGN KEY (delivery_id) REFERENCES webhooks.delivery(id) ON DELETE CASCADE,
    CONSTRAINT attempt_number CHECK (((number >= 1) AND (number <= 5)))
) PARTITION BY RANGE (delivery_id);

CREATE TABLE webhooks.breaker (
    receiver_id uuid NOT NULL,
    failures integer NOT NULL,
    failing_since timestamp(3) with time zone NOT NULL,
    last_failed_at timestamp(3) with time zone NOT NULL,
    openings integer DEFAULT 0 NOT NULL,
    open_until timestamp(3) with time zone,
    probing boolean DEFAULT false NOT NULL,
    CONSTRAINT breaker_pkey PRIMARY KEY (receiver_id),
    CONSTRAINT breaker_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) ON DELETE CASCADE
);

CREATE TABLE webhooks.delivery (
    id uuid DEFAULT uuidv7() NOT NULL,
    event_id uuid NOT NULL,
    receiver_id uuid NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone,
    last_error text,
    last_attempt_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    purged_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    leased_until timestamp(3) with time zone,
    last_status_code integer,
    last_duration_ms integer,
    last_attempt_error text,
    last_response bytea,
    lane text,
    "position" bigint,
    replay_of uuid,
    traceparent text DEFAULT NULLIF(current_setting('paytag.traceparent'::text, true), ''::text),
    last_url text,
    CONSTRAINT delivery_pkey PRIMARY KEY (id),
    CONSTRAINT delivery_event_id_event_id_fk FOREIGN KEY (event_id) REFERENCES outbox.event(id) NOT ENFORCED,
    CONSTRAINT delivery_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) NOT ENFORCED,
    CONSTRAINT delivery_attempts CHECK (((attempts >= 0) AND (attempts <= 5))),
    CONSTRAINT delivery_lane CHECK (((lane IS NULL) = ("position" IS NULL))),
    CONSTRAINT delivery_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
) PARTITION BY RANGE (id);

CREATE INDEX delivery_due ON ONLY webhooks.delivery USING btree (receiver_id, due_at) WHERE ((status = 'PENDING'::text) AND (due_at IS NOT NULL));

CREATE INDEX delivery_due_newest ON ONLY webhooks.delivery USING btree (id) WHERE ((status = 'PENDING'::text) AND (due_at IS NOT NULL));

CREATE INDEX delivery_event ON ONLY webhooks.delivery USING btree (event_id);

CREATE INDEX delivery_failed ON ONLY webhooks.delivery USING btree (receiver_id, event_id) WHERE (status = 'FAILED'::text);

CREATE INDEX delivery_failed_all ON ONLY webhooks.delivery USING btree (id) WHERE (status = 'FAILED'::text);

CREATE INDEX delivery_failed_newest ON ONLY webhooks.delivery USING btree (receiver_id, id) WHERE (status = 'FAILED'::text);

CREATE INDEX delivery_failed_purgeable ON ONLY webhooks.delivery USING btree (id) WHERE ((status = 'FAILED'::text) AND (purged_at IS NULL));

CREATE INDEX delivery_forgettable ON ONLY webhooks.delivery USING btree (purged_at) WHERE (purged_at IS NOT NULL);

CREATE INDEX delivery_held ON ONLY webhooks.delivery USING btree (receiver_id, id) WHERE ((status = 'PENDING'::text) AND (due_at IS NULL));

CREATE INDEX delivery_held_newest ON ONLY webhooks.delivery USING btree (id) WHERE ((status = 'PENDING'::text) AND (due_at IS NULL));

CREATE INDEX delivery_in_lane ON ONLY webhooks.delivery USING btree (receiver_id, lane, "position") WHERE ((status = 'PENDING'::text) AND (lane IS NOT NULL));

CREATE INDEX delivery_purgeable ON ONLY webhooks.delivery USING btree (delivered_at) WHERE ((status = 'DELIVERED'::text) AND (purged_at IS NULL));

CREATE INDEX delivery_receiver ON ONLY webhooks.delivery USING btree (receiver_id, id);

CREATE TRIGGER forget_replay AFTER DELETE ON webhooks.delivery FOR EACH ROW WHEN ((old.replay_of IS NOT NULL)) EXECUTE FUNCTION webhooks.forget_replay();

CREATE TRIGGER next_in_lane AFTER UPDATE OF status ON webhooks.delivery FOR EACH ROW WHEN (((new.lane IS NOT NULL) AND (old.status = 'PENDING'::text) AND (new.status <> 'PENDING'::text))) EXECUTE FUNCTION webhooks.next_in_lane();

CREATE TRIGGER note_failure AFTER UPDATE OF status ON webhooks.delivery FOR EACH ROW WHEN (((old.status = 'PENDING'::text) AND (new.status = 'FAILED'::text) AND ((new.last_error IS NULL) OR (new.last_error <> ALL (ARRAY['endpoint deleted'::text, 'waited too long'::text]))))) EXECUTE FUNCTION webhooks.note_failure();

CREATE TRIGGER note_replay BEFORE INSERT ON webhooks.delivery FOR EACH ROW WHEN ((new.replay_of IS NOT NULL)) EXECUTE FUNCTION webhooks.note_replay();

CREATE TABLE webhooks.episode (
    id uuid DEFAULT uuidv7() NOT NULL,
    receiver_id uuid NOT NULL,
    kind text NOT NULL,
    began_at timestamp(3) with time zone NOT NULL,
    detail text,
    well_since timestamp(3) with time zone,
    ended_at timestamp(3) with time zone,
    tell_at timestamp(3) with time zone,
    tries smallint DEFAULT 0 NOT NULL,
    told_at timestamp(3) with time zone,
    CONSTRAINT episode_pkey PRIMARY KEY (id),
    CONSTRAINT episode_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) ON DELETE CASCADE,
    CONSTRAINT episode_kind CHECK ((kind = ANY (ARRAY['FAILING'::text, 'PAUSED'::text, 'FAILED'::text, 'BACKLOG'::text])))
);

CREATE INDEX episode_ended ON webhooks.episode USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX episode_open ON webhooks.episode USING btree (receiver_id, kind) WHERE (ended_at IS NULL);

CREATE INDEX episode_to_tell ON webhooks.episode USING btree (tell_at) WHERE (tell_at IS NOT NULL);

CREATE TABLE webhooks.failure (
    delivery_id uuid NOT NULL,
    receiver_id uuid NOT NULL,
    failed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT failure_pkey PRIMARY KEY (delivery_id),
    CONSTRAINT failure_delivery_id_delivery_id_fk FOREIGN KEY (delivery_id) REFERENCES webhooks.delivery(id) ON DELETE CASCADE,
    CONSTRAINT failure_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) ON DELETE CASCADE
);

CREATE INDEX failure_receiver ON webhooks.failure USING btree (receiver_id, delivery_id);

CREATE TABLE webhooks.pace (
    receiver_id uuid NOT NULL,
    rate integer NOT NULL,
    counts_from timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT pace_pkey PRIMARY KEY (receiver_id),
    CONSTRAINT pace_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) ON DELETE CASCADE,
    CONSTRAINT pace_rate CHECK ((rate > 0))
);

CREATE TABLE webhooks.pause (
    receiver_id uuid NOT NULL,
    paused_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    paused_by text NOT NULL,
    reason text NOT NULL,
    resumed_at timestamp(3) with time zone,
    CONSTRAINT pause_pkey PRIMARY KEY (receiver_id),
    CONSTRAINT pause_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) ON DELETE CASCADE,
    CONSTRAINT pause_paused_by CHECK ((paused_by = ANY (ARRAY['OPERATOR'::text, 'OWNER'::text, 'SYSTEM'::text])))
);

CREATE INDEX pause_in_force ON webhooks.pause USING btree (receiver_id) WHERE (resumed_at IS NULL);

CREATE TABLE webhooks.release (
    receiver_id uuid NOT NULL,
    CONSTRAINT release_pkey PRIMARY KEY (receiver_id),
    CONSTRAINT release_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) ON DELETE CASCADE
);

CREATE TABLE webhooks.replayed (
    event_id uuid NOT NULL,
    receiver_id uuid NOT NULL,
    CONSTRAINT replayed_event_id_receiver_id_pk PRIMARY KEY (event_id, receiver_id)
);

CREATE OR REPLACE FUNCTION webhooks.count_pending(p_receiver uuid, p_most integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_sort TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
  select count(*)::int from (
    (select from webhooks.delivery where receiver_id = p_receiver and status = 'PENDING' and due_at is not null order by due_at limit p_most)
    union all
    (select from webhooks.delivery where receiver_id = p_receiver and status = 'PENDING' and due_at is null order by id limit p_most)
    limit p_most) counted
$function$;

CREATE OR REPLACE FUNCTION webhooks.create_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_all int := (select count(*) from emitted);
  -- Events that have a delivery.
  v_made uuid[];
  v_more uuid[];
  v_unwanted uuid[];
begin
  with made as (
    insert into webhooks.delivery (event_id, receiver_id, due_at)
      select e.id, r.id, case when r.is_due then date_trunc('milliseconds', now()) when v_all = 1 then webhooks.due_under_lock(r.id) end
      from emitted e cross join lateral (
        select x.id, x.url is not null
            and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) as is_due
          from outbox.receiver x
          where x.id = e.receiver_id and x.others = 0 and x.events is null and not x.ordered offset 0) r
      where r.is_due or v_all = 1
      returning event_id)
  select coalesce(array_agg(event_id), '{}') into v_made from made;
  if cardinality(v_made) < v_all then
    -- materialized: a join would ask about each endpoint once for each event
    with addressed as materialized (
      select distinct e.receiver_id as id from emitted e where e.id <> all (v_made)),
    endpoint as materialized (
      select x.*, webhooks.first_due(x.id) as due_at
        from (select r.id, a.id as addressed_id, r.events, r.ordered
                from addressed a cross join lateral (
                  select * from outbox.receiver x where x.id = a.id
                  union all
                  select * from outbox.receiver x where x.default_id = a.id and x.deleted_at is null) r
               order by r.id) x),
    made as (
      insert into webhooks.delivery (event_id, receiver_id, due_at, lane, position)
        select e.id, t.id, t.due_at, case when t.ordered and e.sequence is not null then e.reference end,
            case when t.ordered then e.sequence end
        from emitted e join endpoint t on t.addressed_id = e.receiver_id
        where case when webhooks.is_for_one(e.event) then t.id = e.receiver_id else t.events is null or e.event = any (t.events) end
        order by e.id, t.id
        returning event_id)
    select coalesce(array_agg(event_id), '{}') into v_more from made;
    select array_agg(e.id) into v_unwanted from emitted e where e.id <> all (v_made) and e.id <> all (v_more);
    if v_unwanted is not null then
      -- As a constant, so that no other part is looked at.
      execute format('update outbox.event set body = null, body_digest = sha256(convert_to(body, ''UTF8'')) where id = any (%L::uuid[])',
        v_unwanted);
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.drop_months()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET lock_timeout TO '200ms'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_part record;
  v_any boolean;
begin
  for v_part in
    select t.name, p.part, outbox.first_id_at(case when isfinite(p.starts_at) then p.starts_at else to_timestamp(0) end) as starts,
        outbox.first_id_at(p.ends_at) as ends
      from unnest(array['attempt', 'delivery']) with ordinality t (name, place)
      cross join lateral outbox.parts(format('webhooks.%I', t.name)::regclass) p
     where p.ends_at < now() - interval '1 day' order by t.place, p.ends_at
  loop
    -- Looked at first without a lock: most that are over are not empty yet. What is PENDING may have another attempt; by two
    -- conditions, so that each is found by an index.
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    continue when v_any or v_part.name = 'attempt' and (exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is not null)
      or exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is null));
    if not pg_try_advisory_xact_lock('webhooks.attempt'::regclass::oid::bigint) then return 0; end if;
    if v_part.name = 'attempt' then
      lock table webhooks.attempt in access exclusive mode;
    else
      lock table outbox.event, webhooks.delivery, webhooks.attempt, webhooks.failure in access exclusive mode;
    end if;
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    if v_any then return 0; end if;
    -- Attempts and failures name deliveries: of this part there are none.
    if v_part.name = 'delivery' then execute format('alter table webhooks.delivery detach partition webhooks.%I', v_part.part); end if;
    execute format('drop table webhooks.%I', v_part.part);
    return 1;
  end loop;
  return 0;
exception when lock_not_available then -- e.g. a backup, which reads all tables
  return 0;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.due_under_lock(p_receiver uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  deliverable boolean;
begin
  perform from outbox.receiver r where r.id = p_receiver for share;
  select r.url is not null and not exists (
           select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
    into deliverable from outbox.receiver r where r.id = p_receiver;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.end_deliveries(p_receiver uuid, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'endpoint deleted', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
           order by k.id limit p_limit for update skip locked) waiting
   where d.id = waiting.id;
  get diagnostics ended = row_count;
  if ended = 0 then
    delete from webhooks.release l using outbox.receiver r
     where l.receiver_id = p_receiver and r.id = p_receiver and r.deleted_at < now() - interval '2 minutes'
       and not exists (select from webhooks.delivery k where k.receiver_id = p_receiver and k.status = 'PENDING');
  end if;
  return ended;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.end_waiting(p_before timestamp with time zone, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_first constant uuid := webhooks.first_id_at(p_before);
  v_ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'waited too long', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
   where d.id = any (array(
     select k.id from webhooks.delivery k
      where k.id = any (array(
              select w.id from outbox.receiver r cross join lateral (
                (select h.id from webhooks.delivery h
                  where h.receiver_id = r.id and h.status = 'PENDING' and h.due_at is null and h.id < v_first
                  order by h.id limit p_limit)
                union all
                (select u.id from webhooks.delivery u
                  where u.receiver_id = r.id and u.status = 'PENDING' and u.due_at < p_before
                  order by u.due_at limit p_limit)
                union all
                (select p.id from webhooks.delivery p
                  where p.receiver_id = r.id and p.status = 'PENDING' and p.due_at = 'infinity' and p.id < v_first
                  limit p_limit)) w
              limit p_limit))
        and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
        for update skip locked));
  get diagnostics v_ended = row_count;
  return v_ended;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.first_due(p_receiver uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  deliverable boolean;
begin
  select r.url is not null and not exists (
           select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
    into deliverable from outbox.receiver r where r.id = p_receiver;
  if not deliverable then
    perform from outbox.receiver r where r.id = p_receiver for share;
    select r.url is not null and not exists (
             select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
      into deliverable from outbox.receiver r where r.id = p_receiver;
  end if;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.first_id_at(p_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (lpad(to_hex(greatest(floor(extract(epoch from p_at) * 1000), 0)::bigint), 12, '0') || '70008000000000000000')::uuid
$function$;

CREATE OR REPLACE FUNCTION webhooks.forget_deliveries(p_before timestamp with time zone, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_events uuid[];
  v_gone int;
begin
  -- an event that is locked has no delivery made or purged meanwhile
  select array_agg(e.id) into v_events from (
    select e.id from outbox.event e
     where e.id = any (array(
             select k.event_id from webhooks.delivery k where k.purged_at < p_before order by k.purged_at limit p_limit))
       and e.body is null
       for update skip locked) e;
  delete from webhooks.delivery d
   where d.event_id = any (v_events)
     and not exists (select from webhooks.delivery s where s.event_id = d.event_id and s.purged_at is null);
  get diagnostics v_gone = row_count;
  return v_gone;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.forget_replay()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from webhooks.replayed where event_id = old.event_id and receiver_id = old.receiver_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.is_for_one(p_event text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_event in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed',
    'dispute.opened', 'dispute.expired', 'dispute.decided',
    'payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed')
$function$;

CREATE OR REPLACE FUNCTION webhooks.make_months()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET lock_timeout TO '200ms'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
begin
  if exists (
    select from generate_series(0, 12) ahead
      cross join lateral (select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at) month
     where not exists (select from outbox.parts('webhooks.delivery') p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at))
  then
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock('webhooks.delivery'::regclass::oid::bigint) then return 0; end if;
    lock table only outbox.event, outbox.receiver, only webhooks.delivery, only webhooks.attempt, webhooks.failure
      in share row exclusive mode;
  end if;
  return outbox.make_parts('webhooks.delivery') + outbox.make_parts('webhooks.attempt');
end $function$;

CREATE OR REPLACE FUNCTION webhooks.next_attempt_at(p_receiver uuid, p_leased integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_sort TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
  select min(at) from (
    select greatest(due_at, leased_until) as at from webhooks.delivery
     where receiver_id = p_receiver and status = 'PENDING' and due_at < 'infinity' order by due_at limit p_leased + 1) first
$function$;

CREATE OR REPLACE FUNCTION webhooks.next_in_lane()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update webhooks.delivery d set due_at = date_trunc('milliseconds', clock_timestamp())
   where d.due_at = 'infinity' and d.status = 'PENDING' and d.id = (
     select n.id from webhooks.delivery n
      where n.receiver_id = new.receiver_id and n.lane = new.lane and n.status = 'PENDING' order by n.position limit 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.note_failure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into webhooks.failure (delivery_id, receiver_id)
  select new.id, new.receiver_id from outbox.event e
   where e.id = new.event_id
     and e.event not in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.note_replay()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into webhooks.replayed (event_id, receiver_id) values (new.event_id, new.receiver_id) on conflict do nothing;
  return case when found then new end;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.oldest_due()
 RETURNS TABLE(receiver_id uuid, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_sort TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
  with recursive waiting as (
    (select d.receiver_id from webhooks.delivery d where d.status = 'PENDING' and d.due_at is not null
      order by d.receiver_id, d.due_at limit 1)
    union all
    select d.receiver_id from waiting w cross join lateral (
      select d.receiver_id from webhooks.delivery d
       where d.status = 'PENDING' and d.due_at is not null and d.receiver_id > w.receiver_id
       order by d.receiver_id, d.due_at limit 1) d)
  select w.receiver_id, d.due_at from waiting w cross join lateral (
    select d.due_at from webhooks.delivery d
     where d.receiver_id = w.receiver_id and d.status = 'PENDING' and d.due_at is not null
       and (d.leased_until is null or d.leased_until <= now())
     order by d.due_at limit 1) d
$function$;

CREATE OR REPLACE FUNCTION webhooks.receiver_url_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform webhooks.release_if_deliverable(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.release_held(p_receiver uuid, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  released int;
begin
  perform from webhooks.release where receiver_id = p_receiver for update;
  if not found then
    return 0;
  end if;
  if exists (select from outbox.receiver r where r.id = p_receiver and r.deleted_at is not null) then
    return webhooks.end_deliveries(p_receiver, p_limit);
  end if;
  update webhooks.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) held
   where d.id = held.id;
  get diagnostics released = row_count;
  if released < p_limit then
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
  return released;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.release_if_deliverable(p_receiver uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from outbox.receiver r where r.id = p_receiver and r.url is not null and not exists (
               select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)) then
    insert into webhooks.release (receiver_id) values (p_receiver) on conflict do nothing;
    perform webhooks.release_held(p_receiver, 500);
  else
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION webhooks.update_breaker(p_receiver uuid, p_delivered boolean, p_attempts integer, p_asked_ms integer, p_trip_after integer, p_cool_ms integer, p_cool_max_ms integer, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  if p_delivered then
    update webhooks.breaker set failures = 0, failing_since = p_now, open_until = null, probing = false
     where receiver_id = p_receiver and open_until is not null;
    if found then
      return 'CLOSED';
    end if;
    delete from webhooks.breaker where receiver_id = p_receiver;
    return null;
  end if;
  insert into webhooks.breaker as b (receiver_id, failures, failing_since, last_failed_at)
  values (p_receiver, p_attempts, p_now, p_now)
  on conflict (receiver_id) do update
     set failures = b.failures + p_attempts,
         failing_since = case when b.failures = 0 then p_now else b.failing_since end,
         openings = case when b.failures = 0 and b.failing_since < p_now - p_cool_max_ms * interval '1 millisecond'
                         then 0 else b.openings end,
         last_failed_at = p_now;
  update webhooks.breaker
     set openings = openings + 1, probing = false,
         open_until = p_now + interval '1 millisecond'
           * greatest(p_asked_ms, least(p_cool_max_ms, p_cool_ms * power(2, least(openings, 20))))
   where receiver_id = p_receiver and failures >= p_trip_after and (open_until is null or probing);
  return case when found then 'OPENED' end;
end $function$;
