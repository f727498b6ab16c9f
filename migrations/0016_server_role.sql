-- What the rights of the server's role (rights.sql) cannot say.

-- An event is never changed: its body may be purged, when its digest stays in its place.
create trigger event_immutable before update on outbox.event for each row
  when (new is distinct from old and not (
    new.body is null and old.body is not null and new.body_digest is not distinct from sha256(convert_to(old.body, 'UTF8'))
    and (new.id, new.receiver_id, new.event, new.reference, new.subject_id, new.sequence, new.created_at)
      is not distinct from (old.id, old.receiver_id, old.event, old.reference, old.subject_id, old.sequence, old.created_at)))
  execute function ledger.refuse_change();

-- An account is opened empty: what is on it comes by postings. Nobody but the owner opens other accounts than those of
-- wallets, partners and applications, none of which goes below zero.
create function ledger.refuse_opening() returns trigger language plpgsql as $$
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
end $$;

create trigger account_opened_empty before insert on ledger.account for each row
  execute function ledger.refuse_opening();

-- Only a wallet has rules that the server changes; one that is closed stays so.
create function ledger.refuse_rules() returns trigger language plpgsql as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  raise exception 'the rules of this account are never changed' using errcode = 'PT002';
end $$;

create trigger account_rules before update of status, closed_at, daily_limit, liens on ledger.account for each row
  when ((old.kind <> 'WALLET' and (new.status, new.closed_at, new.daily_limit, new.liens)
           is distinct from (old.status, old.closed_at, old.daily_limit, old.liens))
        or (old.closed_at is not null and new.closed_at is distinct from old.closed_at))
  execute function ledger.refuse_rules();

-- What the ledger's functions do, they do at the time of the database's clock: any other is the owner's to say, in tests.
create function ledger.refuse_time(p_now timestamptz) returns void language plpgsql as $$
begin
  -- Called by a function with its owner's rights: current_user is that owner, session_user who logged in.
  if p_now is not null and not pg_has_role(session_user, current_user, 'member') then
    raise exception 'only the owner says when' using errcode = 'insufficient_privilege';
  end if;
end $$;

-- A seal is the next one: its number follows the last, its period follows the last hour's and is over, and a day comes when
-- its last hour has been sealed. Any other would be in the way of those to come.
create function seals.refuse_out_of_turn() returns trigger language plpgsql as $$
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
end $$;

create trigger seal_in_turn before insert on seals.seal for each row execute function seals.refuse_out_of_turn();

-- Locks a transaction, which the server may read and not change. For what a resolution of suspense or a reversal does next.
create function ledger.lock_transaction(p_id bigint) returns void language sql as $$
  select from ledger.transaction where id = p_id for no key update
$$;
