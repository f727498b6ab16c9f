-- A seal is the next one: its number follows the last, its period follows the last hour's and is over, and a day comes when
-- its last hour has been sealed. Any other would be in the way of those to come.
create or replace function seals.refuse_out_of_turn() returns trigger language plpgsql as $$
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

create or replace trigger seal_in_turn before insert on seals.seal for each row execute function seals.refuse_out_of_turn();
