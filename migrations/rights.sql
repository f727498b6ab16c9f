-- What the server's role may do, table by table. Functions do the rest for it. Applied by the owner after the
-- migrations and functions, whenever one of these is new; so it can be run again and again. A table that is not named here
-- fails a test: decide, and name it.
--
-- The rights go to the group role paytag_server_role; the role that the server logs in with is a member of it. Roles belong
-- to the whole cluster, so another database may have made it already, perhaps at this moment.
do $rights$
declare
  rooms constant text[] := array(
    select nspname from pg_namespace where nspowner = current_user::regrole and nspname not in ('public', 'information_schema')
      and nspname not like 'pg\_%');
  room text;
  given record;
begin
  if not exists (select from pg_roles where rolname = 'paytag_server_role') then
    begin
      create role paytag_server_role nologin;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise warning 'this role may not create roles: the server has no role of its own';
    end;
  end if;

  -- A function does what its caller may do; one that is `security definer` does for the server what it may not do itself.
  foreach room in array rooms loop
    continue when room = 'bullmq';
    execute format('revoke all on all functions in schema %I from public', room);
  end loop;

  if not exists (select from pg_roles where rolname = 'paytag_server_role') then return; end if;
  foreach room in array rooms loop
    execute format('grant usage on schema %I to paytag_server_role', room);
    execute format('revoke all on all tables in schema %I from paytag_server_role', room);
    execute format('grant execute on all functions in schema %I to paytag_server_role', room);
  end loop;
  execute format('revoke temporary on database %I from public', current_database());

  for given in
    select * from (values
      -- Evidence. Entries, transactions and events are written by functions. Of an event the body may be purged:
      -- a trigger refuses any other change. A lock on a row needs the right to change some column of it.
      ('audit.entry', 'select, insert'),
      ('books.day_total', 'select'),
      ('books.hour_total', 'select'),
      ('books.partner_day_total', 'select'),
      ('books.totalled', 'select'),
      ('disputes.dispute', 'select, insert, update (state, respond_by, refund_id, decision, expired_at, decided_at)'),
      ('disputes.evidence', 'select, insert, update (said_sealed)'),
      ('ledger.deferred_delta', 'select'),
      ('ledger.entry', 'select'),
      ('ledger.transaction', 'select'),
      ('outbox.event', 'select, update (body, body_digest)'),
      ('integrity.run', 'select, insert'),
      ('seals.seal', 'select, insert'),
      -- Accounts are opened, and their rules changed; what is on them moves by postings alone.
      ('ledger.account', 'select, insert, update (status, closed_at, daily_limit, liens, updated_at)'),
      ('ledger.hold', 'select'),
      ('ledger.lien', 'select, insert, update (lifted_at)'),
      ('ledger.spending', 'select'),
      -- What says whose money is where, and how much was asked or offered, stays as it was written: only its state moves.
      ('approvals.approval', 'select, insert, update (status, input_sealed, decided_by, decided_by_name, decided_at, reason, run_id, run_until, answer_sealed, error_code, ended_at)'),
      ('inbound_accounts.account', 'select, insert (wallet, partner_id, provider, created_at, leased_until), update (leased_until)'),
      ('inbox.message', 'select, insert, update (body_sealed, event, kind, reference, amount, currency, outcome, state, difference, transaction_id, attempts, due_at, last_error, ended_at, updated_at)'),
      ('rail_comparisons.comparison', 'select, insert'),
      ('payments.payment', 'select, insert'),
      ('payouts.payout', 'select, insert, update (state, provider, provider_id, attempts, due_at, failure_reason, failure_detail, contradiction, correction_id, sent_at, ended_at, reversed_at, updated_at)'),
      ('reconciliation.import', 'select, insert'),
      ('reconciliation.item', 'select, insert, delete, update (status, transaction_id, our_day, our_amount, adjustment_id, action, reason, resolved_by, resolved_at, said_sealed, updated_at)'),
      ('tag_transactions.tag_transaction', 'select, insert, update (posting_id, status, accepted_at, rejected_at, rejection_reason, updated_at)'),
      ('terminals.split', 'select, insert, update (total_paid, status, updated_at)'),
      ('wallets.kyc_numbering', 'select, insert, update (last)'),
      ('wallets.partner_wallet', 'select, insert, update (is_primary, routing_mac, tier, metadata, known_since, proven_at, status_before_freeze, revoked_at, updated_at)'),
      -- What says where events, logins and their codes go: changed by functions, with a MAC that the database cannot make.
      ('applications.application', 'select, insert, update (status, email_sealed, image_url)'),
      ('outbox.receiver', 'select, insert, update (others, description, header_names, headers_sealed, ordered, deleted_at, secret_sealed, secret_rotated_at, previous_secret_sealed, previous_secret_until, updated_at)'),
      ('partners.api_key', 'select, insert, update (revoked_at)'),
      ('partners.partner', 'select, insert, update (name, contact_email_sealed, status, updated_at)'),
      ('sessions.auth_code', 'select, insert, update (exchanged_at, session_id, expires_at), delete'),
      ('sessions.session', 'select, insert, update (revoked_at, expires_at), delete'),
      ('webhooks.delivery', 'select, insert, update (status, attempts, due_at, leased_until, last_error, last_attempt_at, last_url, last_status_code, last_duration_ms, last_attempt_error, last_response, delivered_at, purged_at, updated_at)'),
      -- What stays for ever, and may change.
      ('applications.subject', 'select, insert, update (display_name, email_sealed, image_url, metadata)'),
      ('claims.claim', 'select, insert, update (state, token_sealed, token_expires_at, approved_at, revoked_at, owner_confirmed_at, owner_confirmed_by, proof_attempts, updated_at, routing_mac)'),
      ('customers.customer', 'select, insert, update (bvn_sealed, bvn_index, first_name, last_name, other_name, is_other_name_confirmed, phone_sealed, phone_index, phone_proven_at, email_sealed, email_index, email_proven_at, date_of_birth_sealed, address_sealed, image_url, password_hash, frozen_at, bvn_handed_back_at, erased_at, kept_name_sealed, updated_at, routing_mac)'),
      ('federations.federation', 'select, insert'),
      ('operators.operator', 'select, insert, update (role, status, token_digest, token_expires_at, routing_mac, last_used_at, updated_at)'),
      ('sessions.prior_login', 'select, insert, update (sessions_ended_at)'),
      ('signing_keys.signing_key', 'select, insert, update (private_jwk_sealed, status, retired_at, revoked_at)'),
      ('tags.tag', 'select, insert, update (status, closed_at, released_at, routing_mac, updated_at)'),
      ('terminals.terminal', 'select, insert, update (balance)'),
      ('wallets.kyc_profile', 'select, insert'),
      ('webhooks.pause', 'select, insert, update'),
      -- What is deleted once it is of no more use.
      ('bank_accounts.linked_account', 'select, delete'),
      ('beneficiaries.beneficiary', 'select, insert, update, delete'),
      ('customers.contact_change', 'select, insert, update, delete'),
      ('federations.link', 'select, insert, delete, update (status, token_digest, failures, proof_attempts, expires_at, verified_at, verified_by, updated_at, routing_mac)'),
      ('idempotency.request', 'select, insert, update, delete'),
      ('known_addresses.known_address', 'select, insert, update, delete'),
      ('letters.letter', 'select, insert, delete, update (recipient_sealed, attempts, due_at, sent_at, link_until, token_digest, secret_sealed, opened_at, routing_mac)'),
      ('letters.proven_contact', 'select, insert, update, delete'),
      ('notices.notice', 'select, insert, update (attempts, due_at, recipient_sealed, sent_at), delete'),
      ('onboarding.creation_session', 'select, insert, delete, update (status, paytag, otp_digest, otp_channel, otp_reference, otp_expires_at, otp_sends, otp_sent_at, otp_failures, expires_at, routing_mac)'),
      ('owner_proofs.owner_code', 'select, insert, update, delete'),
      ('partners.closed_portal_link', 'select, insert, delete'),
      ('operators.session', 'select, insert, update (ended_at, routing_mac), delete'),
      ('sandbox.counterpart', 'select, insert'),
      ('sandbox.disturbance', 'select, insert, update, delete'),
      ('sandbox.hook_request', 'select, insert, delete'),
      ('statements.paper', 'select, insert, delete'),
      ('statements.requested', 'select, insert, update, delete'),
      ('throttles.counter', 'select, insert, update, delete'),
      ('webhooks.attempt', 'select, insert, update, delete'),
      ('webhooks.breaker', 'select, insert, update, delete'),
      ('webhooks.pace', 'select, insert, update, delete'),
      ('webhooks.episode', 'select, insert, update, delete'),
      ('webhooks.failure', 'select, insert, update, delete'),
      ('webhooks.release', 'select, insert, update, delete'),
      -- The installation. Which keys it has is the owner's to change, by commands: who took them away would take what they seal.
      ('drizzle.__drizzle_migrations', 'select'),
      ('drizzle.functions', 'select'),
      ('installation.stamp', 'select, insert'),
      ('data_keys.data_key', 'select, insert')
    ) as decided (name, privileges)
  loop
    execute format('grant %s on %s to paytag_server_role', given.privileges, given.name);
  end loop;

  -- BullMQ makes a sequence for each queue when the first job comes.
  alter function bullmq.next_job_id(text) security definer set search_path = bullmq, pg_temp;

  grant usage on sequence wallets.nuban_serial, wallets.kyc_profile_id_seq, ledger.account_id_seq to paytag_server_role;
  -- BullMQ's own tables: the queue of wake-ups, in which there is nothing to prove.
  grant select, insert, update, delete on all tables in schema bullmq to paytag_server_role;
  grant usage, select on all sequences in schema bullmq to paytag_server_role;
end $rights$;
