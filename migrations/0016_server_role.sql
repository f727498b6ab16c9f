-- What the rights of the server's role (rights.sql) cannot say.

-- An event is never changed: its body may be purged, when its digest stays in its place.
create trigger event_immutable before update on outbox.event for each row
  when (new is distinct from old and not (
    new.body is null and old.body is not null and new.body_digest is not distinct from sha256(convert_to(old.body, 'UTF8'))
    and (new.id, new.receiver_id, new.event, new.reference, new.subject_id, new.sequence, new.created_at)
      is not distinct from (old.id, old.receiver_id, old.event, old.reference, old.subject_id, old.sequence, old.created_at)))
  execute function ledger.refuse_change();

-- An account is opened empty: what is on it comes by postings.
create function ledger.refuse_opening() returns trigger language plpgsql as $$
begin raise exception 'an account is opened empty' using errcode = 'PT002'; end $$;

create trigger account_opened_empty before insert on ledger.account for each row
  when (new.posted <> 0 or new.suspended <> 0 or new.liens <> 0 or new.version <> 0)
  execute function ledger.refuse_opening();

-- Locks a transaction, which the server may read and not change. For what a resolution of suspense or a reversal does next.
create function ledger.lock_transaction(p_id bigint) returns void language sql as $$
  select from ledger.transaction where id = p_id for no key update
$$;
