-- The first migration: every table, by schema in the order in which they refer to each other, with its indexes; and the rows that the
-- code names by their ids. Functions and triggers are in functions/, rights in rights.sql. src/modules/<room>/tables.ts says what a
-- table and its columns are for.


-- applications ----------------------------------------------------------------------------------------

create schema applications;

create table applications.application (
  id uuid primary key default uuidv7(),
  name text not null,
  namespace text not null,
  secret_digest bytea,
  previous_secret_digest bytea,
  previous_secret_until timestamptz(3),
  email_sealed bytea,
  image_url text,
  status text not null,
  built_in boolean not null default false,
  created_at timestamptz(3) not null default now(),
  token_generation integer not null default 0,
  client_id_digest bytea,
  return_urls text[] not null default '{}',
  routing_mac bytea,
  constraint application_client_id_digest_unique unique (client_id_digest),
  constraint application_namespace_unique unique (namespace),
  constraint application_status check (status in ('PENDING', 'ACTIVE', 'SUSPENDED'))
);
create index application_name on applications.application (lower(name) text_pattern_ops);
create index application_registrant on applications.application (created_at) where status = 'PENDING' and not built_in
  and (email_sealed is not null or image_url is not null);
create index application_waiting on applications.application (id) where status = 'PENDING';

create table applications.subject (
  id uuid primary key default uuidv7(),
  application_id uuid not null,
  external_id text not null,
  display_name text,
  email_sealed bytea,
  image_url text,
  metadata jsonb,
  created_at timestamptz(3) not null default now(),
  routing_mac bytea not null,
  constraint subject_external_id unique (application_id, external_id),
  constraint subject_application_id_application_id_fk foreign key (application_id) references applications.application (id)
);


-- approvals -------------------------------------------------------------------------------------------

create schema approvals;

create table approvals.approval (
  id uuid primary key default uuidv7(),
  operation text not null,
  status text not null default 'PENDING',
  digest bytea not null,
  input_sealed bytea,
  amount bigint,
  requested_by text not null,
  requested_by_name text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_by text,
  decided_by_name text,
  decided_at timestamptz(3),
  reason text,
  run_id uuid,
  run_until timestamptz(3),
  answer_sealed bytea,
  error_code text,
  ended_at timestamptz(3),
  constraint approval_four_eyes check ((status not in ('APPROVED', 'EXECUTED', 'FAILED')) or coalesce(decided_by <> requested_by, false)),
  constraint approval_status check (status in ('PENDING', 'APPROVED', 'EXECUTED', 'FAILED', 'REJECTED', 'EXPIRED'))
);
create index approval_done on approvals.approval (digest) where status = 'EXECUTED';
create index approval_due on approvals.approval (expires_at) where status = 'PENDING';
create index approval_kept on approvals.approval (ended_at) where input_sealed is not null;
create unique index approval_pending on approvals.approval (digest) where status = 'PENDING';
create index approval_status_id on approvals.approval (status, id);


-- audit -----------------------------------------------------------------------------------------------

create schema audit;

create table audit.entry (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  actor text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  reason text,
  request_id text
);
create index audit_action on audit.entry (action, id);
create index audit_actor on audit.entry (split_part(actor, ' ', 1), id);
create index audit_at on audit.entry (at, id);
create index audit_request on audit.entry (request_id, id) where request_id is not null;
create index audit_target on audit.entry (target, id);
create index entry_time on audit.entry using brin (at) with (autosummarize='on');


-- books -----------------------------------------------------------------------------------------------
-- What moved on each day and in each hour, added up as time passes: a day is reported without reading its entries.

create schema books;

create table books.day_total (
  day date not null,
  kind text not null,
  currency text not null,
  debits bigint not null,
  credits bigint not null,
  constraint day_total_day_kind_currency_pk primary key (day, kind, currency)
);

create table books.hour_total (
  hour timestamptz(3) not null,
  type text not null,
  currency text not null,
  debits bigint not null,
  transactions bigint not null,
  constraint hour_total_hour_type_currency_pk primary key (hour, type, currency)
);

create table books.partner_day_total (
  partner_id uuid not null,
  day date not null,
  kind text not null,
  currency text not null,
  type text not null,
  debits bigint not null,
  credits bigint not null,
  movements bigint not null,
  constraint partner_day_total_partner_id_kind_currency_type_day_pk primary key (partner_id, kind, currency, type, day)
);
create index partner_day_total_float on books.partner_day_total (day) where kind = 'FLOAT';

create table books.totalled (
  "only" boolean primary key default true,
  until timestamptz(3) not null,
  constraint totalled_only check ("only")
);


-- data_keys -------------------------------------------------------------------------------------------
-- Keys that seal, index and sign are stored wrapped by the root key.

create schema data_keys;

create table data_keys.data_key (
  id integer primary key,
  use text not null,
  status text not null,
  wrapped bytea,
  root_key text not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3),
  destroyed_at timestamptz(3),
  sealed bigint not null default 0,
  constraint data_key_destroyed check ((status = 'DESTROYED') = (wrapped is null)),
  constraint data_key_status check (status in ('NEXT', 'CURRENT', 'RETIRED', 'DESTROYED')),
  constraint data_key_use check (use in ('SEAL', 'INDEX', 'SIGN', 'POSTING'))
);
create unique index data_key_current on data_keys.data_key (use) where status = 'CURRENT';
create unique index data_key_next on data_keys.data_key (use) where status = 'NEXT';


-- idempotency -----------------------------------------------------------------------------------------

create schema idempotency;

-- Room in each page for the answer next to its reservation: it touches no index then.
create table idempotency.request (
  scope bytea primary key,
  body_digest bytea not null,
  run_id uuid not null,
  locked_until timestamptz(3) not null,
  status_code smallint,
  content_type text,
  answer_sealed bytea,
  expires_at timestamptz(3) not null,
  committed_run uuid,
  request_id text,
  method text,
  route text,
  caller text
) with (fillfactor = 60);
create index request_expiry on idempotency.request (expires_at);
create index request_of_id on idempotency.request (request_id) where request_id is not null;


-- installation ----------------------------------------------------------------------------------------

create schema installation;

create table installation.stamp (
  id smallint primary key default 1,
  environment text not null,
  master_key_fingerprint text not null,
  created_at timestamptz(3) not null default now(),
  constraint one_row check (id = 1)
);


-- integrity -------------------------------------------------------------------------------------------

create schema integrity;

create table integrity.run (
  id bigint generated always as identity primary key,
  since timestamptz(3),
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  ok boolean not null,
  results jsonb not null
);
create index run_started on integrity.run (started_at);


-- known_addresses -------------------------------------------------------------------------------------

create schema known_addresses;

create table known_addresses.known_address (
  credential text not null,
  digest bytea not null,
  last_used_at timestamptz(3) not null,
  constraint known_address_credential_digest_pk primary key (credential, digest)
);
create index known_address_last_used on known_addresses.known_address (last_used_at);


-- ledger ----------------------------------------------------------------------------------------------

create schema ledger;

-- Free space in each page for the next version of an account: a balance then changes without touching an index.
create table ledger.account (
  id bigint generated always as identity primary key,
  kind text not null,
  partner_id uuid,
  reference text not null,
  currency text not null,
  lock_mode text not null default 'strict',
  floor bigint,
  posted bigint not null default 0,
  suspended bigint not null default 0,
  liens bigint not null default 0,
  version bigint not null default 0,
  status text not null default 'Enabled',
  closed_at timestamptz(3),
  daily_limit bigint,
  emits boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  holder_id uuid not null default uuidv7(),
  -- Written by functions alone, by the database's clock: it orders an account's movements.
  moved_at timestamptz(3),
  routing_mac bytea,
  constraint account_reference unique (kind, reference, currency),
  constraint account_floor check (floor is null or lock_mode = 'strict' and (posted - suspended) >= floor)
) with (fillfactor = 60);
create index account_partner on ledger.account (partner_id, kind) where partner_id is not null;
-- Lists of states that few rows are in.
create index account_restricted on ledger.account (status, id) where status <> 'Enabled';

create table ledger.deferred_delta (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  amount bigint not null,
  constraint deferred_delta_account_id_account_id_fk foreign key (account_id) references ledger.account (id)
);

create table ledger.hold (
  id bigint generated always as identity primary key,
  owner_id uuid not null,
  reference text not null,
  request_hash bytea not null,
  account_id bigint not null,
  amount bigint not null,
  state text not null,
  code text,
  counted boolean not null,
  held_day date not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  constraint hold_reference unique (owner_id, reference),
  constraint hold_account_id_account_id_fk foreign key (account_id) references ledger.account (id),
  constraint hold_amount check (amount > 0),
  constraint hold_closed check ((state = 'OPEN') = (closed_at is null)),
  constraint hold_state check (state in ('OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED', 'REFUSED'))
);
create index hold_open on ledger.hold (expires_at) where state = 'OPEN';
create index hold_open_of_account on ledger.hold (account_id, id) where state = 'OPEN';

create table ledger.lien (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  amount bigint not null,
  reason text not null,
  created_at timestamptz(3) not null,
  lifted_at timestamptz(3),
  held_for text,
  constraint lien_account_id_account_id_fk foreign key (account_id) references ledger.account (id),
  constraint lien_amount check (amount > 0)
);
create index lien_account on ledger.lien (account_id);

-- What a holder has spent on a day, in all their accounts together.
create table ledger.spending (
  holder_id uuid primary key,
  day date not null,
  spent bigint not null,
  constraint spending_spent check (spent >= 0)
);

create table ledger.transaction (
  id bigint generated always as identity primary key,
  owner_id uuid not null,
  reference text not null,
  partner_id uuid,
  type text not null,
  status text not null,
  code text,
  request_hash bytea not null,
  amount bigint not null,
  fee bigint not null default 0,
  commission bigint not null default 0,
  stamp_duty bigint not null default 0,
  currency text not null,
  source_id bigint,
  destination_id bigint,
  refunded bigint not null default 0,
  external_reference text,
  comment text,
  metadata jsonb,
  original_id bigint,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  namer text not null,
  pending_reason text,
  mac bytea not null,
  hold_id bigint,
  void_reason text,
  constraint transaction_reference unique (owner_id, namer, reference),
  constraint transaction_destination_id_account_id_fk foreign key (destination_id) references ledger.account (id),
  constraint transaction_hold_id_fkey foreign key (hold_id) references ledger.hold (id),
  constraint transaction_original_id_transaction_id_fk foreign key (original_id) references ledger.transaction (id),
  constraint transaction_source_id_account_id_fk foreign key (source_id) references ledger.account (id),
  -- One check where there were six: each is planned again by every statement that writes.
  constraint transaction_sound check (amount > 0 and least(fee, commission, stamp_duty) >= 0 and refunded between 0 and amount
    and (namer in ('PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR'))
    and (status in ('Pending', 'Successful', 'Failed', 'Reversed', 'Held', 'Voided')) and (status = 'Failed') = (code is not null)
    and (status <> 'Pending' or pending_reason is not null) and case
      when status in ('Held', 'Voided') then hold_id is not null
      else true
    end and (status = 'Voided') = (void_reason is not null))
);
create index transaction_external on ledger.transaction (external_reference, id) where external_reference is not null;
create index transaction_held on ledger.transaction (id) where status = 'Held';
create unique index transaction_hold on ledger.transaction (hold_id) where hold_id is not null;
create index transaction_not_partners on ledger.transaction (reference) where namer <> 'PARTNER';
create index transaction_original on ledger.transaction (original_id) where original_id is not null;
create index transaction_partner on ledger.transaction (partner_id, id);
create index transaction_pending on ledger.transaction (destination_id) where status = 'Pending';
create index transaction_pending_oldest on ledger.transaction (id) where status = 'Pending';
create index transaction_refused on ledger.transaction (id) where status in ('Failed', 'Voided');
create index transaction_refused_destination on ledger.transaction (destination_id, id) where status in ('Failed', 'Voided');
create index transaction_refused_source on ledger.transaction (source_id, id) where status in ('Failed', 'Voided');
create index transaction_time on ledger.transaction using brin (created_at) with (autosummarize='on');

create table ledger.entry (
  transaction_id bigint not null,
  leg smallint not null,
  account_id bigint not null,
  amount bigint not null,
  fee bigint not null default 0,
  version bigint,
  opening bigint,
  closing bigint,
  business_date date not null,
  created_at timestamptz(3) not null,
  constraint entry_sound check (amount <> 0 and case
      when version is null then num_nonnulls(opening, closing) = 0
      else coalesce(closing = (opening + amount), false)
    end),
  constraint entry_transaction_id_leg_pk primary key (transaction_id, leg),
  constraint entry_version unique (account_id, version),
  constraint entry_account_id_account_id_fk foreign key (account_id) references ledger.account (id),
  constraint entry_transaction_id_transaction_id_fk foreign key (transaction_id) references ledger.transaction (id)
);
create index entry_time on ledger.entry using brin (created_at) with (autosummarize='on');


-- inbox -----------------------------------------------------------------------------------------------
-- What providers report to us of their own accord: stored once, as it came, and booked from here.

create schema inbox;

create table inbox.message (
  id uuid primary key default uuidv7(),
  provider text not null,
  origin text not null,
  digest bytea not null,
  body_sealed bytea,
  event text,
  kind text,
  reference text,
  amount bigint,
  currency text,
  outcome text,
  state text not null default 'RECEIVED',
  difference text,
  transaction_id bigint,
  attempts integer not null default 0,
  due_at timestamptz(3),
  last_error text,
  received_at timestamptz(3) not null,
  ended_at timestamptz(3),
  updated_at timestamptz(3) not null,
  constraint message_digest unique (provider, digest),
  constraint message_transaction_id_transaction_id_fk foreign key (transaction_id) references ledger.transaction (id),
  constraint message_different check ((state in ('DIFFERENT', 'DISMISSED')) = (difference is not null)),
  constraint message_due check (state <> 'RECEIVED' or due_at is not null),
  constraint message_ended check ((state in ('BOOKED', 'IGNORED', 'DISMISSED')) = (ended_at is not null)),
  constraint message_origin check (origin in ('HOOK', 'COMPARISON')),
  constraint message_state check (state in ('RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED', 'DISMISSED'))
);
create index message_due on inbox.message (due_at) where due_at is not null;
create index message_kept on inbox.message (ended_at) where body_sealed is not null;
create index message_open on inbox.message (id) where state in ('RECEIVED', 'DIFFERENT');
create index message_reference on inbox.message (reference) where reference is not null;
create index message_transaction on inbox.message (transaction_id) where transaction_id is not null;


-- letters ---------------------------------------------------------------------------------------------

create schema letters;

create table letters.letter (
  id uuid primary key,
  owner_kind text not null,
  owner_id uuid not null,
  kind text not null,
  facts jsonb not null,
  recipient_sealed bytea,
  address_digest bytea not null,
  happened_at timestamptz(3) not null,
  attempts smallint not null default 0,
  due_at timestamptz(3),
  sent_at timestamptz(3),
  link_until timestamptz(3),
  token_digest bytea,
  secret_sealed bytea,
  opened_at timestamptz(3),
  cause uuid,
  routing_mac bytea,
  constraint letter_cause_unique unique (cause),
  constraint letter_token_digest_unique unique (token_digest),
  constraint letter_due check ((due_at is null) = (recipient_sealed is null)),
  constraint letter_kind check (kind in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET', 'PARTNER_CHANGED', 'MONEY_FREED',
    'LIMIT_LIFTED')),
  constraint letter_link check (case
      when link_until is null then num_nonnulls(token_digest, secret_sealed, opened_at) = 0
      else kind in ('CONTACT_PROOF', 'API_KEY', 'CLIENT_SECRET', 'WEBHOOK_SECRET')
    end),
  constraint letter_opened check (opened_at is null or secret_sealed is null),
  constraint letter_owner_kind check (owner_kind in ('PARTNER', 'APPLICATION'))
);
create index letter_due_at on letters.letter (due_at) where due_at is not null;
create index letter_happened on letters.letter (happened_at);
create index letter_kept on letters.letter (link_until) where secret_sealed is not null;
create index letter_owner on letters.letter (owner_id, happened_at);

create table letters.proven_contact (
  owner_id uuid primary key,
  address_digest bytea not null,
  proven_at timestamptz(3) not null,
  routing_mac bytea not null
);


-- operators -------------------------------------------------------------------------------------------

create schema operators;

create table operators.operator (
  id uuid primary key default uuidv7(),
  name text not null,
  role text not null,
  status text not null default 'ACTIVE',
  token_digest bytea not null,
  token_expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  routing_mac bytea,
  constraint operator_token_digest_unique unique (token_digest),
  constraint operator_role check (role in ('viewer', 'support', 'finance', 'admin')),
  constraint operator_status check (status in ('ACTIVE', 'DISABLED'))
);
create unique index operator_name on operators.operator (lower(name));

create table operators.session (
  digest bytea primary key,
  operator_id uuid,
  token_digest bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  routing_mac bytea not null,
  constraint session_operator_id_operator_id_fk foreign key (operator_id) references operators.operator (id)
);
create index operator_session_expiry on operators.session (expires_at);
create index operator_session_operator on operators.session (operator_id);


-- outbox ----------------------------------------------------------------------------------------------

create schema outbox;

create table outbox.receiver (
  id uuid primary key default uuidv7(),
  owner_id uuid,
  owner_kind text not null,
  url text,
  client_id_sealed bytea not null,
  secret_sealed bytea not null,
  secret_rotated_at timestamptz(3),
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  default_id uuid,
  others smallint not null default 0,
  description text,
  events text[],
  events_from timestamptz(3),
  header_names text[],
  headers_sealed bytea,
  ordered boolean not null default false,
  deleted_at timestamptz(3),
  routing_mac bytea not null,
  constraint receiver_owner_id_unique unique (owner_id),
  constraint receiver_default_id_receiver_id_fk foreign key (default_id) references outbox.receiver (id),
  constraint receiver_default check ((owner_id is null) = (default_id is not null)),
  constraint receiver_deleted check (deleted_at is null or default_id is not null and url is null),
  constraint receiver_headers check ((header_names is null) = (headers_sealed is null)),
  constraint receiver_others check (others between 0 and 10 and (others = 0 or default_id is null)),
  constraint receiver_owner_kind check (owner_kind in ('PARTNER', 'APPLICATION')),
  constraint receiver_previous_secret check ((previous_secret_sealed is null) = (previous_secret_until is null))
);
create index receiver_beside on outbox.receiver (default_id, id) where default_id is not null;
create index receiver_previous_secret on outbox.receiver (previous_secret_until) where previous_secret_until is not null;

create table outbox.event (
  id uuid primary key default uuidv7(),
  receiver_id uuid not null,
  event text not null,
  reference text not null,
  subject_id uuid,
  body text,
  sequence bigint,
  created_at timestamptz(3) not null default now(),
  body_digest bytea,
  -- Enforced, each posting would lock the row of its partner's receiver. Receivers are never deleted and keep their ids, by triggers.
  constraint event_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) not enforced
);
create index event_receiver on outbox.event (receiver_id, created_at);
create index event_subject on outbox.event (receiver_id, subject_id) where subject_id is not null;
create index event_time on outbox.event using brin (created_at) with (autosummarize='on');


-- owner_proofs ----------------------------------------------------------------------------------------

create schema owner_proofs;

create table owner_proofs.owner_code (
  purpose text primary key,
  code_digest bytea,
  code_expires_at timestamptz(3),
  sends smallint not null default 0,
  sent_at jsonb not null default '{}',
  expires_at timestamptz(3) not null,
  constraint owner_code_expires check (code_digest is null or code_expires_at is not null)
);
create index owner_code_expiry on owner_proofs.owner_code (expires_at);


-- partners --------------------------------------------------------------------------------------------

create schema partners;

-- A link to a partner's webhook pages that was closed before its hour was over.
create table partners.closed_portal_link (
  id bytea primary key,
  expires_at timestamptz not null
);
create index closed_portal_link_expiry on partners.closed_portal_link (expires_at);

create table partners.partner (
  id uuid primary key default uuidv7(),
  name text not null,
  redirect_url text not null,
  status text not null default 'ACTIVE',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  client_id_digest bytea not null,
  contact_email_sealed bytea,
  routing_mac bytea not null,
  constraint partner_client_id_digest_unique unique (client_id_digest),
  constraint partner_status check (status in ('ACTIVE', 'SUSPENDED'))
);
create index partner_name on partners.partner (lower(name) text_pattern_ops);

create table partners.api_key (
  id uuid primary key default uuidv7(),
  partner_id uuid not null,
  digest bytea not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  routing_mac bytea not null,
  constraint api_key_digest_unique unique (digest),
  constraint api_key_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id)
);
create index api_key_partner on partners.api_key (partner_id);


-- rail_comparisons ------------------------------------------------------------------------------------

create schema rail_comparisons;

create table rail_comparisons.comparison (
  id uuid primary key default uuidv7(),
  provider text not null,
  day date not null,
  actor text not null,
  their_count integer not null,
  their_amount bigint not null,
  our_count integer not null,
  our_amount bigint not null,
  differences jsonb not null,
  compared_at timestamptz(3) not null
);
create index comparison_day on rail_comparisons.comparison (provider, day, id);
create index comparison_provider on rail_comparisons.comparison (provider, id);


-- reconciliation --------------------------------------------------------------------------------------
-- Files of banks, and what became of their lines and of our postings.

create schema reconciliation;

create table reconciliation.import (
  id uuid primary key default uuidv7(),
  rail text not null,
  format text not null,
  digest bytea not null,
  account text,
  from_day date not null,
  to_day date not null,
  opening bigint,
  closing bigint,
  lines integer not null,
  credits bigint not null,
  debits bigint not null,
  tolerance_days smallint not null,
  imported_by text not null,
  created_at timestamptz(3) not null,
  proved_by text[] not null default '{}',
  constraint import_digest unique (rail, digest),
  constraint import_days check (from_day <= to_day),
  constraint import_ties check (credits >= 0 and debits <= 0 and (opening is null) = (closing is null)
    and coalesce((opening + credits + debits) = closing, true))
);

create table reconciliation.item (
  id uuid primary key default uuidv7(),
  rail text not null,
  status text not null,
  import_id uuid not null,
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
  resolved_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  bank_balance bigint,
  statement text,
  constraint item_adjustment_id_fkey foreign key (adjustment_id) references ledger.transaction (id),
  constraint item_import_id_fkey foreign key (import_id) references reconciliation.import (id),
  constraint item_transaction_id_fkey foreign key (transaction_id) references ledger.transaction (id),
  constraint item_action check (num_nonnulls(action, reason, resolved_by, resolved_at) in (0, 4)),
  constraint item_equal check ((status not in ('MATCHED', 'DAY_DIFFERS')) or bank_amount = our_amount),
  constraint item_resolved check ((status = 'RESOLVED') = (adjustment_id is not null)),
  constraint item_sides check ((num_nonnulls(line, place, bank_day, bank_amount, line_digest) in (0, 5))
    and (num_nonnulls(transaction_id, our_day, our_amount) in (0, 3)) and case status
      when 'OURS_ALONE' then line is null and transaction_id is not null
      when 'THEIRS_ALONE' then line is not null and transaction_id is null
      when 'DUPLICATE' then line is not null and transaction_id is null
      when 'REPEATED' then line is not null and transaction_id is null
      when 'TIMING' then num_nonnulls(line, transaction_id) = 1
      when 'RESOLVED' then num_nonnulls(line, transaction_id) > 0
      else line is not null and transaction_id is not null
    end),
  constraint item_status check (status in ('OURS_ALONE', 'THEIRS_ALONE', 'DUPLICATE', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'TIMING', 'MATCHED',
    'REPEATED', 'RESOLVED'))
);
create unique index item_adjustment on reconciliation.item (adjustment_id) where adjustment_id is not null;
create index item_digest on reconciliation.item (line_digest) where line_digest is not null;
create index item_import on reconciliation.item (import_id, id);
create unique index item_place on reconciliation.item (import_id, place) where place is not null;
create index item_said on reconciliation.item (created_at) where said_sealed is not null;
create index item_status on reconciliation.item (rail, status, id);
create unique index item_transaction on reconciliation.item (rail, transaction_id) where transaction_id is not null;


-- sandbox ---------------------------------------------------------------------------------------------

create schema sandbox;

create table sandbox.counterpart (
  id smallint primary key default 1,
  application_id uuid not null,
  tag text not null,
  constraint counterpart_application_id_application_id_fk foreign key (application_id) references applications.application (id),
  constraint counterpart_one_row check (id = 1)
);

create table sandbox.disturbance (
  owner_id uuid not null,
  provider text not null,
  answer text not null,
  delay_ms integer not null,
  times_left smallint not null,
  constraint disturbance_owner_id_provider_pk primary key (owner_id, provider),
  constraint disturbance_answer check (answer in ('fail', 'timeout', 'slow')),
  constraint disturbance_delay check (delay_ms between 0 and 10000),
  constraint disturbance_provider check (provider in ('bvn', 'bank', 'messaging', 'email')),
  constraint disturbance_times check (times_left between 1 and 100)
);

create table sandbox.hook_request (
  id bigint generated always as identity primary key,
  owner_id uuid not null,
  mode text not null,
  message text not null,
  headers jsonb not null,
  body text not null,
  status smallint not null,
  received_at timestamptz(3) not null,
  constraint hook_request_mode check (mode in ('200', '500', 'slow', 'flaky'))
);
create index hook_request_newest on sandbox.hook_request (owner_id, id);


-- seals -----------------------------------------------------------------------------------------------

create schema seals;

create table seals.seal (
  number bigint primary key,
  period text not null,
  starts_at timestamptz(3),
  ends_at timestamptz(3) not null,
  jws text not null,
  sealed_at timestamptz(3) not null,
  constraint seal_period unique (period, ends_at),
  constraint seal_first check ((starts_at is null) = (number = 1)),
  constraint seal_kind check (period in ('HOUR', 'DAY'))
);


-- signing_keys ----------------------------------------------------------------------------------------

create schema signing_keys;

create table signing_keys.signing_key (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk_sealed bytea not null,
  status text not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint signing_key_status check (status in ('CURRENT', 'NEXT', 'RETIRED', 'REVOKED'))
);
create unique index one_current on signing_keys.signing_key (status) where status = 'CURRENT';
create unique index one_next on signing_keys.signing_key (status) where status = 'NEXT';


-- tag_transactions ------------------------------------------------------------------------------------

create schema tag_transactions;

create table tag_transactions.tag_transaction (
  id uuid primary key default uuidv7(),
  reference text not null,
  request_hash bytea not null,
  sender_app_id uuid not null,
  receiver_app_id uuid not null,
  sender_tag text not null,
  receiver_tag text not null,
  amount bigint not null,
  fee bigint not null,
  currency text not null,
  status text not null default 'AWAITING_ACCEPTANCE',
  code text,
  narration text,
  hold_id bigint,
  posting_id bigint,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  rejected_at timestamptz(3),
  rejection_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  routing_mac bytea not null,
  constraint tag_transaction_reference unique (sender_app_id, reference),
  constraint tag_transaction_hold_id_hold_id_fk foreign key (hold_id) references ledger.hold (id),
  constraint tag_transaction_posting_id_transaction_id_fk foreign key (posting_id) references ledger.transaction (id),
  constraint tag_transaction_receiver_app_id_application_id_fk foreign key (receiver_app_id) references applications.application (id),
  constraint tag_transaction_sender_app_id_application_id_fk foreign key (sender_app_id) references applications.application (id),
  constraint tag_transaction_accepted check ((status = 'ACCEPTED') = (accepted_at is not null)),
  constraint tag_transaction_amount check (amount > 0 and fee >= 0),
  constraint tag_transaction_currency check (currency in ('NGN', 'FP')),
  constraint tag_transaction_declined check ((status = 'DECLINED') = (code is not null)),
  constraint tag_transaction_rejected check ((status = 'REJECTED') = (rejected_at is not null)),
  constraint tag_transaction_status check (status in ('AWAITING_ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED'))
);
create index tag_transaction_due on tag_transactions.tag_transaction (expires_at) where status = 'AWAITING_ACCEPTANCE';
create index tag_transaction_pending on tag_transactions.tag_transaction (receiver_app_id, created_at, id, expires_at)
  where status = 'AWAITING_ACCEPTANCE';
create index tag_transaction_received on tag_transactions.tag_transaction (receiver_app_id, reference);
create index tag_transaction_receiver_tag on tag_transactions.tag_transaction (receiver_tag);
create index tag_transaction_sender_tag on tag_transactions.tag_transaction (sender_tag);


-- tags ------------------------------------------------------------------------------------------------

create schema tags;

create table tags.tag (
  id uuid primary key default uuidv7(),
  handle text not null,
  subject_id uuid not null,
  created_by_app_id uuid not null,
  status text not null default 'ACTIVE',
  closed_at timestamptz(3),
  released_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  routing_mac bytea not null,
  constraint tag_created_by_app_id_application_id_fk foreign key (created_by_app_id) references applications.application (id),
  constraint tag_subject_id_subject_id_fk foreign key (subject_id) references applications.subject (id),
  constraint tag_closed check ((closed_at is not null) = (status = 'CLOSED')),
  constraint tag_released check (released_at is null or status = 'CLOSED'),
  constraint tag_status check (status in ('ACTIVE', 'SUSPENDED', 'CLOSED'))
);
create unique index tag_handle on tags.tag (handle) where released_at is null;
create index tag_made_by on tags.tag (created_by_app_id, id) where released_at is null;
create index tag_out_of_use on tags.tag (id) where status <> 'ACTIVE' and released_at is null;
create index tag_subject on tags.tag (subject_id);


-- claims ----------------------------------------------------------------------------------------------

create schema claims;

create table claims.claim (
  id uuid primary key default uuidv7(),
  tag_id uuid not null,
  subject_id uuid not null,
  requested_by_app_id uuid not null,
  state text not null default 'PENDING',
  token_digest bytea not null,
  token_sealed bytea,
  token_expires_at timestamptz(3) not null,
  requested_at timestamptz(3) not null,
  approved_at timestamptz(3),
  revoked_at timestamptz(3),
  owner_confirmed_at timestamptz(3),
  owner_confirmed_by text,
  proof_attempts smallint not null default 0,
  updated_at timestamptz(3) not null,
  routing_mac bytea not null,
  return_url text,
  constraint claim_token_digest_unique unique (token_digest),
  constraint claim_requested_by_app_id_application_id_fk foreign key (requested_by_app_id) references applications.application (id),
  constraint claim_subject_id_subject_id_fk foreign key (subject_id) references applications.subject (id),
  constraint claim_tag_id_tag_id_fk foreign key (tag_id) references tags.tag (id),
  constraint claim_approved check ((approved_at is not null) = (state in ('APPROVED', 'REVOKED'))),
  constraint claim_owner_confirmed check ((owner_confirmed_at is null) = (owner_confirmed_by is null)),
  constraint claim_owner_confirmed_by check (owner_confirmed_by in ('PASSWORD', 'OTP')),
  constraint claim_proof_attempts check (proof_attempts between 0 and 5),
  constraint claim_revoked check ((revoked_at is not null) = (state = 'REVOKED')),
  constraint claim_state check (state in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'REVOKED')),
  constraint claim_token_shown check ((token_sealed is not null) = (state = 'PENDING'))
);
create index claim_approved on claims.claim (tag_id, id) where state = 'APPROVED';
create index claim_asked on claims.claim (tag_id, requested_by_app_id, requested_at);
create index claim_due on claims.claim (token_expires_at) where state = 'PENDING';
create unique index claim_open on claims.claim (tag_id, subject_id, requested_by_app_id) where state in ('PENDING', 'APPROVED');
create index claim_pending on claims.claim (id) where state = 'PENDING';
create index claim_requester on claims.claim (requested_by_app_id, id);
create index claim_tag on claims.claim (tag_id, id);
-- The claims on a tag that one application asked for: it may have many, and others many more.
create index claim_tag_requester on claims.claim (tag_id, requested_by_app_id, id);


-- customers -------------------------------------------------------------------------------------------

create schema customers;

create table customers.customer (
  id uuid primary key default uuidv7(),
  tag_id uuid,
  bvn_sealed bytea,
  bvn_index bytea,
  first_name text not null,
  last_name text not null,
  other_name text,
  phone_sealed bytea,
  phone_index bytea,
  email_sealed bytea,
  email_index bytea,
  date_of_birth_sealed bytea,
  address_sealed bytea,
  image_url text,
  password_hash text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  phone_proven_at timestamptz(3),
  email_proven_at timestamptz(3),
  frozen_at timestamptz(3),
  bvn_handed_back_at timestamptz(3),
  erased_at timestamptz(3),
  is_other_name_confirmed boolean not null default false,
  kept_name_sealed bytea,
  routing_mac bytea not null,
  constraint customer_bvn_index_unique unique (bvn_index),
  constraint customer_tag_id_unique unique (tag_id),
  constraint customer_tag_id_tag_id_fk foreign key (tag_id) references tags.tag (id),
  constraint customer_bvn_index check ((bvn_index is null) = (bvn_handed_back_at is not null or erased_at is not null)),
  constraint customer_bvn_sealed check (bvn_sealed is not null or erased_at is not null),
  constraint customer_erased check (erased_at is null
    or num_nonnulls(other_name, phone_sealed, phone_index, phone_proven_at, email_sealed, email_index, email_proven_at,
    date_of_birth_sealed, address_sealed, image_url, password_hash) = 0),
  constraint customer_handed_back check (bvn_handed_back_at is null or frozen_at is not null),
  constraint customer_kept_name check (kept_name_sealed is null or erased_at is not null)
);
create index customer_ended on customers.customer (tag_id) where frozen_at is not null or erased_at is not null;
create index customer_kept on customers.customer (erased_at) where bvn_sealed is not null and erased_at is not null;
create index customer_phone on customers.customer (phone_index);

create table customers.contact_change (
  customer_id uuid not null,
  contact text not null,
  value_sealed bytea not null,
  confirmed_at timestamptz(3) not null,
  in_force_at timestamptz(3) not null,
  constraint contact_change_customer_id_contact_pk primary key (customer_id, contact),
  constraint contact_change_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint contact_change_contact check (contact in ('phone', 'email'))
);
create index contact_change_in_force on customers.contact_change (in_force_at);


-- bank_accounts ---------------------------------------------------------------------------------------

create schema bank_accounts;

create table bank_accounts.linked_account (
  customer_id uuid not null,
  partner_id uuid not null,
  bank_code text not null,
  bank_name text not null,
  account_number_sealed bytea not null,
  account_index bytea not null,
  account_name_sealed bytea not null,
  linked_at timestamptz(3) not null,
  constraint linked_account_customer_id_partner_id_pk primary key (customer_id, partner_id),
  constraint linked_account_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint linked_account_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id)
);


-- beneficiaries ---------------------------------------------------------------------------------------

create schema beneficiaries;

create table beneficiaries.beneficiary (
  partner_id uuid not null,
  customer_id uuid not null,
  payee_id uuid not null,
  last_paid_at timestamptz(3) not null,
  constraint beneficiary_partner_id_customer_id_payee_id_pk primary key (partner_id, customer_id, payee_id),
  constraint beneficiary_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint beneficiary_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint beneficiary_payee_id_customer_id_fk foreign key (payee_id) references customers.customer (id)
);
create index beneficiary_latest on beneficiaries.beneficiary (partner_id, customer_id, last_paid_at);
create index beneficiary_payee on beneficiaries.beneficiary (payee_id);


-- federations -----------------------------------------------------------------------------------------

create schema federations;

create table federations.federation (
  id uuid primary key default uuidv7(),
  primary_tag_id uuid not null,
  created_at timestamptz(3) not null,
  constraint federation_primary unique (id, primary_tag_id),
  constraint federation_primary_tag_id_unique unique (primary_tag_id),
  constraint federation_primary_tag_id_tag_id_fk foreign key (primary_tag_id) references tags.tag (id)
);

create table federations.link (
  id uuid primary key default uuidv7(),
  federation_id uuid not null,
  primary_tag_id uuid not null,
  linked_tag_id uuid not null,
  primary_app_id uuid not null,
  linked_app_id uuid not null,
  method text not null,
  status text not null default 'PENDING',
  token_digest bytea,
  failures smallint not null default 0,
  proof_attempts smallint not null default 0,
  expires_at timestamptz(3) not null,
  verified_at timestamptz(3),
  verified_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  routing_mac bytea not null,
  return_url text,
  constraint link_federation foreign key (federation_id, primary_tag_id) references federations.federation (id, primary_tag_id),
  constraint link_linked_app_id_application_id_fk foreign key (linked_app_id) references applications.application (id),
  constraint link_linked_tag_id_tag_id_fk foreign key (linked_tag_id) references tags.tag (id),
  constraint link_primary_app_id_application_id_fk foreign key (primary_app_id) references applications.application (id),
  constraint link_failures check (failures between 0 and 5),
  constraint link_method check (method in ('OTP', 'CONSENT', 'ATTESTATION')),
  constraint link_proof_attempts check (proof_attempts between 0 and 5),
  constraint link_status check (status in ('PENDING', 'VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED')),
  constraint link_token check ((token_digest is not null) = (status = 'PENDING' and method = 'OTP')),
  constraint link_two_tags check (primary_tag_id <> linked_tag_id),
  constraint link_verified check (case status
      when 'VERIFIED' then verified_at is not null
      when 'REVOKED' then true
      else verified_at is null
    end),
  constraint link_verified_by check ((verified_at is null) = (verified_by is null))
);
create index link_due on federations.link (expires_at) where status = 'PENDING';
create index link_gathered on federations.link (federation_id, id);
create index link_linked on federations.link (linked_tag_id, id);
create index link_linked_app on federations.link (linked_app_id, id);
create unique index link_open on federations.link (least(primary_tag_id, linked_tag_id), greatest(primary_tag_id, linked_tag_id))
  where status in ('PENDING', 'VERIFIED');
create index link_open_linked on federations.link (linked_tag_id) where status in ('PENDING', 'VERIFIED');
create index link_open_primary on federations.link (primary_tag_id) where status in ('PENDING', 'VERIFIED');
create index link_primary on federations.link (primary_tag_id, id);
create index link_primary_app on federations.link (primary_app_id, id);


-- notices ---------------------------------------------------------------------------------------------

create schema notices;

create table notices.notice (
  id uuid primary key,
  customer_id uuid not null,
  partner_id uuid,
  kind text not null,
  channel text not null,
  recipient_sealed bytea,
  detail text,
  happened_at timestamptz(3) not null,
  attempts smallint not null default 0,
  due_at timestamptz(3),
  sent_at timestamptz(3),
  constraint notice_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint notice_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint notice_channel check (channel in ('sms', 'email')),
  constraint notice_due check ((due_at is null) = (recipient_sealed is null)),
  constraint notice_kind check (kind in ('CREATED', 'LINKED', 'FIRST_LOGIN', 'PASSWORD_RESET', 'CONTACT_CHANGE',
    'CONTACT_CHANGE_CANCELLED', 'RELEASED'))
);
create index notice_customer on notices.notice (customer_id, happened_at);
create index notice_due_at on notices.notice (due_at) where due_at is not null;
create index notice_happened on notices.notice (happened_at);


-- onboarding ------------------------------------------------------------------------------------------

create schema onboarding;

create table onboarding.creation_session (
  digest bytea primary key,
  partner_id uuid not null,
  kind text not null default 'CREATION',
  customer_id uuid,
  bvn_sealed bytea,
  first_name text not null,
  last_name text not null,
  other_name text,
  date_of_birth_sealed bytea,
  phone_sealed bytea,
  email_sealed bytea,
  paytag text,
  status text not null default 'STARTED',
  otp_digest bytea,
  otp_channel text,
  otp_reference text,
  otp_expires_at timestamptz(3),
  otp_sends smallint not null default 0,
  otp_sent_at jsonb not null default '{}',
  otp_failures smallint not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  routing_mac bytea not null,
  is_email_proven boolean not null default false,
  is_other_name_confirmed boolean not null default false,
  constraint creation_session_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint creation_session_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint creation_session_kind check (case kind
      when 'CREATION' then num_nulls(bvn_sealed, date_of_birth_sealed) = 0
      when 'PASSWORD_RESET' then customer_id is not null
      when 'CONTACT_CHANGE' then customer_id is not null
      else false
    end),
  constraint creation_session_status check (status in ('STARTED', 'VALIDATED', 'COMPLETED'))
);
create index creation_session_customer on onboarding.creation_session (customer_id);
create index creation_session_expiry on onboarding.creation_session (expires_at);


-- sessions --------------------------------------------------------------------------------------------

create schema sessions;

create table sessions.prior_login (
  partner_id uuid not null,
  customer_id uuid not null,
  since timestamptz(3) not null,
  sessions_ended_at timestamptz(3),
  constraint prior_login_customer_id_partner_id_pk primary key (customer_id, partner_id),
  constraint prior_login_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint prior_login_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id)
);

create table sessions.session (
  id uuid primary key,
  partner_id uuid not null,
  customer_id uuid not null,
  issued_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  constraint session_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint session_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id)
);
create index session_expiry on sessions.session (expires_at);
create index session_of_customer on sessions.session (customer_id, id);
create index session_of_partner on sessions.session (partner_id, id);

create table sessions.auth_code (
  digest bytea primary key,
  partner_id uuid not null,
  customer_id uuid not null,
  scope text not null,
  code_challenge text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  exchanged_at timestamptz(3),
  session_id uuid,
  routing_mac bytea not null,
  constraint auth_code_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint auth_code_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint auth_code_session_id_session_id_fk foreign key (session_id) references sessions.session (id)
);
create index auth_code_customer on sessions.auth_code (customer_id);
create index auth_code_expiry on sessions.auth_code (expires_at);
create index auth_code_session on sessions.auth_code (session_id);


-- terminals -------------------------------------------------------------------------------------------

create schema terminals;

create table terminals.terminal (
  id bigint generated always as identity primary key,
  serial_number text not null,
  partner_id uuid not null,
  terminal_id text,
  merchant text,
  email_sealed bytea,
  phone_sealed bytea,
  paytag text,
  status text not null default 'Active',
  metadata jsonb,
  balance bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  routing_mac bytea not null,
  constraint terminal_serial_number_unique unique (serial_number),
  constraint terminal_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint terminal_balance check (balance >= 0)
);
create index terminal_newest on terminals.terminal (partner_id, id);

create table terminals.split (
  id bigint generated always as identity primary key,
  terminal_id bigint not null,
  reference text not null,
  amount bigint not null,
  total_paid bigint not null default 0,
  currency text not null default 'NGN',
  status text not null default 'Pending',
  title text not null,
  description text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  routing_mac bytea not null,
  constraint split_reference unique (terminal_id, reference),
  constraint split_terminal_id_terminal_id_fk foreign key (terminal_id) references terminals.terminal (id),
  constraint split_currency check (currency = 'NGN'),
  constraint split_paid check (amount > 0 and total_paid between 0 and amount),
  constraint split_status check (case status
      when 'Pending' then total_paid < amount
      when 'Paid' then total_paid = amount
      when 'Cancelled' then total_paid = 0
      when 'Expired' then total_paid = 0
      else false
    end)
);
create index split_expiring on terminals.split (expires_at) where status = 'Pending' and total_paid = 0;
create index split_named on terminals.split (reference, id);
create index split_newest on terminals.split (terminal_id, id);


-- payments --------------------------------------------------------------------------------------------

create schema payments;

create table payments.payment (
  transaction_id bigint primary key,
  terminal_id bigint,
  split_id bigint,
  sender_name text,
  sender_paytag text,
  sender_type text,
  constraint payment_split_id_split_id_fk foreign key (split_id) references terminals.split (id),
  constraint payment_terminal_id_terminal_id_fk foreign key (terminal_id) references terminals.terminal (id),
  constraint payment_transaction_id_transaction_id_fk foreign key (transaction_id) references ledger.transaction (id),
  constraint payment_split check (split_id is null or terminal_id is not null)
);
create index payment_split on payments.payment (split_id) where split_id is not null;
create index payment_terminal on payments.payment (terminal_id) where terminal_id is not null;


-- throttles -------------------------------------------------------------------------------------------

create schema throttles;

-- Logged: what was used of a limit survives a crash and a failover, so that neither gives more guesses at a password.
create table throttles.counter (
  key bytea primary key,
  spent integer not null,
  closed_until timestamptz(3),
  expires_at timestamptz(3) not null,
  name text,
  about text
);
create index counter_expiry on throttles.counter (expires_at);
-- The limits that refuse now, without the counts that refuse no one.
create index counter_refusing on throttles.counter (closed_until) where closed_until is not null and name is not null;


-- wallets ---------------------------------------------------------------------------------------------

create schema wallets;

create sequence wallets.nuban_serial minvalue 1 maxvalue 999999999;

create table wallets.kyc_numbering (
  partner_id uuid primary key,
  last bigint not null,
  constraint kyc_numbering_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id)
);

create table wallets.kyc_profile (
  id bigint generated always as identity primary key,
  partner_id uuid not null,
  first_name text not null,
  last_name text not null,
  other_name text,
  created_at timestamptz(3) not null default now(),
  number bigint not null,
  erased_at timestamptz(3),
  routing_mac bytea not null,
  constraint kyc_profile_numbered unique (partner_id, number),
  constraint kyc_profile_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint kyc_profile_number check (number >= 1 and number <= '9007199254740991'::bigint)
);

create table wallets.partner_wallet (
  id bigint generated always as identity primary key,
  reference text not null,
  partner_id uuid not null,
  customer_id uuid,
  kyc_profile_id bigint,
  account_id bigint not null,
  nuban text not null,
  is_primary boolean not null default false,
  tier smallint not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  metadata jsonb,
  known_since timestamptz(3),
  proven_at timestamptz(3),
  -- What the wallet returns to when its customer is released; null where no freeze changed it, or an operator decided since.
  status_before_freeze text,
  routing_mac bytea not null,
  constraint partner_wallet_account_id_unique unique (account_id),
  constraint partner_wallet_nuban_unique unique (nuban),
  constraint partner_wallet_reference_unique unique (reference),
  constraint partner_wallet_account_id_account_id_fk foreign key (account_id) references ledger.account (id),
  constraint partner_wallet_customer_id_customer_id_fk foreign key (customer_id) references customers.customer (id),
  constraint partner_wallet_kyc_profile_id_kyc_profile_id_fk foreign key (kyc_profile_id) references wallets.kyc_profile (id),
  constraint partner_wallet_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint wallet_holder check (num_nonnulls(customer_id, kyc_profile_id) = 1),
  constraint wallet_status_before_freeze check (status_before_freeze in ('Enabled', 'Blocked', 'PND', 'PNC')),
  constraint wallet_tier check (tier between 1 and 3)
);
create unique index primary_wallet on wallets.partner_wallet (customer_id) where is_primary;
create index wallet_customer on wallets.partner_wallet (customer_id, id) where customer_id is not null;
create unique index wallet_of_customer on wallets.partner_wallet (partner_id, customer_id) where revoked_at is null;
create index wallet_partner on wallets.partner_wallet (partner_id, id);


-- disputes --------------------------------------------------------------------------------------------

create schema disputes;

create table disputes.dispute (
  id uuid primary key default uuidv7(),
  transaction_id bigint not null,
  partner_id uuid not null,
  wallet text not null,
  account_id bigint not null,
  amount bigint not null,
  currency text not null,
  state text not null default 'OPEN',
  reason text not null,
  lien_id bigint not null,
  respond_by timestamptz(3) not null,
  refund_id bigint,
  decision text,
  created_at timestamptz(3) not null,
  expired_at timestamptz(3),
  decided_at timestamptz(3),
  -- Does not count as given back because of the dispute.
  refunded_before bigint not null,
  constraint dispute_account_id_account_id_fk foreign key (account_id) references ledger.account (id),
  constraint dispute_lien_id_lien_id_fk foreign key (lien_id) references ledger.lien (id),
  constraint dispute_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint dispute_refund_id_transaction_id_fk foreign key (refund_id) references ledger.transaction (id),
  constraint dispute_transaction_id_transaction_id_fk foreign key (transaction_id) references ledger.transaction (id),
  constraint dispute_wallet_partner_wallet_reference_fk foreign key (wallet) references wallets.partner_wallet (reference),
  constraint dispute_amount check (amount > 0 and refunded_before >= 0),
  constraint dispute_decided check (num_nonnulls(decided_at, decision) = case
      when state in ('WON', 'LOST') then 2
      else 0
    end),
  constraint dispute_expired check (case state
      when 'OPEN' then expired_at is null
      when 'EXPIRED' then expired_at is not null
      else true
    end),
  constraint dispute_refunded check (refund_id is null or state = 'LOST'),
  constraint dispute_state check (state in ('OPEN', 'EXPIRED', 'WON', 'LOST'))
);
create index dispute_due on disputes.dispute (respond_by) where state = 'OPEN';
create unique index dispute_lien on disputes.dispute (lien_id);
create index dispute_partner on disputes.dispute (partner_id, id);
create unique index dispute_refund on disputes.dispute (refund_id);
create index dispute_state_id on disputes.dispute (state, id);
create index dispute_transaction on disputes.dispute (transaction_id, id);
create unique index dispute_undecided on disputes.dispute (transaction_id) where state in ('OPEN', 'EXPIRED');
create index dispute_wallet on disputes.dispute (wallet);

create table disputes.evidence (
  id bigint generated always as identity primary key,
  dispute_id uuid not null,
  by text not null,
  said_sealed bytea,
  created_at timestamptz(3) not null,
  number smallint not null,
  constraint evidence_dispute_id_dispute_id_fk foreign key (dispute_id) references disputes.dispute (id),
  constraint evidence_by check (by in ('OPERATOR', 'PARTNER'))
);
create index evidence_dispute on disputes.evidence (dispute_id, id);
create index evidence_said on disputes.evidence (created_at) where said_sealed is not null;


-- inbound_accounts ------------------------------------------------------------------------------------

create schema inbound_accounts;

create table inbound_accounts.account (
  id uuid primary key default uuidv7(),
  wallet text not null,
  partner_id uuid not null,
  provider text not null,
  account_number_sealed bytea,
  account_index bytea,
  account_name_sealed bytea,
  bank_name text,
  bank_code text,
  leased_until timestamptz(3) not null,
  created_at timestamptz(3) not null,
  assigned_at timestamptz(3),
  constraint account_number unique (account_index),
  constraint account_wallet unique (wallet, provider),
  constraint account_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint account_wallet_partner_wallet_reference_fk foreign key (wallet) references wallets.partner_wallet (reference),
  constraint account_assigned check (num_nonnulls(account_number_sealed, account_index, account_name_sealed, bank_name, bank_code,
    assigned_at) in (0, 6))
);
create index account_partner on inbound_accounts.account (partner_id, id);


-- payouts ---------------------------------------------------------------------------------------------
-- Payouts to bank accounts. Their money is held until it is known whether it left.

create schema payouts;

create table payouts.payout (
  id uuid primary key default uuidv7(),
  transaction_id bigint not null,
  partner_id uuid not null,
  wallet text not null,
  provider text not null,
  state text not null default 'PENDING',
  amount bigint not null,
  bank_code text not null,
  bank_name text not null,
  account_number_sealed bytea not null,
  account_name_sealed bytea not null,
  account_index bytea not null,
  provider_reference text not null,
  provider_id text,
  attempts integer not null default 0,
  due_at timestamptz(3),
  failure_reason text,
  failure_detail text,
  sent_at timestamptz(3),
  ended_at timestamptz(3),
  reversed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What a provider said that contradicts what it said before: for operators to resolve.
  contradiction text,
  -- A payout that counts as failed and was paid all the same: what took its money after all.
  correction_id bigint,
  constraint payout_provider_reference unique (provider_reference),
  constraint payout_transaction unique (transaction_id),
  constraint payout_correction_id_transaction_id_fk foreign key (correction_id) references ledger.transaction (id),
  constraint payout_partner_id_partner_id_fk foreign key (partner_id) references partners.partner (id),
  constraint payout_transaction_id_transaction_id_fk foreign key (transaction_id) references ledger.transaction (id),
  constraint payout_wallet_partner_wallet_reference_fk foreign key (wallet) references wallets.partner_wallet (reference),
  constraint payout_contradiction check (contradiction in ('NOT_FOUND', 'SUCCESSFUL', 'FAILED', 'REVERSED')),
  constraint payout_corrected check (correction_id is null or state = 'FAILED'),
  constraint payout_ended check ((state in ('SUCCESSFUL', 'FAILED', 'REVERSED')) = (ended_at is not null)),
  constraint payout_failed check ((state = 'FAILED') = (failure_reason is not null)),
  constraint payout_reversed check ((state = 'REVERSED') = (reversed_at is not null)),
  constraint payout_sent check ((state in ('PENDING', 'FAILED')) or sent_at is not null),
  constraint payout_state check (state in ('PENDING', 'SENT', 'UNKNOWN', 'SUCCESSFUL', 'FAILED', 'REVERSED'))
);
create index payout_account on payouts.payout (account_index);
create index payout_contradicted on payouts.payout (id) where contradiction is not null;
create unique index payout_correction on payouts.payout (correction_id) where correction_id is not null;
create index payout_due on payouts.payout (due_at) where due_at is not null;
create index payout_state_id on payouts.payout (state, id);
create index payout_wallet on payouts.payout (wallet, id);


-- statements ------------------------------------------------------------------------------------------

create schema statements;

create table statements.paper (
  id bigint generated always as identity primary key,
  code_digest bytea not null,
  wallet_id bigint not null,
  holder_masked text not null,
  currency text not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  opening bigint not null,
  credits bigint not null,
  debits bigint not null,
  closing bigint not null,
  lines integer not null,
  issued_at timestamptz(3) not null,
  constraint paper_code_digest_unique unique (code_digest),
  constraint paper_wallet_id_partner_wallet_id_fk foreign key (wallet_id) references wallets.partner_wallet (id),
  constraint paper_balances check ((opening + credits - debits) = closing)
);
create index paper_issued on statements.paper (issued_at);
create index paper_wallet on statements.paper (wallet_id);

create table statements.requested (
  id bigint generated always as identity primary key,
  reference text not null,
  wallet_id bigint not null,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  format text not null,
  status text not null default 'Pending',
  attempts smallint not null default 0,
  due_at timestamptz(3),
  mailed_at timestamptz(3),
  created_at timestamptz(3) not null,
  failure_reason text,
  constraint requested_reference_unique unique (reference),
  constraint requested_wallet_id_partner_wallet_id_fk foreign key (wallet_id) references wallets.partner_wallet (id),
  constraint requested_due check (status <> 'Pending' or due_at is not null),
  constraint requested_format check (format in ('pdf', 'csv', 'html', 'xlsx')),
  constraint requested_status check (status in ('Pending', 'Ready', 'Failed'))
);
create index requested_created on statements.requested (created_at);
create index requested_due_at on statements.requested (due_at) where due_at is not null;


-- webhooks --------------------------------------------------------------------------------------------

create schema webhooks;

create table webhooks.breaker (
  receiver_id uuid primary key,
  failures integer not null,
  failing_since timestamptz(3) not null,
  last_failed_at timestamptz(3) not null,
  openings integer not null default 0,
  open_until timestamptz(3),
  probing boolean not null default false,
  constraint breaker_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) on delete cascade
);

-- Room in each page for what a claim writes: it touches no index then. The latest attempt stands in the delivery itself, and
-- webhooks.attempt keeps those before it: most deliveries have one attempt, and no row there.
create table webhooks.delivery (
  id uuid primary key default uuidv7(),
  event_id uuid not null,
  receiver_id uuid not null,
  status text not null default 'PENDING',
  attempts smallint not null default 0,
  due_at timestamptz(3),
  last_error text,
  last_attempt_at timestamptz(3),
  delivered_at timestamptz(3),
  purged_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  last_status_code integer,
  last_duration_ms integer,
  last_attempt_error text,
  last_response bytea,
  lane text,
  "position" bigint,
  replay_of uuid,
  traceparent text default nullif(current_setting('paytag.traceparent', true), ''),
  last_url text,
  constraint delivery_event_id_event_id_fk foreign key (event_id) references outbox.event (id),
  constraint delivery_replay_of_delivery_id_fk foreign key (replay_of) references webhooks.delivery (id),
  -- Not enforced, for the same reason as that of an event.
  constraint delivery_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) not enforced,
  constraint delivery_attempts check (attempts between 0 and 5),
  constraint delivery_lane check ((lane is null) = ("position" is null)),
  constraint delivery_status check (status in ('PENDING', 'DELIVERED', 'FAILED'))
) with (fillfactor = 45);
create index delivery_due on webhooks.delivery (receiver_id, due_at) where status = 'PENDING' and due_at is not null;
create index delivery_due_newest on webhooks.delivery (id) where status = 'PENDING' and due_at is not null;
create index delivery_event on webhooks.delivery (event_id);
create index delivery_failed on webhooks.delivery (receiver_id, event_id) where status = 'FAILED';
create index delivery_failed_all on webhooks.delivery (id) where status = 'FAILED';
create index delivery_failed_newest on webhooks.delivery (receiver_id, id) where status = 'FAILED';
create index delivery_failed_purgeable on webhooks.delivery (id) where status = 'FAILED' and purged_at is null;
create index delivery_forgettable on webhooks.delivery (purged_at) where purged_at is not null;
create index delivery_held on webhooks.delivery (receiver_id, id) where status = 'PENDING' and due_at is null;
create index delivery_held_newest on webhooks.delivery (id) where status = 'PENDING' and due_at is null;
create index delivery_in_lane on webhooks.delivery (receiver_id, lane, "position") where status = 'PENDING' and lane is not null;
create index delivery_purgeable on webhooks.delivery (delivered_at) where status = 'DELIVERED' and purged_at is null;
create index delivery_receiver on webhooks.delivery (receiver_id, id);
create index delivery_replay on webhooks.delivery (replay_of) where replay_of is not null;
-- Of what failed nothing goes out again automatically twice.
create unique index delivery_replayed_once on webhooks.delivery (event_id, receiver_id) where replay_of is not null;

create table webhooks.attempt (
  delivery_id uuid not null,
  number smallint not null,
  at timestamptz(3) not null,
  status_code integer,
  duration_ms integer,
  error text,
  response bytea,
  url text,
  constraint attempt_delivery_id_number_pk primary key (delivery_id, number),
  constraint attempt_delivery_id_delivery_id_fk foreign key (delivery_id) references webhooks.delivery (id) on delete cascade,
  constraint attempt_number check (number between 1 and 5)
);

create table webhooks.episode (
  id uuid primary key default uuidv7(),
  receiver_id uuid not null,
  kind text not null,
  began_at timestamptz(3) not null,
  detail text,
  well_since timestamptz(3),
  ended_at timestamptz(3),
  tell_at timestamptz(3),
  tries smallint not null default 0,
  told_at timestamptz(3),
  constraint episode_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) on delete cascade,
  constraint episode_kind check (kind in ('FAILING', 'PAUSED', 'FAILED', 'BACKLOG'))
);
create index episode_ended on webhooks.episode (ended_at) where ended_at is not null;
create unique index episode_open on webhooks.episode (receiver_id, kind) where ended_at is null;
create index episode_to_tell on webhooks.episode (tell_at) where tell_at is not null;

-- Every delivery that has failed, until it goes out again or will not be sent again.
create table webhooks.failure (
  delivery_id uuid primary key,
  receiver_id uuid not null,
  failed_at timestamptz(3) not null default now(),
  constraint failure_delivery_id_delivery_id_fk foreign key (delivery_id) references webhooks.delivery (id) on delete cascade,
  constraint failure_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) on delete cascade
);
create index failure_receiver on webhooks.failure (receiver_id, delivery_id);

create table webhooks.pace (
  receiver_id uuid primary key,
  rate integer not null,
  counts_from timestamptz not null default now(),
  constraint pace_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) on delete cascade,
  constraint pace_rate check (rate > 0)
);

create table webhooks.pause (
  receiver_id uuid primary key,
  paused_at timestamptz(3) not null default now(),
  paused_by text not null,
  reason text not null,
  resumed_at timestamptz(3),
  constraint pause_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) on delete cascade,
  constraint pause_paused_by check (paused_by in ('OPERATOR', 'OWNER', 'SYSTEM'))
);
create index pause_in_force on webhooks.pause (receiver_id) where resumed_at is null;

create table webhooks.release (
  receiver_id uuid primary key,
  constraint release_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) on delete cascade
);


-- The rows that the code names by their ids -------------------------------------------------------------

-- The built-in application, whose subjects are the customers: a PayTag is a tag that one of its subjects owns. Its id
-- is `payTagApplicationId` of src/modules/clients.
insert into applications.application (id, name, namespace, status, built_in)
values ('7a79a6f0-0000-4000-8000-000000000001', 'PayTag', 'paytag', 'ACTIVE', true);

-- The system accounts, where money enters and leaves the books, is earned or waits. `systemAccount` of
-- src/modules/ledger computes their ids from this order. Deferred: no posting waits for another here.
insert into ledger.account (id, kind, reference, currency, lock_mode) overriding system value
select row_number() over (order by k.place, c.place), k.kind, lower(k.kind), c.currency, 'deferred'
  from unnest(array['CLEARING', 'FEE', 'COMMISSION', 'STAMP_DUTY', 'SUSPENSE', 'CLEARING_GATEWAY', 'CLEARING_TERMINAL',
    'CLEARING_INBOUND', 'CLEARING_PAYOUT', 'CLEARING_COLLECTION', 'DIFFERENCE']) with ordinality k (kind, place),
    unnest(array['NGN', 'FP']) with ordinality c (currency, place);

-- Ids below 1001 are reserved for system accounts.
alter table ledger.account alter column id restart with 1001;

-- Nothing is totalled yet.
insert into books.totalled (until) values ('-infinity');
