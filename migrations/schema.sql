-- The tables of a migrated database, for readers. Written by `npm run db:dump`; nothing loads it. Functions and triggers are in functions/, rights in rights.sql.

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
    routing_mac bytea NOT NULL,
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
    routing_mac bytea NOT NULL,
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
    CONSTRAINT entry_transaction_id_leg_pk PRIMARY KEY (transaction_id, leg),
    CONSTRAINT entry_version UNIQUE (account_id, version),
    CONSTRAINT entry_account_id_account_id_fk FOREIGN KEY (account_id) REFERENCES ledger.account(id),
    CONSTRAINT entry_transaction_id_transaction_id_fk FOREIGN KEY (transaction_id) REFERENCES ledger.transaction(id),
    CONSTRAINT entry_sound CHECK (((amount <> 0) AND
CASE
    WHEN (version IS NULL) THEN (num_nonnulls(opening, closing) = 0)
    ELSE COALESCE((closing = (opening + amount)), false)
END))
);

CREATE INDEX entry_time ON ledger.entry USING brin (created_at) WITH (autosummarize='on');

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
    mac bytea NOT NULL,
    hold_id bigint,
    void_reason text,
    CONSTRAINT transaction_pkey PRIMARY KEY (id),
    CONSTRAINT transaction_reference UNIQUE (owner_id, namer, reference),
    CONSTRAINT transaction_destination_id_account_id_fk FOREIGN KEY (destination_id) REFERENCES ledger.account(id),
    CONSTRAINT transaction_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES ledger.hold(id),
    CONSTRAINT transaction_original_id_transaction_id_fk FOREIGN KEY (original_id) REFERENCES ledger.transaction(id),
    CONSTRAINT transaction_source_id_account_id_fk FOREIGN KEY (source_id) REFERENCES ledger.account(id),
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
    routing_mac bytea,
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
    routing_mac bytea NOT NULL,
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
);

CREATE INDEX event_receiver ON outbox.event USING btree (receiver_id, created_at);

CREATE INDEX event_subject ON outbox.event USING btree (receiver_id, subject_id) WHERE (subject_id IS NOT NULL);

CREATE INDEX event_time ON outbox.event USING brin (created_at) WITH (autosummarize='on');

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
    routing_mac bytea NOT NULL,
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
    routing_mac bytea NOT NULL,
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
    routing_mac bytea NOT NULL,
    CONSTRAINT terminal_pkey PRIMARY KEY (id),
    CONSTRAINT terminal_serial_number_unique UNIQUE (serial_number),
    CONSTRAINT terminal_partner_id_partner_id_fk FOREIGN KEY (partner_id) REFERENCES partners.partner(id),
    CONSTRAINT terminal_balance CHECK ((balance >= 0))
);

CREATE INDEX terminal_newest ON terminals.terminal USING btree (partner_id, id);

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
);

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
    CONSTRAINT delivery_event_id_event_id_fk FOREIGN KEY (event_id) REFERENCES outbox.event(id),
    CONSTRAINT delivery_receiver_id_receiver_id_fk FOREIGN KEY (receiver_id) REFERENCES outbox.receiver(id) NOT ENFORCED,
    CONSTRAINT delivery_replay_of_delivery_id_fk FOREIGN KEY (replay_of) REFERENCES webhooks.delivery(id),
    CONSTRAINT delivery_attempts CHECK (((attempts >= 0) AND (attempts <= 5))),
    CONSTRAINT delivery_lane CHECK (((lane IS NULL) = ("position" IS NULL))),
    CONSTRAINT delivery_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
) WITH (fillfactor=45);

CREATE INDEX delivery_due ON webhooks.delivery USING btree (receiver_id, due_at) WHERE ((status = 'PENDING'::text) AND (due_at IS NOT NULL));

CREATE INDEX delivery_due_newest ON webhooks.delivery USING btree (id) WHERE ((status = 'PENDING'::text) AND (due_at IS NOT NULL));

CREATE INDEX delivery_event ON webhooks.delivery USING btree (event_id);

CREATE INDEX delivery_failed ON webhooks.delivery USING btree (receiver_id, event_id) WHERE (status = 'FAILED'::text);

CREATE INDEX delivery_failed_all ON webhooks.delivery USING btree (id) WHERE (status = 'FAILED'::text);

CREATE INDEX delivery_failed_newest ON webhooks.delivery USING btree (receiver_id, id) WHERE (status = 'FAILED'::text);

CREATE INDEX delivery_failed_purgeable ON webhooks.delivery USING btree (id) WHERE ((status = 'FAILED'::text) AND (purged_at IS NULL));

CREATE INDEX delivery_forgettable ON webhooks.delivery USING btree (purged_at) WHERE (purged_at IS NOT NULL);

CREATE INDEX delivery_held ON webhooks.delivery USING btree (receiver_id, id) WHERE ((status = 'PENDING'::text) AND (due_at IS NULL));

CREATE INDEX delivery_held_newest ON webhooks.delivery USING btree (id) WHERE ((status = 'PENDING'::text) AND (due_at IS NULL));

CREATE INDEX delivery_in_lane ON webhooks.delivery USING btree (receiver_id, lane, "position") WHERE ((status = 'PENDING'::text) AND (lane IS NOT NULL));

CREATE INDEX delivery_purgeable ON webhooks.delivery USING btree (delivered_at) WHERE ((status = 'DELIVERED'::text) AND (purged_at IS NULL));

CREATE INDEX delivery_receiver ON webhooks.delivery USING btree (receiver_id, id);

CREATE INDEX delivery_replay ON webhooks.delivery USING btree (replay_of) WHERE (replay_of IS NOT NULL);

CREATE UNIQUE INDEX delivery_replayed_once ON webhooks.delivery USING btree (event_id, receiver_id) WHERE (replay_of IS NOT NULL);

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
