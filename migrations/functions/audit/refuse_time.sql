-- An entry of the audit log is of now: nobody writes into an hour that is sealed, or that is to come. What was given is let
-- through where it is now, and is then the time of the database's clock. Another time is the owner's to say, in tests.
create or replace function audit.refuse_time() returns trigger language plpgsql as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  if new.at is distinct from null and abs(extract(epoch from new.at - clock_timestamp())) < 60 then
    new.at := clock_timestamp();
    return new;
  end if;
  raise exception 'an audit entry is of now' using errcode = 'PT002';
end $$;

create or replace trigger entry_of_now before insert on audit.entry for each row execute function audit.refuse_time();
