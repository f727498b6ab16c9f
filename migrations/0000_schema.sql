CREATE SCHEMA "applications";
--> statement-breakpoint
CREATE SCHEMA "audit";
--> statement-breakpoint
CREATE SCHEMA "bank_accounts";
--> statement-breakpoint
CREATE SCHEMA "beneficiaries";
--> statement-breakpoint
CREATE SCHEMA "claims";
--> statement-breakpoint
CREATE SCHEMA "customers";
--> statement-breakpoint
CREATE SCHEMA "federations";
--> statement-breakpoint
CREATE SCHEMA "idempotency";
--> statement-breakpoint
CREATE SCHEMA "installation";
--> statement-breakpoint
CREATE SCHEMA "ledger";
--> statement-breakpoint
CREATE SCHEMA "onboarding";
--> statement-breakpoint
CREATE SCHEMA "outbox";
--> statement-breakpoint
CREATE SCHEMA "owner_proofs";
--> statement-breakpoint
CREATE SCHEMA "partners";
--> statement-breakpoint
CREATE SCHEMA "payments";
--> statement-breakpoint
CREATE SCHEMA "sessions";
--> statement-breakpoint
CREATE SCHEMA "signing_keys";
--> statement-breakpoint
CREATE SCHEMA "statements";
--> statement-breakpoint
CREATE SCHEMA "tag_transactions";
--> statement-breakpoint
CREATE SCHEMA "tags";
--> statement-breakpoint
CREATE SCHEMA "terminals";
--> statement-breakpoint
CREATE SCHEMA "throttles";
--> statement-breakpoint
CREATE SCHEMA "wallets";
--> statement-breakpoint
CREATE SCHEMA "webhooks";
--> statement-breakpoint
CREATE SEQUENCE "wallets"."nuban_serial" INCREMENT BY 1 MINVALUE 1 MAXVALUE 999999999 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "applications"."application" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"namespace" text NOT NULL,
	"client_id" text,
	"secret_digest" "bytea",
	"previous_secret_digest" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"email_sealed" "bytea",
	"image_url" text,
	"status" text NOT NULL,
	"built_in" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "application_namespace_unique" UNIQUE("namespace"),
	CONSTRAINT "application_client_id_unique" UNIQUE("client_id"),
	CONSTRAINT "application_status" CHECK ("applications"."application"."status" in ('PENDING', 'ACTIVE', 'SUSPENDED'))
);
--> statement-breakpoint
CREATE TABLE "applications"."subject" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"application_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"display_name" text,
	"email_sealed" "bytea",
	"image_url" text,
	"metadata" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subject_external_id" UNIQUE("application_id","external_id")
);
--> statement-breakpoint
CREATE TABLE "audit"."entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit"."entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "bank_accounts"."linked_account" (
	"customer_id" uuid NOT NULL,
	"partner_id" uuid NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number_sealed" "bytea" NOT NULL,
	"account_index" "bytea" NOT NULL,
	"account_name_sealed" "bytea" NOT NULL,
	"linked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "linked_account_customer_id_partner_id_pk" PRIMARY KEY("customer_id","partner_id")
);
--> statement-breakpoint
CREATE TABLE "beneficiaries"."beneficiary" (
	"partner_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"payee_id" uuid NOT NULL,
	"last_paid_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "beneficiary_partner_id_customer_id_payee_id_pk" PRIMARY KEY("partner_id","customer_id","payee_id")
);
--> statement-breakpoint
CREATE TABLE "claims"."claim" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"tag_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"requested_by_app_id" uuid NOT NULL,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"token_digest" "bytea" NOT NULL,
	"token_sealed" "bytea",
	"token_expires_at" timestamp (3) with time zone NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"owner_confirmed_at" timestamp (3) with time zone,
	"owner_confirmed_by" text,
	"proof_attempts" smallint DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "claim_token_digest_unique" UNIQUE("token_digest"),
	CONSTRAINT "claim_state" CHECK ("claims"."claim"."state" in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'REVOKED')),
	CONSTRAINT "claim_token_shown" CHECK (("claims"."claim"."token_sealed" is not null) = ("claims"."claim"."state" = 'PENDING')),
	CONSTRAINT "claim_approved" CHECK (("claims"."claim"."approved_at" is not null) = ("claims"."claim"."state" in ('APPROVED', 'REVOKED'))),
	CONSTRAINT "claim_revoked" CHECK (("claims"."claim"."revoked_at" is not null) = ("claims"."claim"."state" = 'REVOKED')),
	CONSTRAINT "claim_owner_confirmed" CHECK (("claims"."claim"."owner_confirmed_at" is null) = ("claims"."claim"."owner_confirmed_by" is null)),
	CONSTRAINT "claim_owner_confirmed_by" CHECK ("claims"."claim"."owner_confirmed_by" in ('PASSWORD', 'OTP')),
	CONSTRAINT "claim_proof_attempts" CHECK ("claims"."claim"."proof_attempts" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "customers"."customer" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"tag_id" uuid,
	"bvn_sealed" "bytea" NOT NULL,
	"bvn_index" "bytea" NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"other_name" text,
	"phone_sealed" "bytea",
	"phone_index" "bytea",
	"email_sealed" "bytea",
	"email_index" "bytea",
	"date_of_birth_sealed" "bytea",
	"address_sealed" "bytea",
	"image_url" text,
	"password_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_tag_id_unique" UNIQUE("tag_id"),
	CONSTRAINT "customer_bvn_index_unique" UNIQUE("bvn_index")
);
--> statement-breakpoint
CREATE TABLE "federations"."federation" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"primary_tag_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "federation_primary_tag_id_unique" UNIQUE("primary_tag_id"),
	CONSTRAINT "federation_primary" UNIQUE("id","primary_tag_id")
);
--> statement-breakpoint
CREATE TABLE "federations"."link" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"federation_id" uuid NOT NULL,
	"primary_tag_id" uuid NOT NULL,
	"linked_tag_id" uuid NOT NULL,
	"primary_app_id" uuid NOT NULL,
	"linked_app_id" uuid NOT NULL,
	"method" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"token_digest" "bytea",
	"failures" smallint DEFAULT 0 NOT NULL,
	"proof_attempts" smallint DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"verified_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_status" CHECK ("federations"."link"."status" in ('PENDING', 'VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED')),
	CONSTRAINT "link_method" CHECK ("federations"."link"."method" in ('OTP', 'CONSENT', 'ATTESTATION')),
	CONSTRAINT "link_two_tags" CHECK ("federations"."link"."primary_tag_id" <> "federations"."link"."linked_tag_id"),
	CONSTRAINT "link_token" CHECK (("federations"."link"."token_digest" is not null) = ("federations"."link"."status" = 'PENDING' and "federations"."link"."method" = 'OTP')),
	CONSTRAINT "link_failures" CHECK ("federations"."link"."failures" between 0 and 5),
	CONSTRAINT "link_proof_attempts" CHECK ("federations"."link"."proof_attempts" between 0 and 5),
	CONSTRAINT "link_verified_by" CHECK (("federations"."link"."verified_at" is null) = ("federations"."link"."verified_by" is null)),
	CONSTRAINT "link_verified" CHECK (case "federations"."link"."status" when 'VERIFIED' then "federations"."link"."verified_at" is not null
            when 'REVOKED' then true else "federations"."link"."verified_at" is null end)
);
--> statement-breakpoint
CREATE TABLE "idempotency"."request" (
	"scope" "bytea" PRIMARY KEY NOT NULL,
	"body_digest" "bytea" NOT NULL,
	"run_id" uuid NOT NULL,
	"locked_until" timestamp (3) with time zone NOT NULL,
	"status_code" smallint,
	"content_type" text,
	"answer_sealed" "bytea",
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation"."stamp" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"environment" text NOT NULL,
	"master_key_fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "one_row" CHECK ("installation"."stamp"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "ledger"."account" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger"."account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"partner_id" uuid,
	"reference" text NOT NULL,
	"currency" text NOT NULL,
	"lock_mode" text DEFAULT 'strict' NOT NULL,
	"floor" bigint,
	"posted" bigint DEFAULT 0 NOT NULL,
	"suspended" bigint DEFAULT 0 NOT NULL,
	"liens" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'Enabled' NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"daily_limit" bigint,
	"spent_day" date,
	"spent" bigint DEFAULT 0 NOT NULL,
	"emits" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_reference" UNIQUE("kind","reference","currency"),
	CONSTRAINT "account_currency" CHECK ("ledger"."account"."currency" in ('NGN', 'FP')),
	CONSTRAINT "account_lock_mode" CHECK ("ledger"."account"."lock_mode" in ('strict', 'deferred')),
	CONSTRAINT "account_status" CHECK ("ledger"."account"."status" in ('Enabled', 'Blocked', 'PND', 'PNC')),
	CONSTRAINT "account_closed" CHECK ("ledger"."account"."closed_at" is null or "ledger"."account"."status" = 'Blocked'),
	CONSTRAINT "account_holds" CHECK ("ledger"."account"."suspended" >= 0 and "ledger"."account"."liens" >= 0 and "ledger"."account"."spent" >= 0),
	CONSTRAINT "account_floor" CHECK ("ledger"."account"."floor" is null or ("ledger"."account"."lock_mode" = 'strict' and "ledger"."account"."posted" - "ledger"."account"."suspended" >= "ledger"."account"."floor"))
);
--> statement-breakpoint
CREATE TABLE "ledger"."deferred_delta" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger"."deferred_delta_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger"."entry" (
	"transaction_id" bigint NOT NULL,
	"leg" smallint NOT NULL,
	"account_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint DEFAULT 0 NOT NULL,
	"version" bigint,
	"opening" bigint,
	"closing" bigint,
	"business_date" date NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "entry_transaction_id_leg_pk" PRIMARY KEY("transaction_id","leg"),
	CONSTRAINT "entry_version" UNIQUE("account_id","version"),
	CONSTRAINT "entry_amount" CHECK ("ledger"."entry"."amount" <> 0),
	CONSTRAINT "entry_chain" CHECK (num_nulls("ledger"."entry"."version", "ledger"."entry"."opening", "ledger"."entry"."closing") in (0, 3)),
	CONSTRAINT "entry_closing" CHECK ("ledger"."entry"."closing" is null or "ledger"."entry"."closing" = "ledger"."entry"."opening" + "ledger"."entry"."amount")
);
--> statement-breakpoint
CREATE TABLE "ledger"."hold" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger"."hold_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"account_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"counted" boolean NOT NULL,
	"held_day" date NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "hold_reference" UNIQUE("owner_id","reference"),
	CONSTRAINT "hold_amount" CHECK ("ledger"."hold"."amount" > 0),
	CONSTRAINT "hold_state" CHECK ("ledger"."hold"."state" in ('OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED', 'REFUSED')),
	CONSTRAINT "hold_closed" CHECK (("ledger"."hold"."state" = 'OPEN') = ("ledger"."hold"."closed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "ledger"."lien" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger"."lien_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	CONSTRAINT "lien_amount" CHECK ("ledger"."lien"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "ledger"."transaction" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger"."transaction_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"partner_id" uuid,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"code" text,
	"request_hash" "bytea" NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint DEFAULT 0 NOT NULL,
	"commission" bigint DEFAULT 0 NOT NULL,
	"stamp_duty" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"source_id" bigint,
	"destination_id" bigint,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"external_reference" text,
	"comment" text,
	"metadata" jsonb,
	"original_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "transaction_reference" UNIQUE("owner_id","reference"),
	CONSTRAINT "transaction_status" CHECK ("ledger"."transaction"."status" in ('Pending', 'Successful', 'Failed', 'Reversed')),
	CONSTRAINT "transaction_code" CHECK (("ledger"."transaction"."status" = 'Failed') = ("ledger"."transaction"."code" is not null)),
	CONSTRAINT "transaction_amount" CHECK ("ledger"."transaction"."amount" > 0 and least("ledger"."transaction"."fee", "ledger"."transaction"."commission", "ledger"."transaction"."stamp_duty") >= 0),
	CONSTRAINT "transaction_refunded" CHECK ("ledger"."transaction"."refunded" between 0 and "ledger"."transaction"."amount")
);
--> statement-breakpoint
CREATE TABLE "onboarding"."creation_session" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"kind" text DEFAULT 'CREATION' NOT NULL,
	"customer_id" uuid,
	"bvn_sealed" "bytea",
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"other_name" text,
	"date_of_birth_sealed" "bytea",
	"phone_sealed" "bytea",
	"email_sealed" "bytea",
	"paytag" text,
	"status" text DEFAULT 'STARTED' NOT NULL,
	"otp_digest" "bytea",
	"otp_channel" text,
	"otp_reference" text,
	"otp_expires_at" timestamp (3) with time zone,
	"otp_sends" smallint DEFAULT 0 NOT NULL,
	"otp_sent_at" jsonb DEFAULT '{}' NOT NULL,
	"otp_failures" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "creation_session_status" CHECK ("onboarding"."creation_session"."status" in ('STARTED', 'VALIDATED', 'COMPLETED')),
	CONSTRAINT "creation_session_kind" CHECK (case "onboarding"."creation_session"."kind" when 'CREATION' then num_nulls("onboarding"."creation_session"."bvn_sealed", "onboarding"."creation_session"."date_of_birth_sealed") = 0
        when 'PASSWORD_RESET' then "onboarding"."creation_session"."customer_id" is not null else false end)
);
--> statement-breakpoint
CREATE TABLE "outbox"."event" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"receiver_id" uuid NOT NULL,
	"event" text NOT NULL,
	"reference" text NOT NULL,
	"subject_id" uuid,
	"body" text,
	"sequence" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox"."receiver" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"owner_id" uuid NOT NULL,
	"owner_kind" text NOT NULL,
	"url" text,
	"client_id_sealed" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"secret_rotated_at" timestamp (3) with time zone,
	"previous_secret_sealed" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receiver_owner_id_unique" UNIQUE("owner_id"),
	CONSTRAINT "receiver_owner_kind" CHECK ("outbox"."receiver"."owner_kind" in ('PARTNER', 'APPLICATION')),
	CONSTRAINT "receiver_previous_secret" CHECK (("outbox"."receiver"."previous_secret_sealed" is null) = ("outbox"."receiver"."previous_secret_until" is null))
);
--> statement-breakpoint
CREATE TABLE "owner_proofs"."owner_code" (
	"purpose" text PRIMARY KEY NOT NULL,
	"code_digest" "bytea",
	"code_expires_at" timestamp (3) with time zone,
	"sends" smallint DEFAULT 0 NOT NULL,
	"sent_at" jsonb DEFAULT '{}' NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owner_code_expires" CHECK ("owner_proofs"."owner_code"."code_digest" is null or "owner_proofs"."owner_code"."code_expires_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "partners"."api_key" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"partner_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_key_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "partners"."partner" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"client_id" text NOT NULL,
	"redirect_url" text NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "partner_client_id_unique" UNIQUE("client_id"),
	CONSTRAINT "partner_status" CHECK ("partners"."partner"."status" in ('ACTIVE', 'SUSPENDED'))
);
--> statement-breakpoint
CREATE TABLE "payments"."payment" (
	"transaction_id" bigint PRIMARY KEY NOT NULL,
	"terminal_id" bigint,
	"split_id" bigint,
	"sender_name" text,
	"sender_paytag" text,
	"sender_type" text,
	CONSTRAINT "payment_split" CHECK ("payments"."payment"."split_id" is null or "payments"."payment"."terminal_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "sessions"."auth_code" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"code_challenge" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"exchanged_at" timestamp (3) with time zone,
	"session_id" uuid
);
--> statement-breakpoint
CREATE TABLE "sessions"."prior_login" (
	"partner_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "prior_login_customer_id_partner_id_pk" PRIMARY KEY("customer_id","partner_id")
);
--> statement-breakpoint
CREATE TABLE "sessions"."session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"partner_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "signing_keys"."signing_key" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_jwk_sealed" "bytea" NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp (3) with time zone,
	CONSTRAINT "signing_key_status" CHECK ("signing_keys"."signing_key"."status" in ('CURRENT', 'NEXT', 'RETIRED'))
);
--> statement-breakpoint
CREATE TABLE "statements"."requested" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statements"."requested_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reference" text NOT NULL,
	"wallet_id" bigint NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"format" text NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"mailed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "requested_reference_unique" UNIQUE("reference"),
	CONSTRAINT "requested_status" CHECK ("statements"."requested"."status" in ('Pending', 'Ready', 'Failed')),
	CONSTRAINT "requested_format" CHECK ("statements"."requested"."format" in ('pdf', 'csv', 'html')),
	CONSTRAINT "requested_due" CHECK ("statements"."requested"."status" <> 'Pending' or "statements"."requested"."due_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "tag_transactions"."tag_transaction" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"reference" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"sender_app_id" uuid NOT NULL,
	"receiver_app_id" uuid NOT NULL,
	"sender_tag" text NOT NULL,
	"receiver_tag" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'AWAITING_ACCEPTANCE' NOT NULL,
	"code" text,
	"narration" text,
	"hold_id" bigint,
	"posting_id" bigint,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"rejected_at" timestamp (3) with time zone,
	"rejection_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tag_transaction_reference" UNIQUE("sender_app_id","reference"),
	CONSTRAINT "tag_transaction_amount" CHECK ("tag_transactions"."tag_transaction"."amount" > 0 and "tag_transactions"."tag_transaction"."fee" >= 0),
	CONSTRAINT "tag_transaction_currency" CHECK ("tag_transactions"."tag_transaction"."currency" in ('NGN', 'FP')),
	CONSTRAINT "tag_transaction_status" CHECK ("tag_transactions"."tag_transaction"."status" in ('AWAITING_ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED')),
	CONSTRAINT "tag_transaction_declined" CHECK (("tag_transactions"."tag_transaction"."status" = 'DECLINED') = ("tag_transactions"."tag_transaction"."code" is not null)),
	CONSTRAINT "tag_transaction_accepted" CHECK (("tag_transactions"."tag_transaction"."status" = 'ACCEPTED') = ("tag_transactions"."tag_transaction"."accepted_at" is not null)),
	CONSTRAINT "tag_transaction_rejected" CHECK (("tag_transactions"."tag_transaction"."status" = 'REJECTED') = ("tag_transactions"."tag_transaction"."rejected_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "tags"."tag" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"handle" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"created_by_app_id" uuid NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"released_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tag_status" CHECK ("tags"."tag"."status" in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
	CONSTRAINT "tag_closed" CHECK (("tags"."tag"."closed_at" is not null) = ("tags"."tag"."status" = 'CLOSED')),
	CONSTRAINT "tag_released" CHECK ("tags"."tag"."released_at" is null or "tags"."tag"."status" = 'CLOSED')
);
--> statement-breakpoint
CREATE TABLE "terminals"."split" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terminals"."split_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"terminal_id" bigint NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"total_paid" bigint DEFAULT 0 NOT NULL,
	"currency" text DEFAULT 'NGN' NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "split_reference" UNIQUE("terminal_id","reference"),
	CONSTRAINT "split_currency" CHECK ("terminals"."split"."currency" = 'NGN'),
	CONSTRAINT "split_paid" CHECK ("terminals"."split"."amount" > 0 and "terminals"."split"."total_paid" between 0 and "terminals"."split"."amount"),
	CONSTRAINT "split_status" CHECK (case "terminals"."split"."status" when 'Pending' then "terminals"."split"."total_paid" < "terminals"."split"."amount" when 'Paid' then "terminals"."split"."total_paid" = "terminals"."split"."amount"
        when 'Cancelled' then "terminals"."split"."total_paid" = 0 when 'Expired' then "terminals"."split"."total_paid" = 0 else false end)
);
--> statement-breakpoint
CREATE TABLE "terminals"."terminal" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terminals"."terminal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"serial_number" text NOT NULL,
	"partner_id" uuid NOT NULL,
	"terminal_id" text,
	"merchant" text,
	"email_sealed" "bytea",
	"phone_sealed" "bytea",
	"paytag" text,
	"status" text DEFAULT 'Active' NOT NULL,
	"metadata" jsonb,
	"balance" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "terminal_serial_number_unique" UNIQUE("serial_number"),
	CONSTRAINT "terminal_balance" CHECK ("terminals"."terminal"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "throttles"."counter" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"spent" integer NOT NULL,
	"closed_until" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets"."kyc_profile" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallets"."kyc_profile_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"partner_id" uuid NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"other_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets"."partner_wallet" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallets"."partner_wallet_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reference" text NOT NULL,
	"partner_id" uuid NOT NULL,
	"customer_id" uuid,
	"kyc_profile_id" bigint,
	"account_id" bigint NOT NULL,
	"nuban" text NOT NULL,
	"is_primary" boolean DEFAULT false NOT NULL,
	"tier" smallint NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "partner_wallet_reference_unique" UNIQUE("reference"),
	CONSTRAINT "partner_wallet_account_id_unique" UNIQUE("account_id"),
	CONSTRAINT "partner_wallet_nuban_unique" UNIQUE("nuban"),
	CONSTRAINT "wallet_tier" CHECK ("wallets"."partner_wallet"."tier" between 1 and 3),
	CONSTRAINT "wallet_holder" CHECK (num_nonnulls("wallets"."partner_wallet"."customer_id", "wallets"."partner_wallet"."kyc_profile_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "webhooks"."attempt" (
	"delivery_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status_code" integer,
	"duration_ms" integer,
	"error" text,
	"response" "bytea",
	CONSTRAINT "attempt_delivery_id_number_pk" PRIMARY KEY("delivery_id","number"),
	CONSTRAINT "attempt_number" CHECK ("webhooks"."attempt"."number" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "webhooks"."breaker" (
	"receiver_id" uuid PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"failing_since" timestamp (3) with time zone NOT NULL,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	"openings" integer DEFAULT 0 NOT NULL,
	"open_until" timestamp (3) with time zone,
	"probing" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks"."delivery" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"event_id" uuid NOT NULL,
	"receiver_id" uuid NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"last_error" text,
	"last_attempt_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"purged_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "delivery_status" CHECK ("webhooks"."delivery"."status" in ('PENDING', 'DELIVERED', 'FAILED')),
	CONSTRAINT "delivery_attempts" CHECK ("webhooks"."delivery"."attempts" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "webhooks"."pause" (
	"receiver_id" uuid PRIMARY KEY NOT NULL,
	"paused_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paused_by" text NOT NULL,
	"reason" text NOT NULL,
	"resumed_at" timestamp (3) with time zone,
	CONSTRAINT "pause_paused_by" CHECK ("webhooks"."pause"."paused_by" in ('OPERATOR', 'OWNER', 'SYSTEM'))
);
--> statement-breakpoint
CREATE TABLE "webhooks"."release" (
	"receiver_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "applications"."subject" ADD CONSTRAINT "subject_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_accounts"."linked_account" ADD CONSTRAINT "linked_account_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_accounts"."linked_account" ADD CONSTRAINT "linked_account_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beneficiaries"."beneficiary" ADD CONSTRAINT "beneficiary_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beneficiaries"."beneficiary" ADD CONSTRAINT "beneficiary_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beneficiaries"."beneficiary" ADD CONSTRAINT "beneficiary_payee_id_customer_id_fk" FOREIGN KEY ("payee_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD CONSTRAINT "claim_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD CONSTRAINT "claim_subject_id_subject_id_fk" FOREIGN KEY ("subject_id") REFERENCES "applications"."subject"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD CONSTRAINT "claim_requested_by_app_id_application_id_fk" FOREIGN KEY ("requested_by_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers"."customer" ADD CONSTRAINT "customer_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."federation" ADD CONSTRAINT "federation_primary_tag_id_tag_id_fk" FOREIGN KEY ("primary_tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_linked_tag_id_tag_id_fk" FOREIGN KEY ("linked_tag_id") REFERENCES "tags"."tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_primary_app_id_application_id_fk" FOREIGN KEY ("primary_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_linked_app_id_application_id_fk" FOREIGN KEY ("linked_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD CONSTRAINT "link_federation" FOREIGN KEY ("federation_id","primary_tag_id") REFERENCES "federations"."federation"("id","primary_tag_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."deferred_delta" ADD CONSTRAINT "deferred_delta_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."entry" ADD CONSTRAINT "entry_transaction_id_transaction_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."entry" ADD CONSTRAINT "entry_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."hold" ADD CONSTRAINT "hold_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."lien" ADD CONSTRAINT "lien_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transaction" ADD CONSTRAINT "transaction_source_id_account_id_fk" FOREIGN KEY ("source_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transaction" ADD CONSTRAINT "transaction_destination_id_account_id_fk" FOREIGN KEY ("destination_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transaction" ADD CONSTRAINT "transaction_original_id_transaction_id_fk" FOREIGN KEY ("original_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD CONSTRAINT "creation_session_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD CONSTRAINT "creation_session_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox"."event" ADD CONSTRAINT "event_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partners"."api_key" ADD CONSTRAINT "api_key_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."payment" ADD CONSTRAINT "payment_transaction_id_transaction_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."payment" ADD CONSTRAINT "payment_terminal_id_terminal_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "terminals"."terminal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."payment" ADD CONSTRAINT "payment_split_id_split_id_fk" FOREIGN KEY ("split_id") REFERENCES "terminals"."split"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."auth_code" ADD CONSTRAINT "auth_code_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."auth_code" ADD CONSTRAINT "auth_code_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."auth_code" ADD CONSTRAINT "auth_code_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "sessions"."session"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."prior_login" ADD CONSTRAINT "prior_login_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."prior_login" ADD CONSTRAINT "prior_login_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."session" ADD CONSTRAINT "session_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions"."session" ADD CONSTRAINT "session_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements"."requested" ADD CONSTRAINT "requested_wallet_id_partner_wallet_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "wallets"."partner_wallet"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_transactions"."tag_transaction" ADD CONSTRAINT "tag_transaction_sender_app_id_application_id_fk" FOREIGN KEY ("sender_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_transactions"."tag_transaction" ADD CONSTRAINT "tag_transaction_receiver_app_id_application_id_fk" FOREIGN KEY ("receiver_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_transactions"."tag_transaction" ADD CONSTRAINT "tag_transaction_hold_id_hold_id_fk" FOREIGN KEY ("hold_id") REFERENCES "ledger"."hold"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_transactions"."tag_transaction" ADD CONSTRAINT "tag_transaction_posting_id_transaction_id_fk" FOREIGN KEY ("posting_id") REFERENCES "ledger"."transaction"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD CONSTRAINT "tag_subject_id_subject_id_fk" FOREIGN KEY ("subject_id") REFERENCES "applications"."subject"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags"."tag" ADD CONSTRAINT "tag_created_by_app_id_application_id_fk" FOREIGN KEY ("created_by_app_id") REFERENCES "applications"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminals"."split" ADD CONSTRAINT "split_terminal_id_terminal_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "terminals"."terminal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminals"."terminal" ADD CONSTRAINT "terminal_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets"."kyc_profile" ADD CONSTRAINT "kyc_profile_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD CONSTRAINT "partner_wallet_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD CONSTRAINT "partner_wallet_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "customers"."customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD CONSTRAINT "partner_wallet_kyc_profile_id_kyc_profile_id_fk" FOREIGN KEY ("kyc_profile_id") REFERENCES "wallets"."kyc_profile"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets"."partner_wallet" ADD CONSTRAINT "partner_wallet_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "ledger"."account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."attempt" ADD CONSTRAINT "attempt_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "webhooks"."delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."breaker" ADD CONSTRAINT "breaker_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD CONSTRAINT "delivery_event_id_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "outbox"."event"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD CONSTRAINT "delivery_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."pause" ADD CONSTRAINT "pause_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks"."release" ADD CONSTRAINT "release_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_target" ON "audit"."entry" USING btree ("target");--> statement-breakpoint
CREATE INDEX "beneficiary_latest" ON "beneficiaries"."beneficiary" USING btree ("partner_id","customer_id","last_paid_at");--> statement-breakpoint
CREATE UNIQUE INDEX "claim_open" ON "claims"."claim" USING btree ("tag_id","subject_id","requested_by_app_id") WHERE "claims"."claim"."state" in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX "claim_tag" ON "claims"."claim" USING btree ("tag_id","id");--> statement-breakpoint
CREATE INDEX "claim_approved" ON "claims"."claim" USING btree ("tag_id","id") WHERE "claims"."claim"."state" = 'APPROVED';--> statement-breakpoint
CREATE INDEX "claim_asked" ON "claims"."claim" USING btree ("tag_id","requested_by_app_id","requested_at");--> statement-breakpoint
CREATE INDEX "claim_due" ON "claims"."claim" USING btree ("token_expires_at") WHERE "claims"."claim"."state" = 'PENDING';--> statement-breakpoint
CREATE UNIQUE INDEX "link_open" ON "federations"."link" USING btree (least("primary_tag_id", "linked_tag_id"),greatest("primary_tag_id", "linked_tag_id")) WHERE "federations"."link"."status" in ('PENDING', 'VERIFIED');--> statement-breakpoint
CREATE INDEX "link_gathered" ON "federations"."link" USING btree ("federation_id","id");--> statement-breakpoint
CREATE INDEX "link_open_primary" ON "federations"."link" USING btree ("primary_tag_id") WHERE "federations"."link"."status" in ('PENDING', 'VERIFIED');--> statement-breakpoint
CREATE INDEX "link_open_linked" ON "federations"."link" USING btree ("linked_tag_id") WHERE "federations"."link"."status" in ('PENDING', 'VERIFIED');--> statement-breakpoint
CREATE INDEX "link_due" ON "federations"."link" USING btree ("expires_at") WHERE "federations"."link"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "request_expiry" ON "idempotency"."request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "hold_open" ON "ledger"."hold" USING btree ("expires_at") WHERE "ledger"."hold"."state" = 'OPEN';--> statement-breakpoint
CREATE INDEX "lien_account" ON "ledger"."lien" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "transaction_partner" ON "ledger"."transaction" USING btree ("partner_id","created_at");--> statement-breakpoint
CREATE INDEX "transaction_ours" ON "ledger"."transaction" USING btree ("reference") WHERE "ledger"."transaction"."owner_id" is distinct from "ledger"."transaction"."partner_id";--> statement-breakpoint
CREATE INDEX "transaction_pending" ON "ledger"."transaction" USING btree ("destination_id") WHERE "ledger"."transaction"."status" = 'Pending';--> statement-breakpoint
CREATE INDEX "creation_session_customer" ON "onboarding"."creation_session" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "creation_session_expiry" ON "onboarding"."creation_session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "event_receiver" ON "outbox"."event" USING btree ("receiver_id","created_at");--> statement-breakpoint
CREATE INDEX "event_subject" ON "outbox"."event" USING btree ("receiver_id","subject_id") WHERE "outbox"."event"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "owner_code_expiry" ON "owner_proofs"."owner_code" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_key_partner" ON "partners"."api_key" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "payment_terminal" ON "payments"."payment" USING btree ("terminal_id") WHERE "payments"."payment"."terminal_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_split" ON "payments"."payment" USING btree ("split_id") WHERE "payments"."payment"."split_id" is not null;--> statement-breakpoint
CREATE INDEX "auth_code_customer" ON "sessions"."auth_code" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "auth_code_session" ON "sessions"."auth_code" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "auth_code_expiry" ON "sessions"."auth_code" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "session_customer" ON "sessions"."session" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "session_expiry" ON "sessions"."session" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "one_current" ON "signing_keys"."signing_key" USING btree ("status") WHERE "signing_keys"."signing_key"."status" = 'CURRENT';--> statement-breakpoint
CREATE UNIQUE INDEX "one_next" ON "signing_keys"."signing_key" USING btree ("status") WHERE "signing_keys"."signing_key"."status" = 'NEXT';--> statement-breakpoint
CREATE INDEX "requested_due_at" ON "statements"."requested" USING btree ("due_at") WHERE "statements"."requested"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "requested_created" ON "statements"."requested" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "tag_transaction_pending" ON "tag_transactions"."tag_transaction" USING btree ("receiver_app_id","created_at","id") WHERE "tag_transactions"."tag_transaction"."status" = 'AWAITING_ACCEPTANCE';--> statement-breakpoint
CREATE INDEX "tag_transaction_received" ON "tag_transactions"."tag_transaction" USING btree ("receiver_app_id","reference");--> statement-breakpoint
CREATE INDEX "tag_transaction_due" ON "tag_transactions"."tag_transaction" USING btree ("expires_at") WHERE "tag_transactions"."tag_transaction"."status" = 'AWAITING_ACCEPTANCE';--> statement-breakpoint
CREATE UNIQUE INDEX "tag_handle" ON "tags"."tag" USING btree ("handle") WHERE "tags"."tag"."released_at" is null;--> statement-breakpoint
CREATE INDEX "tag_subject" ON "tags"."tag" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "split_newest" ON "terminals"."split" USING btree ("terminal_id","id");--> statement-breakpoint
CREATE INDEX "split_expiring" ON "terminals"."split" USING btree ("expires_at") WHERE "terminals"."split"."status" = 'Pending' and "terminals"."split"."total_paid" = 0;--> statement-breakpoint
CREATE INDEX "terminal_partner" ON "terminals"."terminal" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "counter_expiry" ON "throttles"."counter" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "kyc_profile_partner" ON "wallets"."kyc_profile" USING btree ("partner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_of_customer" ON "wallets"."partner_wallet" USING btree ("partner_id","customer_id") WHERE "wallets"."partner_wallet"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "primary_wallet" ON "wallets"."partner_wallet" USING btree ("customer_id") WHERE "wallets"."partner_wallet"."is_primary";--> statement-breakpoint
CREATE INDEX "wallet_partner" ON "wallets"."partner_wallet" USING btree ("partner_id","created_at");--> statement-breakpoint
CREATE INDEX "delivery_due" ON "webhooks"."delivery" USING btree ("receiver_id","due_at") WHERE "webhooks"."delivery"."status" = 'PENDING' and "webhooks"."delivery"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "delivery_held" ON "webhooks"."delivery" USING btree ("receiver_id","id") WHERE "webhooks"."delivery"."status" = 'PENDING' and "webhooks"."delivery"."due_at" is null;--> statement-breakpoint
CREATE INDEX "delivery_event" ON "webhooks"."delivery" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "delivery_receiver" ON "webhooks"."delivery" USING btree ("receiver_id","id");--> statement-breakpoint
CREATE INDEX "delivery_purgeable" ON "webhooks"."delivery" USING btree ("delivered_at") WHERE "webhooks"."delivery"."status" = 'DELIVERED' and "webhooks"."delivery"."purged_at" is null;--> statement-breakpoint
CREATE INDEX "delivery_failed_purgeable" ON "webhooks"."delivery" USING btree ("updated_at") WHERE "webhooks"."delivery"."status" = 'FAILED' and "webhooks"."delivery"."purged_at" is null;--> statement-breakpoint
CREATE INDEX "delivery_failed" ON "webhooks"."delivery" USING btree ("receiver_id","event_id") WHERE "webhooks"."delivery"."status" = 'FAILED';