-- Evidence is written once: a statement that would change or delete a row of these tables fails, whoever runs it. That the triggers are
-- in force is a check of the books.
create or replace function ledger.refuse_change() returns trigger language plpgsql as $$
begin raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'PT002'; end $$;

create or replace trigger entry_immutable before update or delete or truncate on audit.entry for each statement
  execute function ledger.refuse_change();

create or replace trigger account_kept before delete on ledger.account for each statement execute function ledger.refuse_change();

create or replace trigger entry_immutable before update or delete or truncate on ledger.entry for each statement
  execute function ledger.refuse_change();

create or replace trigger transaction_kept before delete on ledger.transaction for each statement execute function ledger.refuse_change();

-- Of an event the body may go, and its digest stays.
create or replace trigger event_immutable before update on outbox.event for each row
  when (new.* is distinct from old.* and not (new.body is null and old.body is not null
    and new.body_digest is not distinct from sha256(convert_to(old.body, 'UTF8'))
    and not (new.id is distinct from old.id or new.receiver_id is distinct from old.receiver_id or new.event is distinct from old.event
      or new.reference is distinct from old.reference or new.subject_id is distinct from old.subject_id
      or new.sequence is distinct from old.sequence or new.created_at is distinct from old.created_at)))
  execute function ledger.refuse_change();

create or replace trigger event_kept before delete on outbox.event for each row execute function ledger.refuse_change();

create or replace trigger receiver_id_kept before update of id on outbox.receiver for each row when (new.id <> old.id)
  execute function ledger.refuse_change();

create or replace trigger receiver_kept before delete on outbox.receiver for each statement execute function ledger.refuse_change();

create or replace trigger revoked_for_good before update of revoked_at on partners.api_key for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function ledger.refuse_change();

-- What has ended stays so: a claim or a link that was taken back, refused or not answered in time.
create or replace trigger ended_for_good before update of state on claims.claim for each row
  when (old.state in ('REJECTED', 'CANCELLED', 'EXPIRED', 'REVOKED') and new.state <> old.state) execute function ledger.refuse_change();

create or replace trigger ended_for_good before update of status on federations.link for each row
  when (old.status in ('REJECTED', 'FAILED', 'EXPIRED', 'REVOKED') and new.status <> old.status) execute function ledger.refuse_change();

-- It would come back as it was before it ended. One whose challenge reached nobody may go.
create or replace trigger link_kept before delete on federations.link for each row when (old.status <> 'PENDING')
  execute function ledger.refuse_change();

create or replace trigger seal_immutable before update or delete or truncate on seals.seal for each statement
  execute function ledger.refuse_change();

create or replace trigger revoked_for_good before update of revoked_at on sessions.session for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function ledger.refuse_change();
