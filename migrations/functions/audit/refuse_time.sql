-- An entry of the audit log is of now: no one writes into an hour that is sealed, or that is to come. A time that differs from the
-- database's clock by less than a minute becomes that of the clock; any other is refused, but for the owner's, in tests.
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
